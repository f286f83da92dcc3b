"""What board, rig and probe need of a simulated chip, whichever simulator runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from rig.boards.chips import AVRS, CHIPS
from rig.core.errors import ConfigError
from sim_hardware.avr.chip import AvrChip, Event, ResetCause
from sim_hardware.avr.firmware import firmware


class SimulatedChip(Protocol):
    """A simulated chip with the firmware on it; ``sim_hardware.avr.chip.AvrChip`` says what each method does."""

    @property
    def cycle(self) -> int:
        """Return the cycles since power-on."""

    def run(self, until: int) -> list[Event]:
        """Run to a cycle, or to the end of the instruction with the first events; return the events."""

    def send(self, data: bytes) -> None:
        """Send bytes of the host."""

    def pin(self, number: int, level: int) -> None:
        """Set the level of a pin, and hold it."""

    def set_voltage(self, number: int, steps: int) -> None:
        """Set the voltage at an analog pin, in steps of its converter."""

    def turn(self, number_a: int, number_b: int, steps: int) -> None:
        """Add steps to the position of an encoder at two pins, upward if the edges of the first are to come first."""

    def play(self, changes: Sequence[tuple[int, int, int]]) -> None:
        """Set levels of pins at cycles to come: cycle, pin and level, in the order of the cycles."""

    @property
    def played(self) -> list[int]:
        """Return the cycle at which each change of the last `play` was made, or will be."""

    def watch(self, number: int, rest: int = 0, *, speaker: bool = False) -> None:
        """Start to report what the program does to a pin."""

    def join(self, output: int, to: int) -> None:
        """Add a jumper between two pins."""

    def part(self, output: int) -> None:
        """Remove the jumper from a pin."""

    def reset(self, cause: ResetCause) -> None:
        """Start the chip again by a reset now."""

    def hang(self, *, interrupts: bool) -> None:
        """Stop the program in an endless loop."""

    def read_memory(self, address: int, count: int) -> bytes:
        """Read memory."""

    def timer(self, name: str) -> tuple[int, int]:
        """Return the cycle at which a timer was last zero, and its period in cycles."""


MakeChip: TypeAlias = Callable[[str, int, int], SimulatedChip]
"""Builds a chip with the firmware: of a kind, at a baud rate, with a seed."""


def firmware_on_simavr(kind: str, baud: int, seed: int) -> AvrChip:
    """Build a chip of libsimavr with the firmware on it, and no bootloader. Raises ``ConfigError`` for another chip."""
    if kind not in AVRS:
        raise ConfigError(f"--board avr: the rig file names the chip of {CHIPS[kind].a_board}: give --board {kind}")
    return AvrChip(kind, firmware(kind), baud=baud, seed=seed)
