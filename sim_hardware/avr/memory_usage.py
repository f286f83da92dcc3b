"""Memory usage of a chip: size of the program, and memory that was never written.

Memory is random at power-on, so that a byte that has not changed was not written.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from rig.boards.chips import CHIPS
from rig.boards.pin_probe import Memory
from sim_hardware.avr.seam import SimulatedChip

# The initial values of variables (.data), and on a Pico the program, are in both memories.
_IN_FLASH = (".text", ".data", ".boot2", ".loader", ".program")
_IN_RAM = (".data", ".bss", ".noinit", ".retained", ".program")


def static_ram(elf: Path, kind: str) -> tuple[int, int]:
    """Return how many bytes the variables of a program take, and how many there are."""
    sizes = _section_sizes(elf)
    return sum(sizes.get(name, 0) for name in _IN_RAM), CHIPS[kind].ram_bytes


def _section_sizes(elf: Path) -> dict[str, int]:
    said = subprocess.run(["avr-size", "-A", str(elf)], capture_output=True, text=True, check=True).stdout
    words = [line.split() for line in said.splitlines() if line.startswith(".")]
    return {word[0]: int(word[1]) for word in words}


class MemoryUsage:
    """Memory usage of a program since power-on."""

    def __init__(self, chip: SimulatedChip, kind: str, elf: Path) -> None:
        self._chip = chip
        self._kind = kind
        self._elf = elf
        self._noise = self._contents()

    def memory(self) -> Memory:
        """Return the memory in use, and the largest use so far."""
        sizes = _section_sizes(self._elf)
        flash = sum(sizes.get(name, 0) for name in _IN_FLASH)
        ram, room = static_ram(self._elf, self._kind)
        now = self._contents()
        lowest = next((at for at in range(ram, room) if now[at] != self._noise[at]), room)
        return Memory(flash, CHIPS[self._kind].flash_bytes, ram, room, lowest - ram)

    def _contents(self) -> bytes:
        chip = CHIPS[self._kind]
        return self._chip.read_memory(chip.ram_start, chip.ram_bytes)
