"""What a simulated rig offers beside its transport: a body to act with, and a record of its pins.

``rig.testing`` uses nothing else of a simulated rig. It finds the rig by the name of its driver, as a session does, so
that a laboratory's own simulated board can be tested in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias

from rig.core.model.scene import Scene

PinChange: TypeAlias = tuple[int, str, int]
"""A time of the session in microseconds, the channel that changed, and its new value."""


class SimulatedBody(Protocol):
    """The part of a virtual subject's body that tests of laboratories use."""

    @property
    def places(self) -> tuple[str, ...]:
        """Return the places that can be entered."""

    @property
    def lines(self) -> tuple[str, ...]:
        """Return the inputs from other equipment, each a ``ttl_in`` of the rig file."""

    @property
    def has_screen(self) -> bool:
        """Whether there is a screen to touch."""

    @property
    def scene(self) -> Scene:
        """Return what is on the screen; nothing where there is no screen."""

    @property
    def now_s(self) -> float:
        """Return the seconds since the session was opened."""

    async def wait(self, seconds: float) -> None:
        """Wait for some seconds."""

    async def wait_until_us(self, t_us: int) -> None:
        """Wait until a microsecond of the session."""

    def enter(self, place: str) -> None:
        """Start to occupy a place: its beam is broken."""

    def leave(self, place: str) -> None:
        """Stop to occupy a place."""

    def signal(self, line: str, on: bool) -> None:
        """Set an input from other equipment on or off."""

    def set_value(self, source: str, value: int) -> None:
        """Set an analog input, or the steps of an encoder, that the board samples."""

    def peck(self, x_cm: float, y_cm: float) -> None:
        """Start a short touch of the screen, which ends by itself."""

    def press(self, x_cm: float, y_cm: float) -> int:
        """Start a touch that stays; return the number of the contact."""

    def drag(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Move a contact over the screen."""

    def lift(self, contact: int, x_cm: float, y_cm: float) -> None:
        """Stop a contact."""

    def hover(self, x_cm: float, y_cm: float) -> None:
        """Move the pointer of the mouse there without a click."""

    def type(self, key: str) -> None:
        """Send a key: a character, ``enter`` or ``backspace``."""

    def light_on(self, place: str) -> bool:
        """Whether the light of a place is on."""

    def consume(self, place: str) -> float:
        """Return what has arrived at a place since the last call: microliters, pellets, or seconds at a hopper."""


class SimulatedRig(Protocol):
    """A simulated board with a world around it."""

    @property
    def body(self) -> Any:
        """Return the `SimulatedBody` that acts in this world."""

    def call_at_us(self, t_us: int, callback: Callable[[], object]) -> None:
        """Run a callback at a microsecond of the session, whether the session still runs then or not.

        Callbacks of one instant run in the order of these calls.
        """

    def record_pins(self) -> list[PinChange]:
        """Start to record every change of a pin; return the list to which the changes are added."""
