"""The screen, as a seam: what shows scenes and is touched, real or simulated, beside the board.

A screen knows pixels and its own clock, which is the running loop's. What a touch is on, whether it is a peck and when
it was on the session's axis is worked out once, for every screen alike (`rig.screen.board_with_screen`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rig.core.model.channels import Role, channel_name
from rig.core.model.scene import Scene

DOWN, MOVE, UP = "down", "move", "up"
PHASES = (DOWN, MOVE, UP)


@dataclass(frozen=True, slots=True)
class ScreenSpec:
    """A screen of a rig file, as the hardware needs to know it; lengths on the glass are in cm, measured."""

    width_px: int = 800
    height_px: int = 600
    px_per_cm: float = 26.2
    monitor: str | None = None
    full_screen: bool = True
    pointer: str = "touch"
    debounce_us: int = 50_000
    bounce_cm: float = 1.0
    response_us: int = 20_000
    """A contact is reported so long after it was made at most: a frame of light scans."""
    patch_cm: float = 0.0
    patch_corner: str = "bottom_right"
    photodiode: str | None = None

    @property
    def width_cm(self) -> float:
        """How wide the picture is."""
        return self.width_px / self.px_per_cm

    @property
    def height_cm(self) -> float:
        """How high the picture is."""
        return self.height_px / self.px_per_cm

    @property
    def photodiode_channel(self) -> str | None:
        """Name the input that sees the square, which is lit in every second frame."""
        return None if self.photodiode is None else channel_name(self.photodiode, Role.IN)

    def __str__(self) -> str:
        size = f"{self.width_px} by {self.height_px} pixels, {self.width_cm:.1f} by {self.height_cm:.1f} cm"
        return size if self.monitor is None else f"{size} on {self.monitor}"

    def in_cm(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Convert pixels, counted from the upper left corner, into centimeters from the lower left one."""
        return x_px / self.px_per_cm, (self.height_px - y_px) / self.px_per_cm

    def in_px(self, x_cm: float, y_cm: float) -> tuple[float, float]:
        """Convert centimeters into pixels."""
        return x_cm * self.px_per_cm, self.height_px - y_cm * self.px_per_cm


class Contact(NamedTuple):
    """Something touched the screen, moved on it or left it; ``frame`` was on the glass then, 0 before the first."""

    phase: str
    contact: int
    x_px: float
    y_px: float
    raw_us: int
    frame: int


class ScreenListener(Protocol):
    """Who is told what happens at a screen."""

    def shown(self, frame: int, raw_us: int) -> None:
        """Take note that a frame has appeared."""

    def touched(self, contact: Contact) -> None:
        """Take note of a contact."""

    def typed(self, key: str, raw_us: int) -> None:
        """Take note of a key: a character, ``enter`` or ``backspace``."""

    def lost(self, why: str) -> None:
        """Take note that the screen is gone; said once."""


@dataclass(frozen=True, slots=True)
class ScreenInfo:
    """What a screen says of itself once it is open; ``frame_us`` is how long it shows a frame at least."""

    name: str
    frame_us: int
    facts: Mapping[str, Any]


class Screen(ABC):
    """Shows scenes, and says when they appeared and where it was touched."""

    @abstractmethod
    async def open(self, listener: ScreenListener) -> ScreenInfo:
        """Show nothing, on black, and begin to listen for touches. Raises ``ScreenError``."""

    @abstractmethod
    def show(self, frame: int, scene: Scene) -> None:
        """Show a scene; frames are counted from 1, and each is reported when it has appeared."""

    @abstractmethod
    async def close(self) -> Mapping[str, int]:
        """Let go of the screen; return its counters."""

    @abstractmethod
    def abort(self) -> None:
        """Let go of the screen without waiting for anything."""
