"""One simulated AVR chip: a typed handle on the shim around libsimavr."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_char_p, c_int, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import NamedTuple

from rig.boards.chips import AVRS
from rig.core.errors import ConfigError
from sim_hardware.avr.build import shim

HZ = 16_000_000
# MOST_EVENTS of the shim, which fills a buffer of this length.
_MOST = 256


class TraceEvent(IntEnum):
    """Kinds of events of a chip; the numbers are the shim's."""

    BYTE = 0
    """A byte has been sent: its value."""
    LEVEL = 1
    """A pin's level."""
    TONE = 2
    """The output of a speaker's pin: a frequency in hertz, or 0 or 1 for steadily off or on."""
    RESET = 3
    """The chip has been reset: its MCUSR."""
    OVERRUN = 4
    """A byte was lost because the program did not read the bytes before it."""
    CRASH = 5
    """The program crashed: its address."""
    BOOTLOADER = 6
    """The program has started the bootloader of a Pico's boot ROM."""


class Event(NamedTuple):
    """Something that happened at a cycle.

    ``pin`` is the pin's number; for a byte or a reset it is the number of resets so far, modulo 256.
    """

    cycle: int
    kind: TraceEvent
    pin: int
    value: int


class ResetCause(IntEnum):
    """Causes of a reset: the bits of MCUSR."""

    POWER = 1
    BUTTON = 2
    BROWN_OUT = 4


class InterruptsOff(NamedTuple):
    """The longest time with interrupts off, in cycles.

    ``began`` and ``ended`` are the addresses in flash of the first instruction or vector, and of the last instruction.
    """

    cycles: int
    began: int
    ended: int


class _Event(ctypes.Structure):
    _fields_ = (("cycle", c_uint64), ("kind", c_uint8), ("pin", c_uint8), ("value", c_uint16))


class _Change(ctypes.Structure):
    _fields_ = (("cycle", c_uint64), ("port", c_uint8), ("bit", c_uint8), ("level", c_uint8))


_FUNCTIONS: dict[str, tuple[object, tuple[object, ...]]] = {
    "sim_new": (c_void_p, (c_char_p, c_uint32, c_uint32, c_char_p, c_uint64)),
    "sim_free": (None, (c_void_p,)),
    "sim_run": (c_size_t, (c_void_p, c_uint64, POINTER(_Event))),
    "sim_send": (None, (c_void_p, c_char_p, c_size_t)),
    "sim_pin": (None, (c_void_p, c_int, c_int, c_int)),
    "sim_play": (None, (c_void_p, POINTER(_Change), c_size_t)),
    "sim_watch": (None, (c_void_p, c_int, c_int, c_int, c_int, c_int)),
    "sim_join": (None, (c_void_p, c_int, c_int, c_int, c_int)),
    "sim_part": (None, (c_void_p, c_int, c_int)),
    "sim_reset": (None, (c_void_p, c_int, c_int)),
    "sim_hang": (None, (c_void_p, c_int)),
    "sim_cycle": (c_uint64, (c_void_p,)),
    "sim_peek": (c_uint8, (c_void_p, c_uint32)),
    "sim_poke": (None, (c_void_p, c_uint32, c_uint8)),
    "sim_eeprom": (None, (c_void_p, c_int, c_char_p, c_uint16, c_uint32)),
    "sim_measure_interrupts": (None, (c_void_p,)),
    "sim_interrupts_off": (c_uint64, (c_void_p, c_int, POINTER(c_uint32), POINTER(c_uint32))),
    "sim_timer": (None, (c_void_p, c_int, POINTER(c_uint64), POINTER(c_uint64))),
}


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(shim()))
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class AvrChip:
    """A simulated chip after power-on. ``baud`` is the speed of the host's end of the line, 8N1.

    ``seed`` decides the content of its memory. Pins have Arduino's numbers. Raises ``ConfigError``.
    """

    def __init__(self, kind: str, elf: Path, *, baud: int = 500_000, seed: int = 0) -> None:
        chip = AVRS[kind]
        self._shim = _library()
        self._places = [(ord(port) - ord("A"), bit) for port, bit in chip.ports]
        self._events = (_Event * _MOST)()
        self._played = (_Change * 0)()  # the shim reads it as long as changes are to come
        self._sim = self._shim.sim_new(chip.mcu.encode(), HZ, baud, str(elf).encode(), seed)
        if not self._sim:
            raise ConfigError(f"{elf}: not a program for the {chip.mcu}")

    @property
    def cycle(self) -> int:
        """Return the cycles since power-on; resets do not change the count."""
        cycle: int = self._shim.sim_cycle(self._sim)
        return cycle

    def run(self, until: int) -> list[Event]:
        """Run to a cycle, or to the end of the instruction with the first events; return the events.

        A byte other than 0 is returned with later ones: it is part of a frame, which ends with a 0.

        The cycle of an event may lie ahead (a byte's last bit) or behind (a tone is detected when it has lasted).
        """
        count = self._shim.sim_run(self._sim, until, self._events)
        return [Event(e.cycle, TraceEvent(e.kind), e.pin, e.value) for e in self._events[:count]] if count else []

    def send(self, data: bytes) -> None:
        """Send bytes of the host; each takes its time on the line."""
        self._shim.sim_send(self._sim, data, len(data))

    def pin(self, number: int, level: int) -> None:
        """Set the level of a pin, and hold it."""
        self._shim.sim_pin(self._sim, *self._places[number], level)

    def set_voltage(self, number: int, steps: int) -> None:
        """Raise ``ConfigError``: the firmware of this chip samples nothing."""
        raise ConfigError(f"pin {number} is sampled, which the firmware of this chip does not")

    def turn(self, number_a: int, number_b: int, steps: int) -> None:
        """Raise ``ConfigError``: the firmware of this chip counts nothing."""
        self.set_voltage(number_a, steps)

    def play(self, changes: Sequence[tuple[int, int, int]]) -> None:
        """Set levels of pins at cycles to come: cycle, pin and level, in the order of the cycles.

        They take the place of those of an earlier call that are still to come. A level is set at the end of the
        instruction that runs at its cycle.
        """
        places = self._places
        made = [_Change(cycle, *places[pin], level) for cycle, pin, level in changes]
        self._played = (_Change * len(made))(*made)
        self._shim.sim_play(self._sim, self._played, len(changes))

    @property
    def played(self) -> list[int]:
        """Return the cycle at which each change of the last `play` was made, or will be."""
        return [change.cycle for change in self._played]

    def watch(self, number: int, rest: int = 0, *, speaker: bool = False) -> None:
        """Start to report what the program does to a pin; ``rest`` is the resistor's level while it is no output."""
        self._shim.sim_watch(self._sim, *self._places[number], number, rest, speaker)

    def join(self, output: int, to: int) -> None:
        """Add a jumper between two pins: the second takes the level of the first in the same cycle."""
        self.watch(output)
        self._shim.sim_join(self._sim, *self._places[output], *self._places[to])

    def part(self, output: int) -> None:
        """Remove the jumper from a pin."""
        self._shim.sim_part(self._sim, *self._places[output])

    def reset(self, cause: ResetCause) -> None:
        """Start the chip again by a reset now; after a power loss its memory is random."""
        # Only the button leaves the power on, and so the memory as it was.
        self._shim.sim_reset(self._sim, cause, cause is not ResetCause.BUTTON)

    def hang(self, *, interrupts: bool) -> None:
        """Stop the program in an endless loop, with its interrupts still running or not."""
        self._shim.sim_hang(self._sim, interrupts)

    def peek(self, address: int) -> int:
        """Read a byte of memory."""
        value: int = self._shim.sim_peek(self._sim, address)
        return value

    def read_memory(self, address: int, count: int) -> bytes:
        """Read memory."""
        return bytes(map(self.peek, range(address, address + count)))

    def poke(self, address: int, value: int) -> None:
        """Write a byte of memory behind the program's back."""
        self._shim.sim_poke(self._sim, address, value)

    def read_eeprom(self, offset: int, count: int) -> bytes:
        """Read the EEPROM."""
        room = ctypes.create_string_buffer(count)
        self._shim.sim_eeprom(self._sim, 0, room, offset, count)
        return room.raw

    def write_eeprom(self, offset: int, data: bytes) -> None:
        """Write the EEPROM."""
        self._shim.sim_eeprom(self._sim, 1, data, offset, len(data))

    def measure_interrupts_off(self) -> None:
        """Start to measure how long interrupts are off, until the next reset; it slows the simulation."""
        self._shim.sim_measure_interrupts(self._sim)

    def longest_interrupts_off(self, *, unpolled: bool = False) -> InterruptsOff:
        """Return the longest time since the measurement began, in cycles.

        ``unpolled``: of the time in which the flags of pins were not accessed either.
        """
        began, ended = c_uint32(), c_uint32()
        cycles: int = self._shim.sim_interrupts_off(self._sim, unpolled, began, ended)
        return InterruptsOff(cycles, began.value, ended.value)

    def timer(self, name: str) -> tuple[int, int]:
        """Return the cycle at which a timer was last zero, and its period in cycles."""
        zero, round_ = c_uint64(), c_uint64()
        self._shim.sim_timer(self._sim, ord(name), zero, round_)
        return zero.value, round_.value

    def close(self) -> None:
        """Close the simulation and release its memory."""
        self._shim.sim_free(self._sim)
        self._sim = None

    def __del__(self) -> None:
        if getattr(self, "_sim", None):
            self.close()
