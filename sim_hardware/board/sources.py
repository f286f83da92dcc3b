"""Sources: analog inputs and encoders that are sampled, their blocks, and thresholds as pins of a virtual port."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from rig.boards.wire import messages as wire
from rig.boards.wire.block_size import values_per_block
from rig.boards.wire.orders import WireOrder
from rig.core.clock import Timer
from sim_hardware.board.inputs import InputChannel, Inputs
from sim_hardware.board.ticks import Ticks
from sim_hardware.board.unfinished import NO_ROOM, UNKNOWN

VIRTUAL_PORT = 256
"""The pin of a channel's threshold is this and the channel's number; a pin of the chip has a lower number."""


@dataclass
class _Threshold:
    channel: int
    below: int
    above: int


@dataclass
class _Source:
    """A source that is sampled every ``period`` ticks; ``value`` is that of its pins now."""

    number: int
    kind: wire.Kind
    period: int
    value: int
    next_at: int
    capacity: int
    """How many values its blocks have."""
    sampled: int = 0
    """The last value that was sampled."""
    values: list[int] = field(default_factory=list)
    first_at: int = 0
    """When the first of the values was sampled."""
    thresholds: dict[int, _Threshold] = field(default_factory=dict)
    block_timer: Timer | None = None
    change_timer: Timer | None = None

    def cancel(self) -> None:
        """Cancel its timers."""
        for timer in (self.block_timer, self.change_timer):
            if timer is not None:
                timer.cancel()


class Sources:
    """All sources of a chip; ``send`` takes the payload of each block, and the last two say which pins can be sampled.

    What the world does not change needs no timer: the values until now are made up when a block is full, and when the
    value changes.
    """

    def __init__(
        self,
        ticks: Ticks,
        inputs: Inputs,
        send: Callable[[bytes], None],
        sources: int,
        channels: int,
        can_be_analog: Callable[[int], bool],
        can_be_encoder: Callable[[int, int], bool],
    ) -> None:
        self._ticks = ticks
        self._inputs = inputs
        self._send = send
        self._max_sources = sources
        self._max_channels = channels
        self._can_be_analog = can_be_analog
        self._can_be_encoder = can_be_encoder
        self._pin_values: dict[int, int] = {}
        self._by_pin: dict[int, _Source] = {}
        self._blocks: dict[int, int] = {}
        """How many blocks each source has sent since OPEN."""

    # --- orders ---------------------------------------------------------------------------------------------

    def sample(self, order: WireOrder) -> int:
        """Run SAMPLE; return the reason of a refusal, or 0."""
        _, number, pin, period_us = order
        if reason := self._refusal(number, period_us, can_be=self._can_be_analog(pin)):
            return reason
        self._start(number, pin, period_us, wire.SAMPLES, self._pin_values.get(pin, 0))
        return 0

    def count(self, order: WireOrder) -> int:
        """Run COUNT; return the reason of a refusal, or 0. The world counts at the first pin."""
        _, number, pin_a, pin_b, period_us = order
        if reason := self._refusal(number, period_us, can_be=self._can_be_encoder(pin_a, pin_b)):
            return reason
        # From 0 on, whatever the encoder has turned before.
        self._pin_values[pin_a] = 0
        self._start(number, pin_a, period_us, wire.COUNTS, 0)
        return 0

    def _refusal(self, number: int, period_us: int, *, can_be: bool) -> int:
        if number >= self._max_sources:
            # A chip that samples nothing has no such order.
            return NO_ROOM if self._max_sources else UNKNOWN
        return 0 if self._ticks.from_us(period_us) and can_be else UNKNOWN

    def _start(self, number: int, pin: int, period_us: int, kind: wire.Kind, value: int) -> None:
        for replaced_pin in [other for other, source in self._by_pin.items() if source.number == number]:
            self._by_pin.pop(replaced_pin).cancel()
        capacity = values_per_block(kind, period_us)
        period = self._ticks.from_us(period_us)
        source = _Source(number, kind, period, value, self._ticks.now(), capacity)
        self._by_pin[pin] = source
        self._begin_block(source)
        self._take_until(source, source.next_at)

    def threshold(self, order: WireOrder) -> int:
        """Run THRESHOLD; return the reason of a refusal, or 0."""
        _, channel, number, below, above, flags, *times = order
        source = next((source for source in self._by_pin.values() if source.number == number), None)
        if source is None or below >= above:
            return UNKNOWN
        if channel >= self._max_channels:
            return NO_ROOM
        threshold = source.thresholds[channel] = _Threshold(channel, below, above)
        self._inputs.drive(VIRTUAL_PORT + channel, 0)
        self._drive(threshold, source.sampled)
        self._inputs.configure(VIRTUAL_PORT + channel, InputChannel.of(channel, flags, times, self._ticks))
        return 0

    # --- the world ------------------------------------------------------------------------------------------

    def set_value(self, pin: int, value: int) -> None:
        """Set the value that the world gives to a pin; it is sampled from the next sample on."""
        self._pin_values[pin] = value
        source = self._by_pin.get(pin)
        if source is None:
            return
        now = self._ticks.now()
        self._take_until(source, now - 1)
        source.value = value
        # In the foreground: a task may wait for the edge that comes with it.
        if source.change_timer is None:
            source.change_timer = self._ticks.at(source.next_at, self._on_change, source)

    def _on_change(self, source: _Source) -> None:
        source.change_timer = None
        self._take_until(source, self._ticks.now())

    def _on_block(self, source: _Source) -> None:
        self._take_until(source, self._ticks.now())

    def _take_until(self, source: _Source, until: int) -> None:
        """Record all samples up to a count of ticks, and send the blocks that they fill."""
        while source.next_at <= until:
            room = source.capacity - len(source.values)
            # All of them are one value: it changes only behind the samples that are due.
            count = min(room, (until - source.next_at) // source.period + 1)
            source.sampled = _fit(source.kind, source.value)
            source.values += [source.sampled] * count
            source.next_at += count * source.period
            for threshold in source.thresholds.values():
                self._drive(threshold, source.sampled)
            if len(source.values) == source.capacity:
                self._send_block(source)
                self._begin_block(source)

    def _begin_block(self, source: _Source) -> None:
        if source.block_timer is not None:
            source.block_timer.cancel()
        source.first_at = source.next_at
        full_at = source.first_at + (source.capacity - 1) * source.period
        # In the background: samples alone are no sign that anything still happens.
        source.block_timer = self._ticks.at_in_background(full_at, self._on_block, source)

    def _drive(self, threshold: _Threshold, value: int) -> None:
        if value >= threshold.above:
            self._inputs.drive(VIRTUAL_PORT + threshold.channel, 1)
        elif value <= threshold.below:
            self._inputs.drive(VIRTUAL_PORT + threshold.channel, 0)

    def _send_block(self, source: _Source) -> None:
        block = self._blocks.get(source.number, 0)
        self._blocks[source.number] = block + 1
        stamp = self._ticks.stamp(source.first_at)
        head = source.number, block, 0, stamp, source.period
        self._send(source.kind.pack_values(*head, values=source.values))
        source.values.clear()

    # --- the end --------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop sampling, and send what was sampled."""
        for source in self._by_pin.values():
            self._take_until(source, self._ticks.now())
            if source.values:
                self._send_block(source)
            source.cancel()
        self._by_pin.clear()

    def forget(self) -> None:
        """Remove all sources; what they have not sent is lost."""
        for source in self._by_pin.values():
            source.cancel()
        self._by_pin.clear()
        self._blocks.clear()


def _fit(kind: wire.Kind, value: int) -> int:
    """Return a value as the chip has it: a converter saturates, a counter wraps."""
    if kind is wire.SAMPLES:
        return max(-0x8000, min(0x7FFF, value))
    return (value + 0x8000_0000) % 0x1_0000_0000 - 0x8000_0000
