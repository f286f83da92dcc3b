"""Bootloaders: what runs on a board between its reset and its program.

The times were measured on the bootloaders of Arduino's AVR core, on simulated chips, from the opening of the port to
the first byte of the program (docs/decisions/opening-a-board.md).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rig.core.clock import Clock, Timer

START_UP_S = 0.065
"""How long the fuses of an Arduino hold the chip after a reset (ATmega328P data sheet, table 13-1: SUT)."""


@dataclass(frozen=True)
class Bootloader:
    """A bootloader that starts the program ``starts_after_s`` seconds after a reset.

    With ``silence_s`` a received byte makes it wait for a flasher instead, until it has received nothing for that long.
    """

    starts_after_s: float
    silence_s: float | None = None


NO_BOOTLOADER = Bootloader(START_UP_S)
OPTIBOOT = Bootloader(0.517)
"""The bootloader of an Uno and of a new Nano."""
ATMEGABOOT = Bootloader(1.251)
"""The bootloader of an old Nano."""
STK500V2 = Bootloader(0.901, silence_s=5.0)
"""The bootloader of a Mega."""


class BootSequence:
    """A board's end of the cable, which a reset closes until the program starts.

    The chip is ``reset`` at both ends of this time, so that everything is off from the first on. ``receive`` takes the
    bytes of the host once the program runs, and ``send`` those of the program.
    """

    def __init__(
        self,
        clock: Clock,
        bootloader: Bootloader,
        reset: Callable[[], None],
        receive: Callable[[bytes], None],
        send: Callable[[bytes], None],
    ) -> None:
        self._clock = clock
        self._bootloader = bootloader
        self._reset = reset
        self._receive = receive
        self._send = send
        self._reads_at = 0.0
        self._start: Timer | None = None
        """The start of the program; None while it runs."""

    def reset(self) -> None:
        """Start the board again by a reset, as the opening of its port does by DTR."""
        self._reads_at = self._clock.time() + START_UP_S
        self._start_in(self._bootloader.starts_after_s)
        self._reset()

    def receive(self, data: bytes) -> None:
        """Handle bytes of the host."""
        if self._start is None:
            self._receive(data)
        elif self._bootloader.silence_s is not None and self._clock.time() >= self._reads_at:
            self._start_in(self._bootloader.silence_s)

    def send(self, data: bytes) -> None:
        """Send bytes of the program; during the sequence there is none that could send."""
        if self._start is None:
            self._send(data)

    def _start_in(self, delay_s: float) -> None:
        if self._start is not None:
            self._start.cancel()
        self._start = self._clock.call_later(delay_s, self._run)

    def _run(self) -> None:
        self._start = None
        self._reset()
