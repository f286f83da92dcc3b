"""Probe on a board's pins: what a bench can do to a board, and see of it, without asking the board.

A simulated board has them; a real one would need a second instrument. Times are microseconds of the session that the
board has opened, as exact as the leads are, and never the board's own stamps.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from rig.boards.transport import Transport


class Change(NamedTuple):
    """An output's pin changed: its level, or of a speaker that is listened to the frequency in hertz."""

    t_us: float
    pin: int
    value: int


@dataclass(frozen=True, slots=True)
class Memory:
    """How full a chip is, in bytes; ``untouched`` is what neither variables nor the stack have ever written to."""

    flash: int
    flash_room: int
    ram: int
    ram_room: int
    untouched: int


class PinProbe(ABC):
    """A board on a bench; ``changes`` is all that its outputs have done."""

    can_hang = False
    """Whether its program can be stopped."""

    def __init__(self) -> None:
        self.transitions: list[Change] = []

    @abstractmethod
    def connect(self) -> Transport:
        """Open the port."""

    @abstractmethod
    def now_us(self) -> float:
        """Return the time of the session."""

    @abstractmethod
    def call_at(self, t_us: float, callback: Callable[..., object], *args: Any) -> None:
        """Have something done at a time of the session."""

    @abstractmethod
    def drive(self, pin: int, level: int) -> float:
        """Put a level on a pin, and hold it; tell exactly when that was."""

    def hang(self, *, interrupts: bool) -> float:
        """Stop its program, as a bug would, with its interrupts running or not; tell exactly when that was."""
        raise NotImplementedError

    def power_off(self) -> None:
        """Switch the board off."""
        return

    def overruns(self) -> int:
        """Count the bytes that it was sent and did not fetch in time."""
        return 0

    def memory(self) -> Memory | None:
        """Return how full its chip is, if it has one."""
        return None
