"""The screen's interface: it shows scenes and reports touches, real or simulated, beside the board.

A screen knows pixels and the running loop's clock. `rig.screen.board_with_screen` converts for every screen alike:
which item a touch is on, whether it is a peck, and its time in the session.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from rig.core.model.channels import Role, channel_name
from rig.core.model.events import Phase
from rig.core.model.scene import Scene

DOWN: Final = "down"
MOVE: Final = "move"
UP: Final = "up"


@dataclass(frozen=True, slots=True)
class ScreenSpec:
    """A screen of a rig file, as the hardware layer needs it; lengths on the glass are measured, in cm."""

    # The chamber of Racey et al. (2011): a 15-inch monitor with 800 pixels on 30.5 cm.
    width_px: int = 800
    height_px: int = 600
    px_per_cm: float = 26.2
    monitor: str | None = None
    full_screen: bool = True
    pointer: str = "touch"
    debounce_us: int = 50_000
    bounce_cm: float = 1.0
    response_us: int = 20_000
    """The longest time between a contact and its report: an infrared touch frame scans its area."""
    patch_cm: float = 0.0
    patch_corner: str = "bottom_right"
    photodiode: str | None = None

    @property
    def width_cm(self) -> float:
        """Return the width of the picture."""
        return self.width_px / self.px_per_cm

    @property
    def height_cm(self) -> float:
        """Return the height of the picture."""
        return self.height_px / self.px_per_cm

    @property
    def photodiode_channel(self) -> str | None:
        """Return the input of the photodiode, which sees a square that every second frame lights."""
        return None if self.photodiode is None else channel_name(self.photodiode, Role.IN)

    def __str__(self) -> str:
        size = f"{self.width_px} by {self.height_px} pixels, {self.width_cm:.1f} by {self.height_cm:.1f} cm"
        return size if self.monitor is None else f"{size} on {self.monitor}"

    def in_cm(self, x_px: float, y_px: float) -> tuple[float, float]:
        """Convert pixels, counted from the upper left corner, to centimeters from the lower left one."""
        return x_px / self.px_per_cm, (self.height_px - y_px) / self.px_per_cm

    def in_px(self, x_cm: float, y_cm: float) -> tuple[float, float]:
        """Convert centimeters to pixels."""
        return x_cm * self.px_per_cm, self.height_px - y_cm * self.px_per_cm


class Contact(NamedTuple):
    """A contact with the screen, its movement or its end; ``frame`` was on the screen then, 0 before the first."""

    phase: Phase
    contact: int
    x_px: float
    y_px: float
    raw_us: int
    frame: int


class PointerMove(NamedTuple):
    """The pointer is over another item, ``on``, or beside all; ``frame`` was on the screen then."""

    on: str
    x_px: float
    y_px: float
    raw_us: int
    frame: int


class ScreenListener(Protocol):
    """The receiver of a screen's events."""

    def shown(self, frame: int, raw_us: int) -> None:
        """Handle a frame that has appeared."""

    def touched(self, contact: Contact) -> None:
        """Handle a contact."""

    def hovered(self, move: PointerMove) -> None:
        """Handle the pointer over another item."""

    def typed(self, key: str, raw_us: int) -> None:
        """Handle a key: a character, ``enter`` or ``backspace``."""

    def lost(self, why: str) -> None:
        """Handle the loss of the screen; called once."""


@dataclass(frozen=True, slots=True)
class ScreenInfo:
    """The facts that a screen reports when it opens; a frame is shown for at least ``frame_us``."""

    name: str
    frame_us: int
    facts: Mapping[str, object]


class Screen(ABC):
    """A screen that shows scenes and reports when they appeared and where it was touched."""

    @abstractmethod
    async def open(self, listener: ScreenListener) -> ScreenInfo:
        """Open the screen, black and empty, and start to report touches. Raises ``ScreenError``."""

    @abstractmethod
    def show(self, frame: int, scene: Scene) -> None:
        """Draw a scene; frames are counted from 1, and the screen reports each when it has appeared."""

    @abstractmethod
    async def close(self) -> Mapping[str, int]:
        """Close the screen and return its counters."""

    @abstractmethod
    def abort(self) -> None:
        """Close the screen without waiting."""
