"""The connection between the devices of a box and the task that uses them."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.engine.input_log import InputLog
from rig.core.model.actions import Order
from rig.core.model.board import BoardInfo


class DeviceLink:
    """A connection that queues the orders of a task's devices and holds the facts that they may read."""

    def __init__(self, order: Callable[[Order], object], inputs: InputLog) -> None:
        self.order = order
        self.inputs = inputs
        """What the inputs showed, as far as the task has read."""
        self.opened: BoardInfo | None = None
        """What the board says of itself; None until it is open."""
