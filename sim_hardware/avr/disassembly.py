"""Disassembly of a program for an AVR: its instructions, its functions and the names of its interrupts."""

from __future__ import annotations

import re
import subprocess
from bisect import bisect_right
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rig.boards.chips import AVRS

VECTOR_BYTES = 4

_UNUSED = ("__bad_interrupt", "__vectors")
_SYMBOL = re.compile(r"^([0-9a-f]+) <(.*)>:$")
_INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+) *\t([^\t]+)(?:\t([^;]*))?(?:; ?(.*))?$")
_RELATIVE = re.compile(r"\.([+-]\d+)")
_SCOPE = re.compile(r"\(anonymous namespace\)::")
_VECTOR = re.compile(r"#define (\w+_vect)_num (\d+)")


class Instruction(NamedTuple):
    """One instruction; ``target`` is where it jumps or branches to, or what it calls."""

    address: int
    size: int
    mnemonic: str
    operands: tuple[str, ...]
    target: int | None

    @property
    def next(self) -> int:
        """Return the address of the instruction behind it."""
        return self.address + self.size


class Disassembly:
    """All instructions of a program, by address."""

    def __init__(self, text: str, vectors: dict[int, str]) -> None:
        self.instructions: dict[int, Instruction] = {}
        self._names: dict[int, str] = {}
        self._vectors = vectors
        for line in text.splitlines():
            if (symbol := _SYMBOL.match(line)) is not None:
                self._names[int(symbol[1], 16)] = _plain_name(symbol[2])
            elif (found := _INSTRUCTION.match(line)) is not None:
                self._add(*found.groups(default=""))

    @classmethod
    def of(cls, elf: Path, kind: str) -> Disassembly:
        """Return the disassembly of a program for a kind of chip."""
        command = ["avr-objdump", "--disassemble", "--disassemble-zeroes", "--demangle", str(elf)]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return cls(text, _vectors(AVRS[kind].mcu))

    def name(self, address: int) -> str:
        """Return the name of the function that an address belongs to; an interrupt has that of its vector."""
        place = bisect_right(self._starts, address)
        name = self._names[self._starts[place - 1]] if place else f"0x{address:x}"
        number = name.removeprefix("__vector_")
        return self._vectors.get(int(number), name) if number != name and number.isdigit() else name

    def origin(self, address: int) -> str:
        """Return the name of the function that an address belongs to, or of the interrupt whose vector is there."""
        name = self.name(address)
        return self._vectors.get(address // VECTOR_BYTES, name) if name == "__vectors" else name

    def end(self, address: int) -> int:
        """Return where the function that an address belongs to ends."""
        place = bisect_right(self._starts, address)
        return self._starts[place] if place < len(self._starts) else max(self.instructions) + 1

    def start(self, address: int) -> int:
        """Return where the function that an address belongs to begins."""
        return self._starts[bisect_right(self._starts, address) - 1]

    def entries(self, name: str) -> list[int]:
        """Return where the functions of a name begin."""
        return [start for start in self._starts if self.name(start) == name]

    def constructors(self) -> list[int]:
        """Return where the functions begin that initialize global objects."""
        names = ("_GLOBAL__", "global constructors keyed to")
        return [start for start, name in self._names.items() if name.startswith(names)]

    def interrupts(self) -> dict[str, int]:
        """Return the interrupts that the program handles, and where their vectors are."""
        found = {}
        for number in sorted(self._vectors):
            jump = self.instructions.get(number * VECTOR_BYTES)
            if number and jump is not None and jump.target is not None and self.name(jump.target) not in _UNUSED:
                found[self._vectors[number]] = jump.address
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return sorted(self._names)

    def _add(self, address: str, data: str, mnemonic: str, operands: str, comment: str) -> None:
        at, size = int(address, 16), len(data.split())
        words = tuple(word.strip() for word in operands.split(",")) if operands.strip() else ()
        target = None
        if words and (relative := _RELATIVE.fullmatch(words[-1])) is not None:
            target = at + size + int(relative[1])
        elif mnemonic in ("jmp", "call"):
            target = int(words[0], 16)
        self.instructions[at] = Instruction(at, size, mnemonic.strip(), words, target)


def _plain_name(demangled: str) -> str:
    """Return a function's name without its arguments."""
    return re.sub(r"\(.*", "", _SCOPE.sub("", demangled)).split(" [clone")[0]


def _vectors(mcu: str) -> dict[int, str]:
    command = ["avr-gcc", f"-mmcu={mcu}", "-E", "-dM", "-include", "avr/io.h", "-x", "c", "/dev/null"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {int(number): name for name, number in _VECTOR.findall(text)}
