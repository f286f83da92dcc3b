"""What all devices share: a name, the channels they occupy, and a section of the rig file."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from rig.core.actions import Order
from rig.core.board import Channel
from rig.core.errors import TaskError


class Confined(BaseModel):
    """A base for everything read from YAML: immutable, and an unknown key is a mistake."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


Pin = Annotated[int, Field(ge=0, le=255)]
"""A pin by the board's own number."""


class DeviceConfig(Confined):
    """One entry under ``devices:`` of a rig file; ``kind`` says which device it is."""

    kind: str
    board: str | None = Field(
        default=None, description="the board it is wired to; the rig's only board, or the reference, when not given"
    )

    def pins(self) -> dict[str, int]:
        """Map each part of the device to the pin it is wired to."""
        return {}


class Device(ABC):
    """A noun of the protocol's vocabulary; knows its channels, never the serial port."""

    Config: ClassVar[type[DeviceConfig]]

    def __init__(self, name: str) -> None:
        self.name = name
        self.order: Callable[[Order], None] = self._refuse
        """Put an order into the batch of the task that uses the device."""

    def bind(self, queue: Callable[[Order], None]) -> None:
        """Connect the device to the batch of the task that uses it."""
        self.order = queue

    def _refuse(self, order: Order) -> None:
        raise TaskError(f"{self.name} was used before the session began: '{order}'")

    def has(self, part: str) -> bool:
        """Tell whether the device has an optional part."""
        return getattr(self, part, None) is not None

    @property
    @abstractmethod
    def channels(self) -> Sequence[Channel]:
        """List the board channels that the device occupies."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class Needs:
    """A mark on a box's annotation: ``left: Annotated[Port, Needs("light", "valve")]``."""

    def __init__(self, *parts: str) -> None:
        self.parts = parts
