"""A board whose 32-bit clock is about to wrap: what happens after 36 minutes, at the beginning of a session."""

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from sim_hardware.avr.chip import AvrChip

LAP_S = 65_536 * 500e-9
"""What the timer counts of half microseconds; the firmware counts the laps, up to 65,535."""


class Advance:
    """Sets a chip's clock, each time a session is opened, to so many laps before it wraps."""

    def __init__(self, chip: AvrChip, elf: Path, laps: int) -> None:
        self._chip = chip
        self._address = address_of("wraps", elf)
        self._left = 0x1_0000 - laps
        self._deframer = frame.Deframer()
        self._opened = b""

    @property
    def wraps_at(self) -> int:
        """Tell the cycle at which the clock wraps next."""
        counted = self._chip.peek(self._address) | self._chip.peek(self._address + 1) << 8
        zero, lap = self._chip.timer("1")
        return zero + (0x1_0000 - counted) * lap

    def before(self, receive: Callable[[bytes], None]) -> Callable[[bytes], None]:
        """Listen to what a board receives, just before it does: nothing is due then."""

        def overheard(data: bytes) -> None:
            self._hear(data)
            receive(data)

        return overheard

    def _hear(self, data: bytes) -> None:
        for payload in self._deframer.feed(data):
            if payload[0] == wire.OPEN.code and payload != self._opened:
                self._opened = payload
                self._chip.poke(self._address, self._left & 0xFF)
                self._chip.poke(self._address + 1, self._left >> 8)


@cache
def address_of(variable: str, elf: Path) -> int:
    """Find a variable of some namespace of the firmware in the chip's memory."""
    listed = subprocess.run(["avr-nm", str(elf)], capture_output=True, text=True, check=True).stdout
    (address,) = re.findall(rf"^([0-9a-f]+) [bBdD] _ZN\S*{len(variable)}{variable}E", listed, re.MULTILINE)
    return int(address, 16) & 0xFFFF
