"""How full a chip is: what the program takes of it, and how much of its memory nothing has ever written to.

A chip that is switched on is full of noise, so what is still as it was then has not been touched.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from rig.boards.pin_probe import Memory
from sim_hardware.avr.chip import AvrChip

_FLASH = {"uno": 0x8000, "mega": 0x40000}
_RAM = {"uno": (0x100, 0x800), "mega": (0x200, 0x2000)}
"""Where memory begins, and how much there is; variables come first, and the stack grows down toward them."""
_IN_FLASH = (".text", ".data")
_IN_RAM = (".data", ".bss", ".noinit")


class MemoryUsage:
    """What a program needs of a chip that has just been switched on with it."""

    def __init__(self, chip: AvrChip, kind: str, elf: Path) -> None:
        self._chip = chip
        self._kind = kind
        self._elf = elf
        self._noise = self._contents()

    def memory(self) -> Memory:
        """Return how full the chip is, and has been."""
        said = subprocess.run(["avr-size", "-A", str(self._elf)], capture_output=True, text=True, check=True).stdout
        words = [line.split() for line in said.splitlines() if line.startswith(".")]
        sizes = {word[0]: int(word[1]) for word in words}
        flash = sum(sizes.get(name, 0) for name in _IN_FLASH)
        ram = sum(sizes.get(name, 0) for name in _IN_RAM)
        _, room = _RAM[self._kind]
        now = self._contents()
        lowest = next((at for at in range(ram, room) if now[at] != self._noise[at]), room)
        return Memory(flash, _FLASH[self._kind], ram, room, lowest - ram)

    def _contents(self) -> bytes:
        start, size = _RAM[self._kind]
        return bytes(self._chip.peek(start + at) for at in range(size))
