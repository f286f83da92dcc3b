"""A probe on a board's pins: drive inputs and record outputs without the board's help.

Simulated boards have one; a real board would need a second instrument. All times are microseconds of the open session
on the probe's clock, never the board's stamps, so that errors of the stamps can be measured.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from rig.boards.transport import Transport


class Change(NamedTuple):
    """A change of an output's pin: its level, or a speaker's frequency in hertz."""

    t_us: float
    pin: int
    value: int


@dataclass(frozen=True, slots=True)
class Memory:
    """Memory use of a chip, in bytes; ``untouched`` was never written by variables or the stack."""

    flash: int
    flash_room: int
    ram: int
    ram_room: int
    untouched: int


@dataclass(frozen=True, slots=True)
class InterruptsOff:
    """The longest time with a chip's interrupts off, in microseconds, and the function or interrupt where it began.

    ``unpolled_us`` is the longest part of such a time in which the program did not poll its pins either.
    """

    longest_us: float
    began: str
    unpolled_us: float
    unpolled_began: str


class PinProbe(ABC):
    """A probe on one board; ``transitions`` are all changes of its outputs."""

    can_hang = False
    """Whether the board's program can be made to hang."""

    def __init__(self) -> None:
        self.transitions: list[Change] = []

    @abstractmethod
    def connect(self) -> Transport:
        """Open the board's port."""

    @abstractmethod
    def now_us(self) -> float:
        """Return the time of the session."""

    @abstractmethod
    def call_at(self, t_us: float, callback: Callable[..., object], *args: object) -> None:
        """Run a callback at a time of the session."""

    @abstractmethod
    def drive(self, pin: int, level: int) -> float:
        """Set a pin to a level and hold it; return the exact time."""

    def hang(self, *, interrupts: bool) -> float:
        """Stop the board's program in an endless loop, with or without interrupts; return the exact time."""
        raise NotImplementedError

    def power_off(self) -> None:
        """Switch the board off."""
        return

    def overruns(self) -> int:
        """Return the number of received bytes that the board lost to overruns."""
        return 0

    def memory(self) -> Memory | None:
        """Return the memory use of its chip; None without a chip."""
        return None

    def measure_interrupts(self) -> None:
        """Start to measure how long the board's interrupts are off; until the next reset."""
        return

    def interrupts_off(self) -> InterruptsOff | None:
        """Return the longest time since then; None if this cannot be measured."""
        return None
