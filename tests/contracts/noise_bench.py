"""A simulated chip with its firmware, played to cycle by cycle, and all that is seen of it from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from rig.boards.wire import frame, orders
from rig.boards.wire import messages as wire
from rig.core.model.actions import Arm, Pulse, Set, Train
from rig.core.model.board import Input, Output, PanicInput
from rig.core.model.channels import Role
from sim_hardware.avr.chip import AvrChip, TraceEvent
from sim_hardware.avr.firmware import firmware, firmware_image
from sim_hardware.avr.seam import SimulatedChip
from sim_hardware.avr8js.chip import Avr8jsChip
from tests.contracts.noise import CYCLES_PER_MS, Change, Signal, cycles
from tests.sim_hardware.avr.line import BYTE_CYCLES, Line

TICK_CYCLES = 8
PULSE_US, LONG_PULSE_US, MAX_ON_US = 20_000, 40_000, 100_000
TRAIN, FAST_TRAIN = Train("flash", 2_000, 4_000, 24), Train("flash", 500, 1_000, 90)
"""The fast one ends a pulse in the middle of each millisecond of a signal."""
ACK_CYCLES = 2 * CYCLES_PER_MS
"""The least time between two acknowledgements of events, as of the host."""
SETTLE_MS = 42
"""After a signal: the last pulse has ended, and an input that was muted is quiet again."""
KEPT_SIGNALS = 50
"""After so many signals the board is opened again."""

INPUTS = (
    Input("left", Role.LINE, 2),
    Input("right", Role.LINE, 3, confirm_off_us=100),
    Input("plain", Role.LINE, 4, confirm_on_us=0),
    Input("far", Role.LINE, 14),
    Input("bare", Role.LINE, 15, confirm_on_us=0),
    Input("third", Role.LINE, 13),
)
ANSWERS = {"left": "valve", "right": "other_valve", "plain": "light", "far": "feeder", "bare": "lamp"}
"""The output of each input's reflex; the third one has none."""
CHANNELS = (
    *INPUTS,
    Output("valve", Role.LINE, 8, max_on_us=MAX_ON_US),
    Output("other_valve", Role.LINE, 9, max_on_us=MAX_ON_US),
    Output("light", Role.LINE, 10),
    Output("feeder", Role.LINE, 11, max_on_us=MAX_ON_US),
    Output("lamp", Role.LINE, 12),
    Output("laser", Role.LINE, 5, max_on_us=MAX_ON_US),
    Output("flash", Role.LINE, 6),
    Output("speaker", Role.LINE, 7, max_on_us=1_000_000),
)
ORDERED_US = {**dict.fromkeys(ANSWERS.values(), PULSE_US), "laser": LONG_PULSE_US, "flash": TRAIN.on_us}
PANIC = PanicInput("bench", 16)
PORTS = (("left", "right", "plain"), ("far", "bare"))
"""The inputs with a reflex, port by port: those of one port share an interrupt on an Uno. `third` is on another."""

_ON_A_MEGA = {4: 18, 13: 20, 14: 50, 15: 51, 16: 19, 8: 22, 9: 23, 10: 24, 11: 25, 12: 26, 5: 27, 6: 28, 7: 29}
"""Other pins there: of inputs, pins whose interrupt is simulated; of outputs, those of a port that has no input."""


# Of each port as on an Uno: 2 to 7, 8 to 15, and the third input's.
_ON_A_PICO = {13: 20, 16: 13}
_OTHER_PINS: Mapping[str, Mapping[int, int]] = {"uno": {}, "mega": _ON_A_MEGA, "pico": _ON_A_PICO}


class Spell(NamedTuple):
    """A time for which an output was on; ``ended`` is None while it is."""

    began: int
    ended: int | None


@dataclass
class Record:
    """What a signal did, in cycles of the chip."""

    signal: Signal
    began: int
    driven: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict)
    """The changes of each input, when they were made."""
    spells: Mapping[str, Sequence[Spell]] = field(default_factory=dict)
    """The times for which each output was on."""
    messages: Sequence[tuple[int, tuple[Any, ...]]] = ()
    """What the board reported, and when."""
    resets: int = 0
    clock_error_cycles: int | None = 0
    """How far the board's clock has moved against the crystal; None if the board did not tell its time afterwards."""
    zero: int = 0
    """The cycle of stamp 0."""
    ended: int = 0

    def events(self, kind: wire.Kind) -> list[tuple[Any, ...]]:
        return [message for _, message in self.messages if message[0] == kind.code]


def make_chip(kind: str, program: Path | None, baud: int, seed: int) -> SimulatedChip:
    """Build a chip with a program on it, by default that of this repository."""
    if kind == "pico":
        return Avr8jsChip(kind, [program or firmware_image("pico-uart")], baud=baud, seed=seed)
    return AvrChip(kind, program or firmware(kind), baud=baud, seed=seed)


class NoiseBench(Line):
    """The host's end of the line of one chip, and the leads on its pins.

    ``program`` is another one than that of this repository: for a Pico, the content of its flash.
    """

    def __init__(self, kind: str, program: Path | None = None) -> None:
        self.pins = {channel.name: channel.pin for channel in CHANNELS}
        other = _OTHER_PINS[kind]
        self.pins = {name: other.get(pin, pin) for name, pin in self.pins.items()}
        panic = replace(PANIC, pin=other.get(PANIC.pin, PANIC.pin))
        self.pins["panic"] = panic.pin
        self.is_silent = False
        """Whether the host acknowledges nothing, so that it does not renew the lease."""
        self.panic_order = orders.configure_panic(panic)
        self.resets = 0
        self.heard_at: list[int] = []
        self._acknowledged = 0
        self._acknowledged_at = 0
        self._signals = KEPT_SIGNALS
        channels = [replace(channel, pin=self.pins[channel.name]) for channel in CHANNELS]
        super().__init__(kind, channels, lambda board, baud, seed: make_chip(board, program, baud, seed))
        for name in (*(channel.name for channel in INPUTS), "panic"):
            self.chip.pin(self.pins[name], 0)

    # --- time -----------------------------------------------------------------------------------------------

    def run(self, cycles: int) -> None:
        """Let time pass, and acknowledge events as a host does."""
        until = self.chip.cycle + cycles
        while self.chip.cycle < until:
            for event in self.chip.run(until):
                if event.kind is TraceEvent.BYTE:
                    self._hear(bytes([event.value]))
                elif event.kind is TraceEvent.LEVEL:
                    self.levels.append((event.cycle, event.pin, event.value))
                elif event.kind is TraceEvent.OVERRUN:
                    self.overruns += 1
                elif event.kind is TraceEvent.RESET:
                    self.resets += 1
                else:
                    raise AssertionError(f"{event.kind.name} at cycle {event.cycle}: {event.value}")
            self._acknowledge()

    def wait(self, until: int) -> None:
        """Run the chip for one byte, so that the host acknowledges in time."""
        self.run(BYTE_CYCLES)

    def _hear(self, data: bytes) -> None:
        super()._hear(data)
        self.heard_at += [self.chip.cycle] * (len(self.answers) - len(self.heard_at))

    def _acknowledge(self) -> None:
        if (
            not self.is_silent
            and self.heard != self._acknowledged
            and self.chip.cycle >= self._acknowledged_at + ACK_CYCLES
        ):
            self._acknowledged, self._acknowledged_at = self.heard, self.chip.cycle
            self.chip.send(frame.encode(wire.EVENT_ACK.pack(self.heard, 0)))

    # --- a session ------------------------------------------------------------------------------------------

    def open(self, lease_ms: int = 2_000) -> int:
        self._acknowledged = self._signals = 0
        self.answers.clear()
        self.heard_at.clear()
        self.levels.clear()
        stamp = super().open(lease_ms)
        self._batch(self.panic_order, 1)
        zero, round_ = self.chip.timer("1")
        now = self.chip.cycle
        self.zero = now - (now - zero - stamp * TICK_CYCLES) % round_ - stamp * TICK_CYCLES
        return stamp

    def arm(self, train: Train = TRAIN) -> None:
        """Arm a reflex at each input, and start a long pulse and a train."""
        members = [
            Arm(number, None, ((name, 1, Pulse(output, PULSE_US)),))
            for number, (name, output) in enumerate(ANSWERS.items(), 1)
        ]
        known = len(self.answers)
        for place in range(0, len(members), 2):  # a batch has room for two
            self.order(*members[place : place + 2])
        # The train of the last signal may still run.
        self.order(Pulse("laser", LONG_PULSE_US), Set("flash", False), train)
        refused = [message for message in self.answers[known:] if message[0] == wire.REFUSED.code]
        assert not refused, refused

    def clock_offset(self) -> int | None:
        """Return by how many cycles the board's clock is ahead of the crystal, exact to the time of an answer."""
        asked = self.chip.cycle
        answer = self.ask_once(wire.GET_TIME.pack(self.heard), wire.TIME)
        if answer is None:
            return None
        ahead = (answer[2] - (asked - self.zero) // TICK_CYCLES) & 0xFFFF_FFFF
        return (ahead - (ahead >> 31 << 32)) * TICK_CYCLES

    def perform(self, signal: Signal) -> Record:
        """Play a signal to the armed board, and return what was seen until it is quiet again."""
        if self._signals >= KEPT_SIGNALS:
            self.open()
        self._signals += 1
        changed = len(self.levels)
        train = FAST_TRAIN if signal.fast_train else TRAIN
        self.arm(train)
        offset, known, resets = self.clock_offset(), len(self.answers), self.resets
        record = Record(signal, self.next_flash(train.period_us))
        self.play(signal.changes, record.began)
        for arrives in signal.sends:
            self.run(record.began + arrives - BYTE_CYCLES - self.chip.cycle)
            self.chip.send(b"\0")
        self.run(record.began + signal.ends + SETTLE_MS * CYCLES_PER_MS - self.chip.cycle)
        record.ended, record.zero = self.chip.cycle, self.zero
        record.driven = self.driven(signal.changes)
        record.spells = self.spells(changed)
        record.messages = list(zip(self.heard_at, self.answers, strict=True))[known:]
        record.clock_error_cycles = self._clock_error(offset)
        record.resets = self.resets - resets
        return record

    def _clock_error(self, before: int | None) -> int | None:
        after = self.clock_offset()
        return None if before is None or after is None else after - before

    def next_flash(self, every_us: int) -> int:
        first = next(cycle for cycle, pin, level in reversed(self.levels) if pin == self.pins["flash"] and level)
        every = cycles(every_us)
        return first + every * ((self.chip.cycle - first) // every + 1)

    def play(self, changes: Sequence[Change], began: int) -> None:
        """Set levels from a cycle on."""
        self.chip.play([(began + change.cycle, self.pins[change.name], change.level) for change in changes])

    def driven(self, changes: Sequence[Change]) -> dict[str, list[tuple[int, int]]]:
        """Return the changes that were played, input by input, when they were made."""
        made: dict[str, list[tuple[int, int]]] = {name: [] for name in self.pins}
        for change, cycle in zip(changes, self.chip.played, strict=True):
            made[change.name].append((cycle, change.level))
        return made

    def spells(self, first: int = 0) -> dict[str, list[Spell]]:
        """Return when each output was on, from the first of the changes that are told."""
        names = {self.pins[name]: name for name in self.pins}
        found: dict[str, list[Spell]] = {name: [] for name in self.pins}
        began: dict[str, int] = {}
        for cycle, pin, level in self.levels:
            name = names[pin]
            if level:
                began.setdefault(name, cycle)
            elif name in began:
                found[name].append(Spell(began.pop(name), cycle))
        for name, cycle in began.items():
            found[name].append(Spell(cycle, None))
        start = self.levels[first][0] if first < len(self.levels) else self.chip.cycle
        return {
            name: [spell for spell in spells if spell.ended is None or spell.ended >= start]
            for name, spells in found.items()
        }

    # --- what ends everything -------------------------------------------------------------------------------

    def busy(self, storm: Signal, lease_ms: int = 2_000) -> int:
        """Open the board, switch outputs on, and begin a storm; return the cycle at which it began."""
        self.open(lease_ms)
        self.order(Set("light", True), Pulse("valve", MAX_ON_US))
        began = self.chip.cycle
        self.play(storm.changes, began)
        return began

    def ramp(self, name: str, hz: int, step_hz: int, tone_ms: int, period_ms: int, count: int) -> None:
        """Start a ramp which the host would refuse if its tones fall through 0 Hz."""
        place = [channel.name for channel in CHANNELS].index(name)
        self._batch(wire.ORDER_RAMP.pack(place, hz, step_hz, tone_ms, period_ms, count), 1)

    def all_off(self, every_ms: int, times: int) -> None:
        """Say all-off, again and again as a host does that gets no answer."""
        for _ in range(times):
            self.chip.send(frame.encode(wire.ALL_OFF.pack(1)))
            self.run(every_ms * CYCLES_PER_MS)

    def last_on(self) -> int:
        """Return the cycle since which nothing is on; the present one if something is."""
        spells = [spell for found in self.spells().values() for spell in found]
        return max(self.chip.cycle if spell.ended is None else spell.ended for spell in spells)
