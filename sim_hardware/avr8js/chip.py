"""One chip of the second simulator, with the interface of ``sim_hardware.avr.seam.SimulatedChip``."""

from __future__ import annotations

import json
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rig.boards.chips import CHIPS
from rig.core.errors import ConfigError
from sim_hardware.avr.chip import Event, ResetCause, TraceEvent
from sim_hardware.avr8js.node_process import NodeError, node_process

# The codes of server.js.
_NEW, _RUN, _SEND, _PIN, _WATCH, _JOIN, _PART, _RESET, _HANG, _PEEK, _POKE, _READ, _WRITE, _TIMER, _CLOSE = range(15)
_PLAY, _PLAYED, _USB, _VOLTAGE, _TURN = range(15, 20)

_CYCLE = struct.Struct("<d")
_EVENT = struct.Struct("<dBBH")
_SPAN = struct.Struct("<II")
_PHASE = struct.Struct("<dd")
_AT_PIN, _AT_PINS = struct.Struct("<Bi"), struct.Struct("<BBi")
_CHANGE = struct.Struct("<dBBBx")
_KINDS = tuple(TraceEvent)


class Avr8jsChip:
    """A simulated chip after power-on. ``baud`` is the speed of the host's end of the line, 8N1.

    ``programs`` are Intel HEX files: the firmware, and a bootloader behind it. The chip starts at the byte address
    ``start`` after each reset, as its fuses say. ``seed`` decides the content of its memory. The ``port`` of a Pico's
    program is ``uart`` or ``usb``, and its timer begins at ``age_us``. Raises ``ConfigError``.
    """

    def __init__(
        self,
        kind: str,
        programs: Sequence[Path],
        *,
        start: int = 0,
        baud: float = 500_000,
        seed: int = 0,
        port: str = "uart",
        age_us: int = 0,
    ) -> None:
        self._node = node_process()
        self._id = self._node.new_id()
        self._places = [(ord(port) - ord("A"), bit) for port, bit in CHIPS[kind].ports]
        self._cycle = 0
        files, seed = [str(path) for path in programs], seed & 0xFFFF_FFFF
        settings = {
            "kind": kind,
            "files": files,
            "start": start,
            "baud": baud,
            "seed": seed,
            "port": port,
            "age_us": age_us,
        }
        try:
            self._node.ask(_NEW, self._id, json.dumps(settings).encode())
        except NodeError as error:
            raise ConfigError(f"avr8js: {str(error).splitlines()[0]}") from error

    @property
    def cycle(self) -> int:
        """Return the cycles since power-on; resets do not change the count."""
        return self._cycle

    def run(self, until: int) -> list[Event]:
        """Run to a cycle, or to the end of the instruction with the first events; return the events.

        A byte other than 0 is returned with later ones: it is part of a frame, which ends with a 0.

        The cycle of an event may lie ahead (a byte's last bit) or behind (a tone is detected when it has lasted).
        """
        answer = self._node.ask(_RUN, self._id, _CYCLE.pack(until))
        (cycle,) = _CYCLE.unpack_from(answer)
        self._cycle = int(cycle)
        events = _EVENT.iter_unpack(memoryview(answer)[_CYCLE.size :])
        return [Event(int(cycle), _KINDS[kind], pin, value) for cycle, kind, pin, value in events]

    def send(self, data: bytes) -> None:
        """Send bytes of the host; each takes its time on the line."""
        self._node.tell(_SEND, self._id, data)

    def pin(self, number: int, level: int) -> None:
        """Set the level of a pin, and hold it."""
        self._node.tell(_PIN, self._id, bytes((*self._places[number], level)))

    def set_voltage(self, number: int, steps: int) -> None:
        """Set the voltage at an analog pin, in steps of its converter."""
        self._node.tell(_VOLTAGE, self._id, _AT_PIN.pack(number, steps))

    def turn(self, number_a: int, number_b: int, steps: int) -> None:
        """Add steps to the position of an encoder at two pins, upward if the edges of the first are to come first."""
        self._node.tell(_TURN, self._id, _AT_PINS.pack(number_a, number_b, steps))

    def play(self, changes: Sequence[tuple[int, int, int]]) -> None:
        """Set levels of pins at cycles to come, in the place of those of an earlier call that are still to come."""
        packed = (_CHANGE.pack(cycle, *self._places[pin], level) for cycle, pin, level in changes)
        self._node.tell(_PLAY, self._id, b"".join(packed))

    @property
    def played(self) -> list[int]:
        """Return the cycle at which each change of the last `play` was made, or will be."""
        return [int(cycle) for (cycle,) in _CYCLE.iter_unpack(self._node.ask(_PLAYED, self._id))]

    def watch(self, number: int, rest: int = 0, *, speaker: bool = False) -> None:
        """Start to report what the program does to a pin; ``rest`` is the resistor's level while it is no output."""
        self._node.tell(_WATCH, self._id, bytes((*self._places[number], number, rest, speaker)))

    def join(self, output: int, to: int) -> None:
        """Add a jumper between two pins: the second takes the level of the first in the same cycle."""
        self.watch(output)
        self._node.tell(_JOIN, self._id, bytes((*self._places[output], *self._places[to])))

    def part(self, output: int) -> None:
        """Remove the jumper from a pin."""
        self._node.tell(_PART, self._id, bytes(self._places[output]))

    def reset(self, cause: ResetCause) -> None:
        """Start the chip again by a reset now; after a power loss its memory is random."""
        # Only the button leaves the power on, and so the memory as it was.
        self._node.tell(_RESET, self._id, bytes((cause, cause is not ResetCause.BUTTON)))

    def hang(self, *, interrupts: bool) -> None:
        """Stop the program in an endless loop, with its interrupts still running or not."""
        self._node.tell(_HANG, self._id, bytes((interrupts,)))

    def peek(self, address: int) -> int:
        """Read a byte of memory."""
        return self.read_memory(address, 1)[0]

    def read_memory(self, address: int, count: int) -> bytes:
        """Read memory."""
        return self._node.ask(_PEEK, self._id, _SPAN.pack(address, count))

    def poke(self, address: int, value: int) -> None:
        """Write a byte of memory behind the program's back."""
        self._node.tell(_POKE, self._id, struct.pack("<IB", address, value))

    def read_eeprom(self, offset: int, count: int) -> bytes:
        """Read the EEPROM."""
        return self._node.ask(_READ, self._id, _SPAN.pack(offset, count))

    def write_eeprom(self, offset: int, data: bytes) -> None:
        """Write the EEPROM."""
        self._node.tell(_WRITE, self._id, struct.pack("<I", offset) + data)

    def timer(self, name: str) -> tuple[int, int]:
        """Return the cycle at which a timer was last zero, and its period in cycles."""
        zero, period = _PHASE.unpack(self._node.ask(_TIMER, self._id, bytes((int(name),))))
        return int(zero), int(period)

    def usb(self, command: str, **arguments: object) -> dict[str, Any]:
        """Send a command to the computer at the USB cable; return its state. ``usb_host.js`` has the commands."""
        content = json.dumps({"name": command, **arguments}).encode()
        state: dict[str, Any] = json.loads(self._node.ask(_USB, self._id, content))
        return state

    def close(self) -> None:
        """Close the simulation and release its memory."""
        self._node.tell(_CLOSE, self._id)

    def __del__(self) -> None:
        if hasattr(self, "_id"):
            self.close()
