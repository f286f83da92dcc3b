"""What a simulated device can do to the rig around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

OnOutput: TypeAlias = Callable[[str, int], object]
"""A function of an output's channel and its new value: 0 for off, 1 for on, or the frequency of a tone in hertz."""


class Surroundings(Protocol):
    """The simulated rig, as a device acts on it; all times are simulated."""

    def now_us(self) -> int:
        """Return the time of the session."""

    def call_later(self, seconds: float, action: Callable[..., object], *arguments: object) -> None:
        """Run a function after some seconds."""

    def drive(self, channel: str, on: bool) -> None:
        """Send a level to an input of the device."""

    def deliver(self, place: str, amount: float) -> None:
        """Send microliters or pellets to a place, where the subject perceives them."""

    def perceive(self, kind: str, place: str, value: int = 1) -> None:
        """Send a stimulus to the subject."""
