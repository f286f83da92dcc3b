"""What every camera promises, filming or simulated: where the animal was, frame by frame."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

INSTALL = "pip install 'behavior-rig[camera]'"
"""How OpenCV is installed."""


class FramePosition(NamedTuple):
    """One frame: its number, when it was taken, and where the animal was, or NaN where it was not found.

    ``raw_us`` is on the camera's own clock, which is the loop's (``loop.time()``) in microseconds.
    """

    frame: int
    raw_us: int
    x_cm: float
    y_cm: float

    @property
    def found(self) -> bool:
        """Whether the animal was found in it."""
        return not math.isnan(self.x_cm)


OnSeen: TypeAlias = Callable[[Sequence[FramePosition]], None]
OnGone: TypeAlias = Callable[[str], None]


class Camera(ABC):
    """Watches one animal from :meth:`watch` to :meth:`close`."""

    @abstractmethod
    async def open(self) -> None:
        """Be ready to watch. Raises ``NotReadyError`` saying what is missing."""

    @abstractmethod
    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        """Tell of frames, in their order, from now on; and once, in words, when no more will come."""

    @abstractmethod
    def close(self) -> None:
        """Watch no more; idempotent."""
