"""The chip: executes orders, reports edges, runs reflexes and sequences, and switches everything off."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from rig.boards.chips import ChipKind
from rig.boards.wire import messages as wire
from rig.boards.wire.orders import WireOrder
from rig.core.clock import Timer
from rig.core.model.board import MAX_ON_US
from rig.core.model.sync_code import MAX_BITS, code_length_us
from sim_hardware.board import outputs
from sim_hardware.board.inputs import InputChannel, Inputs
from sim_hardware.board.openings import Cause, Openings
from sim_hardware.board.outputs import OutputChannel
from sim_hardware.board.sources import Sources
from sim_hardware.board.ticks import Ticks
from sim_hardware.board.unfinished import NO_ROOM, UNKNOWN, UnfinishedBatch, execution_rank

NEWER_EDGE, PAST, WHOLE_BATCH = (wire.CONSTANTS[word] for word in ("REASON_NEWER_EDGE", "REASON_PAST", "WHOLE_BATCH"))
BY_ORDER, BY_REFLEX, BY_SEQUENCE = (wire.CONSTANTS[f"CAUSE_{word}"] for word in ("ORDER", "REFLEX", "SEQUENCE"))

# What of an early frame is executed as it arrives: it takes away, or has no effect by itself.
_AT_ONCE = wire.CONTINUED | {wire.ORDER_NOTHING.code, wire.ORDER_DISARM.code, wire.ORDER_LOAD.code}
_DRIVES = frozenset(
    kind.code for kind in (wire.ORDER_SET, wire.ORDER_PULSE, wire.ORDER_TRAIN, wire.ORDER_TONE, wire.ORDER_RAMP)
)


Parts = list[tuple[int, WireOrder]]
"""Members, each with its edge, or entries, each with its delay."""


class BoardGroup:
    """A reflex group. It has ``staged`` members until it is armed, and fires nothing until then."""

    __slots__ = ("is_new", "members", "number", "staged", "until")

    def __init__(self, number: int, *, is_new: bool) -> None:
        self.number = number
        self.is_new = is_new
        """Whether it replaces none: else it goes before those that were armed later than the one that it replaces."""
        self.until: int | None = None
        self.staged: Parts | None = []
        self.members: dict[int, WireOrder] = {}

    def __len__(self) -> int:
        return len(self.members if self.staged is None else self.staged)


class BoardSequence:
    """A sequence, and the timers of its remaining entries while it runs; it cannot start while it ``is_loading``."""

    def __init__(self, number: int, entries: Parts, *, is_loading: bool) -> None:
        self.number = number
        self.entries = sorted(entries, key=lambda entry: entry[0])
        self.is_loading = is_loading
        self.timers: list[Timer] = []
        self.begun: dict[int, int] = {}
        self.cause: Cause = (BY_ORDER, 0, 0)


@dataclass(frozen=True)
class Capacity:
    """Capacity of the chip."""

    channels: int = 32
    groups: int = 32
    reflexes: int = 255
    """Members of all groups together."""
    sequences: int = 16
    entries: int = 128
    voices: int = 32
    """How many tones it plays at a time."""
    events: int = 256
    openings: int = 32
    """How many openings of dangerous outputs it keeps."""
    sources: int = 8
    """How many analog inputs and encoders it samples."""
    can_be_input: Callable[[int], bool] = range(256).__contains__
    """Whether a pin can be an input."""
    can_be_analog: Callable[[int], bool] = range(256).__contains__
    """Whether the voltage of a pin can be sampled."""
    can_be_encoder: Callable[[int, int], bool] = operator.ne
    """Whether the steps of an encoder at two pins can be counted."""

    @classmethod
    def of(cls, kind: ChipKind) -> Capacity:
        """Return the capacity of the firmware on a kind of chip."""
        return cls(
            channels=kind.channels,
            groups=kind.groups,
            reflexes=kind.reflexes,
            sequences=kind.sequences,
            entries=kind.entries,
            voices=kind.voices,
            events=kind.events,
            openings=kind.openings,
            sources=kind.sources,
            can_be_input=kind.can_be_input,
            can_be_analog=kind.analog_pins.__contains__,
            can_be_encoder=kind.can_be_encoder,
        )


class Chip:
    """Executes orders and watches pins; ``emit(kind, fields…)`` takes its events and returns their numbers.

    ``on_panic`` is called when the panic input has made everything safe; the chip then executes nothing until `forget`.
    ``send_block`` takes the payload of each block of samples.
    """

    def __init__(
        self,
        ticks: Ticks,
        emit: Callable[..., int],
        drive: Callable[[int, int], None],
        capacity: Capacity,
        on_panic: Callable[[], None] = lambda: None,
        send_block: Callable[[bytes], None] = lambda payload: None,
    ) -> None:
        self.ticks = ticks
        self.inputs = Inputs(ticks, self._on_edge, self._on_flood)
        self.sources = Sources(
            ticks,
            self.inputs,
            send_block,
            capacity.sources,
            capacity.channels,
            capacity.can_be_analog,
            capacity.can_be_encoder,
        )
        self.openings = Openings(ticks, capacity.openings)
        self.limits_hit = 0
        self.refused = 0
        self.panicked = False
        self._cause: Cause = (BY_ORDER, 0, 0)
        """Whose order is executed now."""
        self._report_panic = on_panic
        self._emit = emit
        self._drive = drive
        self._capacity = capacity
        self._outputs: dict[int, OutputChannel] = {}
        self._sounding: set[int] = set()
        self._groups: dict[int, BoardGroup] = {}
        self._sequences: dict[int, BoardSequence] = {}
        self._last_edge: dict[int, int] = {}
        self._unfinished = UnfinishedBatch()
        self._do = self._executors()

    def _executors(self) -> dict[int, Callable[[WireOrder], int]]:
        """Return what executes each kind of order, and returns 0 or the reason of a refusal."""
        return {
            wire.ORDER_NOTHING.code: lambda order: 0,
            wire.ORDER_SET.code: self._set,
            wire.ORDER_PULSE.code: self._pulse,
            wire.ORDER_TRAIN.code: self._train,
            wire.ORDER_TONE.code: self._tone,
            wire.ORDER_RAMP.code: self._ramp,
            wire.ORDER_START.code: lambda order: self._start(order[1], self.ticks.now()),
            wire.ORDER_START_AT.code: lambda order: self._start(order[1], self.ticks.count(order[2])),
            wire.ORDER_STOP.code: lambda order: self._stop(order[1]),
            wire.ORDER_CODE.code: self._code,
            wire.ORDER_LOAD.code: lambda order: self._load(order[1], order[3], is_loading=False),
            wire.ORDER_ENTRIES.code: lambda order: self._load(order[1], order[3], is_loading=True),
            wire.ORDER_MEMBERS.code: lambda order: self._stage(order[1], order[3]),
            wire.ORDER_DISARM.code: self._disarm,
            wire.ORDER_INPUT.code: self._input,
            wire.ORDER_OUTPUT.code: self._output,
            wire.ORDER_PANIC.code: self._panic,
            wire.ORDER_SAMPLE.code: self.sources.sample,
            wire.ORDER_COUNT.code: self.sources.count,
            wire.ORDER_THRESHOLD.code: self.sources.threshold,
        }

    # --- orders ---------------------------------------------------------------------------------------------

    def prepare(self, orders: list[WireOrder] | None, batch: int) -> None:
        """Handle a frame that is not the last of its batch; None is a frame that cannot be parsed."""
        unfinished = self._unfinished
        unfinished.has_frames = True
        for place, order in unfinished.take(orders):
            if unfinished.failure:
                return
            self._cause = BY_ORDER, batch, place
            if order[0] in _AT_ONCE or self._can_go_ahead(order):
                reason = self._do[order[0]](order)
                if reason and order[0] in wire.CONTINUED:
                    unfinished.failure = reason
                elif reason:
                    self.refuse(self._cause, reason)
            else:
                unfinished.failure = self._defer(place, order)

    def execute(self, orders: list[WireOrder] | None, seen: int, batch: int) -> None:
        """Run the last frame of a batch, and what earlier ones have deferred, in one pass.

        ``seen`` is the number of the last event that the task had read, as ``emit`` returns it.
        """
        unfinished = self._unfinished
        todo = unfinished.take(orders)
        if unfinished.deferred:
            # A stable sort: of each kind the deferred orders come first.
            todo = sorted([*unfinished.deferred, *todo], key=execution_rank)
        for place, order in todo:
            if self.panicked or unfinished.failure:
                break
            self._cause = BY_ORDER, batch, place
            reason = self._arm(order, seen) if order[0] == wire.ORDER_ARM.code else self._do[order[0]](order)
            if reason and order[0] in wire.CONTINUED:
                unfinished.failure = reason
            elif reason:
                self.refuse(self._cause, reason)
        if unfinished.failure:
            self.refuse((BY_ORDER, batch, WHOLE_BATCH), unfinished.failure)
        self._end_batch()

    def _can_go_ahead(self, order: WireOrder) -> bool:
        """Whether an order need not wait for the last frame: one that only switches off, and behind none that waits."""
        is_off = order[0] == wire.ORDER_SET.code and not order[1] & wire.LEVEL
        return (is_off or order[0] == wire.ORDER_STOP.code) and not self._unfinished.deferred

    def _defer(self, place: int, order: WireOrder) -> int:
        """Record an order until the last frame of its batch has come; the members of a group are staged already."""
        if order[0] == wire.ORDER_ARM.code:
            reason = self._stage(order[1], order[-1])
            order = (*order[:-1], [])
            if reason:
                return reason
        if not self._free_entries:
            return NO_ROOM
        self._unfinished.deferred.append((place, order))
        return 0

    def _end_batch(self) -> None:
        """Remove what the frames of a batch have brought and no order of it has completed."""
        unfinished = self._unfinished
        # Most batches are of one frame, and leave nothing.
        if unfinished.is_empty:
            unfinished.places = 0
            return
        self._unfinished = UnfinishedBatch()
        for number in unfinished.groups:
            group = self._groups.get(number)
            if group is not None and group.staged is not None:
                del self._groups[number]
        for number in unfinished.sequences:
            sequence = self._sequences.get(number)
            if sequence is not None and sequence.is_loading:
                del self._sequences[number]

    def refuse(self, cause: Cause, reason: int) -> None:
        """Send the report that an order was not executed."""
        self.refused += 1
        self._emit(wire.REFUSED, *cause, reason, self.ticks.stamp(self.ticks.now()))

    def safe(self) -> None:
        """Switch everything off, and discard groups and sequences."""
        for number in list(self._sequences):
            self._stop(number)
        self._unfinished = UnfinishedBatch()
        self._sequences.clear()
        self._groups.clear()
        for output in self._outputs.values():
            output.off(outputs.STOPPED)

    def forget(self) -> None:
        """Switch everything off, and discard the configuration of all channels."""
        self.safe()
        self.sources.forget()
        self.inputs.forget()
        self._outputs.clear()
        self._sounding.clear()
        self._last_edge.clear()
        self.limits_hit = self.refused = 0
        self.panicked = False

    def _input(self, order: WireOrder) -> int:
        _, number, pin, flags, *times_us = order
        if number >= self._capacity.channels:
            return NO_ROOM
        if not self._capacity.can_be_input(pin):
            return UNKNOWN
        self.inputs.configure(pin, InputChannel.of(number, flags, times_us, self.ticks))
        return 0

    def _panic(self, order: WireOrder) -> int:
        _, pin, flags = order
        if not self._capacity.can_be_input(pin):
            return UNKNOWN
        self.inputs.watch(pin, bool(flags & wire.INVERTED), self._on_panic)
        return 0

    def _on_panic(self) -> None:
        # Latched: a button that bounces or is released changes nothing.
        if not self.panicked:
            self.panicked = True
            self.safe()
            self._report_panic()

    def _output(self, order: WireOrder) -> int:
        _, number, pin, flags, max_on_ms = order
        if number >= self._capacity.channels:
            return NO_ROOM
        # The board bounds dangerous outputs whatever the host orders (docs/decisions/lease.md).
        if flags & wire.DANGEROUS and max_on_ms * 1000 > MAX_ON_US:
            return outputs.TOO_LONG
        if number in self._outputs:
            self._outputs[number].off(outputs.STOPPED)
        limit = self.ticks.from_us(max_on_ms * 1000) if flags & wire.DANGEROUS else None
        locked = partial(self._another_is_on, number) if flags & wire.EXCLUSIVE else None
        openings = self.openings if flags & wire.DANGEROUS else None
        self._outputs[number] = OutputChannel(
            number,
            pin,
            bool(flags & wire.INVERTED),
            limit,
            self.ticks,
            self._drive,
            self._on_done,
            locked,
            openings,
            self._on_begun,
        )
        return 0

    def _on_begun(self, number: int, cause: Cause) -> None:
        self._emit(wire.ON, number, *cause, self.ticks.stamp(self.ticks.now()))

    def _another_is_on(self, number: int) -> bool:
        return any(output.busy for output in self._outputs.values() if output.interlocked and output.number != number)

    def _on_done(self, number: int, why: int) -> None:
        self.limits_hit += why == outputs.LIMIT
        self._emit(wire.DONE, number, why, self.ticks.stamp(self.ticks.now()))

    def _set(self, order: WireOrder) -> int:
        output = self._outputs.get(order[1] & 0x7F)
        return UNKNOWN if output is None else output.switch(order[1] >> 7, self._cause)

    def _pulse(self, order: WireOrder) -> int:
        return self._run(order[1], outputs.single(order[2], 1), order[2])

    def _train(self, order: WireOrder) -> int:
        _, channel, on, period, count = order
        # Pulses without gaps are one opening, which the limit bounds as a whole.
        return self._run(channel, outputs.pulses(on, period, count), on if period > on else on * count)

    def _tone(self, order: WireOrder) -> int:
        return self._sound(order[1], outputs.single(order[3], order[2]), order[3])

    def _ramp(self, order: WireOrder) -> int:
        _, channel, hz, step_hz, tone_ms, period_ms, count = order
        tone, period = (self.ticks.from_us(ms * 1000) for ms in (tone_ms, period_ms))
        longest = tone if period > tone else tone * count
        return self._sound(channel, outputs.tones(hz, step_hz, tone, period, count), longest)

    def _sound(self, channel: int, steps: outputs.Steps, longest: int) -> int:
        self._sounding = {number for number in self._sounding if self._outputs[number].busy}
        if len(self._sounding - {channel}) >= self._capacity.voices:
            return NO_ROOM
        reason = self._run(channel, steps, longest)
        if not reason:
            self._sounding.add(channel)
        return reason

    def _code(self, order: WireOrder) -> int:
        _, channel, state, period_ms, bit_ms, bits = order
        output = self._outputs.get(channel)
        if output is None:
            return UNKNOWN
        period, bit = (self.ticks.from_us(ms * 1000) for ms in (period_ms, bit_ms))
        is_valid = bit and bits <= MAX_BITS and code_length_us(bits, bit_ms) <= period_ms
        return output.send(outputs.codes(state, period, bit, bits), self._cause, is_valid=bool(is_valid))

    def _run(self, channel: int, steps: outputs.Steps, longest: int) -> int:
        output = self._outputs.get(channel)
        return UNKNOWN if output is None else output.run(steps, longest, self._cause)

    # --- sequences ------------------------------------------------------------------------------------------

    @property
    def _free_entries(self) -> int:
        used = sum(len(sequence.entries) for sequence in self._sequences.values())
        return self._capacity.entries - used - len(self._unfinished.deferred)

    def _load(self, number: int, entries: Parts, *, is_loading: bool) -> int:
        replaced = self._sequences.get(number)
        if replaced is None and len(self._sequences) >= self._capacity.sequences:
            return NO_ROOM
        goes_on = replaced is not None and replaced.is_loading
        if len(entries) > self._free_entries + (0 if replaced is None or goes_on else len(replaced.entries)):
            return NO_ROOM
        if replaced is not None and goes_on:
            entries = [*replaced.entries, *entries]
        self._stop(number)
        self._sequences[number] = BoardSequence(number, entries, is_loading=is_loading)
        if is_loading:
            self._unfinished.sequences.add(number)
        return 0

    def _start(self, number: int, at: int) -> int:
        sequence = self._sequences.get(number)
        if sequence is None or sequence.is_loading:
            return UNKNOWN
        # Refused and not run late: its actions would come at other times than ordered.
        if at < self.ticks.now():
            return PAST
        self._stop(number)
        sequence.cause = self._cause
        sequence.timers = [self.ticks.at(at, self._begin, sequence, at)]
        return 0

    def _begin(self, sequence: BoardSequence, at: int) -> None:
        self._emit(wire.STARTED, sequence.number, *sequence.cause[:2], self.ticks.stamp(at))
        sequence.timers = [
            self.ticks.at(at + delay, self._play, sequence, entry, order)
            for entry, (delay, order) in enumerate(sequence.entries)
        ]

    def _play(self, sequence: BoardSequence, entry: int, order: WireOrder) -> None:
        output = self._outputs.get(order[1] & 0x7F) if order[0] in _DRIVES else None
        before = 0 if output is None else output.begun
        self._cause = BY_SEQUENCE, sequence.number, entry
        if reason := self._do[order[0]](order):
            self.refuse(self._cause, reason)
        # What the output refused is not this sequence's: stopping the sequence must not end it.
        if output is not None and output.begun != before:
            sequence.begun[output.number] = output.begun

    def _stop(self, number: int) -> int:
        sequence = self._sequences.get(number)
        if sequence is None:
            return 0
        for timer in sequence.timers:
            timer.cancel()
        sequence.timers = []
        for channel, begun in sorted(sequence.begun.items()):
            # Another action may have been started on the output since.
            if self._outputs[channel].begun == begun:
                self._outputs[channel].off(outputs.STOPPED)
        sequence.begun.clear()
        return 0

    # --- reflexes -------------------------------------------------------------------------------------------

    def _stage(self, number: int, members: Parts) -> int:
        """Add members to a group that is not armed yet; an armed one with this number is removed."""
        group = self._groups.get(number)
        if group is None and len(self._groups) >= self._capacity.groups:
            return NO_ROOM
        is_armed = group is not None and group.staged is None
        others = sum(map(len, self._groups.values())) - (len(group) if group is not None and is_armed else 0)
        if others + len(members) > self._capacity.reflexes:
            return NO_ROOM
        if group is None or is_armed:
            group = self._groups[number] = BoardGroup(number, is_new=group is None)
            self._unfinished.groups.add(number)
        group.staged = [*(group.staged or ()), *members]
        return 0

    def _arm(self, order: WireOrder, seen: int) -> int:
        _, number, bounded, until, _, members = order
        staged = self._groups[number].staged if number in self._groups else None
        # The host reads that edge next, and orders the action itself (docs/decisions/armed-reflexes.md).
        if any(self._last_edge.get(place, 0) > seen for place, _ in [*(staged or ()), *members]):
            return NEWER_EDGE
        reason = self._stage(number, members)
        if reason:
            return reason
        group = self._groups[number]
        # Of the groups with one edge the one that was armed first goes first.
        if group.is_new:
            self._groups[number] = self._groups.pop(number)
        group.until = self.ticks.count(until) if bounded else None
        group.members, group.staged = dict(group.staged or ()), None
        return 0

    def _disarm(self, order: WireOrder) -> int:
        group = self._groups.get(order[1])
        if group is not None and group.staged is None:
            del self._groups[group.number]
        return 0

    def _on_edge(self, channel: int, level: int, at: int) -> None:
        place = channel | (wire.LEVEL if level else 0)
        # First the action, because the message names the group that fired.
        fired = self._fire(place, at)
        number = self._emit(wire.EDGE, place, fired, self.ticks.stamp(at))
        self._last_edge[place] = number

    def _on_flood(self, channel: int, per_ms: int, at: int) -> None:
        self._emit(wire.FLOOD, channel, per_ms, self.ticks.stamp(at))

    def _fire(self, place: int, at: int) -> int:
        """End all groups with this edge; return the one whose action was executed, or that was only ended.

        An edge message names one group, so that only one executes its action; the host executes those of the others.
        """
        ended = did = 0
        for group in [group for group in self._groups.values() if place in group.members]:
            if group.until is not None and at > group.until:
                continue
            del self._groups[group.number]
            order = group.members[place]
            self._cause = BY_REFLEX, group.number, place
            if order[0] == wire.ORDER_NOTHING.code:
                ended = group.number
            elif not did and self._do[order[0]](order) == 0:
                did = group.number
        return did or ended
