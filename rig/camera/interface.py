"""The interface of cameras, real or simulated: the animal's position in each frame."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

INSTALL = "pip install 'behavior-rig[camera]'"
"""The command that installs OpenCV."""


class FramePosition(NamedTuple):
    """The position of the animal in one frame; NaN when it was not found.

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
    """Tracks one animal from :meth:`watch` to :meth:`close`."""

    @abstractmethod
    async def open(self) -> None:
        """Start the camera. Raises ``NotReadyError`` that names what is missing."""

    @abstractmethod
    def watch(self, on_seen: OnSeen, on_gone: OnGone) -> None:
        """Start to report frames, in order; ``on_gone`` is called once, with the reason, at the end."""

    @abstractmethod
    def close(self) -> None:
        """Stop; idempotent."""
