"""Refuse orders that are too long for one batch, and say what to do instead."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rig.boards.wire.go_back_n import ROOM_BYTES
from rig.core.errors import OrderRefusedError
from rig.core.model.actions import Arm, Load, Order


def too_long_error(orders: Sequence[Order], write: Callable[[Order], bytes]) -> OrderRefusedError:
    """Return the error of orders that are too long; of a sequence it names the line that made it."""
    error = OrderRefusedError(_too_long_text(orders, write))
    error.where = next((order.where for order in orders if isinstance(order, Load)), None)
    return error


def _too_long_text(orders: Sequence[Order], write: Callable[[Order], bytes]) -> str:
    """Return what is too long, how much of it fits, and what to do instead."""
    order = max(orders, key=lambda order: len(write(order)))
    size = len(write(order))
    if size <= ROOM_BYTES:
        total = sum(len(write(order)) for order in orders)
        return (
            f"{len(orders)} orders of one instant take {total} bytes and the wire carries {ROOM_BYTES} at once: "
            "put a wait between them, or load a sequence"
        )
    if isinstance(order, Load):
        fit = _fitting(len(order.entries), lambda count: write(Load(order.sequence, order.entries[:count])))
        return (
            f"a sequence of {len(order.entries)} actions takes {size} bytes and the wire carries {ROOM_BYTES} at once; "
            f"{fit} fit: divide it into several sequences, and start them together"
        )
    if isinstance(order, Arm):
        fit = _fitting(len(order.members), lambda count: write(Arm(order.group, order.until_us, order.members[:count])))
        return (
            f"{len(order.members)} answers of one instant take {size} bytes and the wire carries {ROOM_BYTES} at once; "
            f"{fit} fit: wait for fewer edges, or give NOTHING, which is shorter, to those that pay nothing"
        )
    return f"'{order}' takes {size} bytes and the wire carries {ROOM_BYTES} at once"


def _fitting(count: int, write: Callable[[int], bytes]) -> int:
    return max(fit for fit in range(count + 1) if len(write(fit)) <= ROOM_BYTES)
