"""Convert orders to bytes, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rig.boards.wire import messages as wire
from rig.core.errors import OrderRefusedError
from rig.core.model import actions, board
from rig.core.model.sync_code import code_state

WireOrder = tuple[Any, ...]
"""An order as read from the wire: ``(code, field, …)``; one of parts ends in a list of ``(head, order)``."""


@dataclass(frozen=True, slots=True)
class PartedOrder:
    """An order in parts that can travel ahead of it: an ARM and its members, or a LOAD and its entries.

    Both heads lack their last byte, the number of parts that follow: ``head`` that of the order itself, ``ahead`` that
    of the order which brings some of its parts.
    """

    head: bytes
    ahead: bytes
    parts: list[bytes]

    def write(self, count: int) -> bytes:
        """Return the order with its last ``count`` parts."""
        return self.head + count.to_bytes(1, "little") + b"".join(self.parts[len(self.parts) - count :])

    def write_ahead(self, start: int, stop: int) -> bytes:
        """Return the order that brings a range of the parts."""
        return self.ahead + (stop - start).to_bytes(1, "little") + b"".join(self.parts[start:stop])


class _Numbers(dict[str, int]):
    """Channel numbers by name."""

    def __missing__(self, name: str) -> int:
        raise OrderRefusedError(f"the board has no channel '{name}'; it has {', '.join(self)}")


TICK_NS = 500
"""The tick of the firmware on each of its chips; a simulated board may have a longer one."""

LONGEST_US = 0xFFFF_FFFF * TICK_NS // 1000
"""The longest time that an order can carry to a chip: it is the same on every board, also on a simulated one."""


class OrderWriter:
    """Encodes orders for one board: channel names become numbers, times become ticks.

    ``stamp_of`` converts a time of the session into the board's 32-bit stamp.
    """

    def __init__(self, channels: Mapping[str, int], tick_ns: int, stamp_of: Callable[[int], int]) -> None:
        self._number = _Numbers(channels)
        self._armed: dict[int, actions.Arm] = {}
        self._tick_ns = tick_ns
        self._stamp_of = stamp_of
        self._write: dict[type[object], Callable[[Any], bytes]] = {
            actions.Nothing: lambda order: wire.ORDER_NOTHING.pack(),
            actions.Cancel: lambda order: wire.ORDER_NOTHING.pack(),
            actions.Set: self._set,
            actions.Pulse: lambda order: wire.ORDER_PULSE.pack(self._number[order.output], self._ticks(order.us)),
            actions.RewardAction: lambda order: self.write(order.action),
            actions.Train: self._train,
            actions.Tone: self._tone,
            actions.Ramp: self._ramp,
            actions.Start: self._start,
            actions.Stop: lambda order: wire.ORDER_STOP.pack(order.sequence),
            actions.Load: lambda order: self._load(order).write(len(order.entries)),
            actions.Arm: lambda order: self._arm(order).write(len(order.members)),
            actions.Disarm: lambda order: wire.ORDER_DISARM.pack(order.group),
            actions.Code: self._code,
        }

    def write(self, order: actions.Order) -> bytes:
        """Return the bytes of one order. Raises ``OrderRefusedError`` when a value does not fit its field."""
        try:
            return self._write[type(order)](order)
        # `to_bytes` raises OverflowError for the delay of a sequence's entry, and for too many entries or members.
        except (wire.CannotPack, OverflowError) as error:
            raise OrderRefusedError(f"'{order}' is beyond what the wire can carry: {error}") from None

    def divide(self, order: actions.Arm | actions.Load) -> PartedOrder:
        """Return an order that `write` can write, in its parts."""
        return self._arm(order) if isinstance(order, actions.Arm) else self._load(order)

    def _ticks(self, us: int) -> int:
        if us > LONGEST_US:
            raise OverflowError(f"{us / 1e6:g} s is longer than the {LONGEST_US / 1e6:.0f} s that a chip can time")
        # Rounded down: no output is on for longer than was ordered.
        return us * 1000 // self._tick_ns

    def _set(self, order: actions.Set) -> bytes:
        return wire.ORDER_SET.pack(self._number[order.output] | (wire.LEVEL if order.on else 0))

    def _train(self, order: actions.Train) -> bytes:
        on, period = self._ticks(order.on_us), self._ticks(order.period_us)
        return wire.ORDER_TRAIN.pack(self._number[order.output], on, period, order.count)

    def _tone(self, order: actions.Tone) -> bytes:
        return wire.ORDER_TONE.pack(self._number[order.output], order.hz, self._ticks(order.us))

    def _ramp(self, order: actions.Ramp) -> bytes:
        if order.tone_us % 1000 or order.period_us % 1000:
            raise OrderRefusedError(f"'{order}': the times of a ramp are whole milliseconds")
        times = order.tone_us // 1000, order.period_us // 1000
        return wire.ORDER_RAMP.pack(self._number[order.output], order.hz, order.step_hz, *times, order.count)

    def _code(self, order: actions.Code) -> bytes:
        if order.period_us % 1000 or order.bit_us % 1000:
            raise OrderRefusedError(f"'{order}': the times of a sync code are whole milliseconds")
        times = order.period_us // 1000, order.bit_us // 1000
        return wire.ORDER_CODE.pack(self._number[order.output], code_state(order.seed, order.first), *times, order.bits)

    def _start(self, order: actions.Start) -> bytes:
        if order.at_us is None:
            return wire.ORDER_START.pack(order.sequence)
        return wire.ORDER_START_AT.pack(order.sequence, self._stamp_of(order.at_us))

    def _load(self, order: actions.Load) -> PartedOrder:
        entries = [self._ticks(at_us).to_bytes(4, "little") + self.write(action) for at_us, action in order.in_order]
        heads = wire.ORDER_LOAD.pack(order.sequence, 0)[:-1], wire.ORDER_ENTRIES.pack(order.sequence, 0)[:-1]
        return PartedOrder(*heads, entries)

    def _arm(self, order: actions.Arm) -> PartedOrder:
        until = (0, 0) if order.until_us is None else (1, self._stamp_of(order.until_us))
        members = [bytes((self._edge(name, level),)) + self.write(action) for name, level, action in order.members]
        heads = wire.ORDER_ARM.pack(order.group, *until, 0)[:-1], wire.ORDER_MEMBERS.pack(order.group, 0)[:-1]
        self._armed[order.group] = order
        return PartedOrder(*heads, members)

    def _edge(self, name: str, level: int) -> int:
        return self._number[name] | (wire.LEVEL if level else 0)

    def member_of(self, group: int, edge: int) -> int:
        """Return the place of the member of a group whose edge this is.

        Raises ``LookupError`` or ``ValueError`` if no such member was armed.
        """
        members = self._armed[group].members
        return [self._edge(name, level) for name, level, _ in members].index(edge)


def configure_panic(panic: board.PanicInput) -> bytes:
    """Write the order that configures the panic input. Raises ``OrderRefusedError`` when the wire cannot carry it."""
    try:
        return wire.ORDER_PANIC.pack(panic.pin, wire.INVERTED if panic.inverted else 0)
    except wire.CannotPack as error:
        raise OrderRefusedError(f"{panic} is beyond what the wire can carry: {error}") from None


def configure_source(number: int, source: board.Source) -> bytes:
    """Write the order that configures a source. Raises ``OrderRefusedError`` when the wire cannot carry it."""
    try:
        if isinstance(source, board.AnalogSource):
            return wire.ORDER_SAMPLE.pack(number, source.pin, source.period_us)
        return wire.ORDER_COUNT.pack(number, source.pin_a, source.pin_b, source.period_us)
    except wire.CannotPack as error:
        raise OrderRefusedError(f"source '{source.name}' is beyond what the wire can carry: {error}") from None


def configure(number: int, channel: board.Channel, sources: Mapping[str, int] = MappingProxyType({})) -> bytes:
    """Write the order that configures a channel; ``sources`` are the numbers of sources, for thresholds.

    Raises ``OrderRefusedError`` when the wire cannot carry it.
    """
    flags = wire.INVERTED if channel.inverted else 0
    try:
        if isinstance(channel, board.Input):
            times = channel.debounce_us, channel.confirm_on_us, channel.confirm_off_us
            if isinstance(channel, board.Threshold):
                levels = channel.below, channel.above
                return wire.ORDER_THRESHOLD.pack(number, sources[channel.source], *levels, flags, *times)
            return wire.ORDER_INPUT.pack(number, channel.pin, flags, *times)
        flags |= wire.EXCLUSIVE if channel.interlocked else 0
        if channel.max_on_us is None:
            return wire.ORDER_OUTPUT.pack(number, channel.pin, flags, 0)
        # Rounded up: a limit below 1 ms would become 0, and a pulse as long as the limit would be refused.
        max_on_ms = -(-channel.max_on_us // 1000)
        return wire.ORDER_OUTPUT.pack(number, channel.pin, flags | wire.DANGEROUS, max_on_ms)
    except wire.CannotPack as error:
        raise OrderRefusedError(f"channel '{channel.name}' is beyond what the wire can carry: {error}") from None


def read_orders(payload: bytes, start: int, count: int) -> list[WireOrder] | None:
    """Read ``count`` orders that fill the rest of a payload exactly; None when they do not."""
    orders = []
    try:
        for _ in range(count):
            order, start = _read_order(payload, start)
            orders.append(order)
    # A frame with a valid CRC may still hold no orders; the board refuses such a batch as a whole.
    except (KeyError, IndexError, wire.CannotPack):
        return None
    return orders if start == len(payload) else None


_HEADS = {
    wire.ORDER_ARM.code: 1,
    wire.ORDER_MEMBERS.code: 1,
    wire.ORDER_LOAD.code: 4,
    wire.ORDER_ENTRIES.code: 4,
}
"""The bytes of a part ahead of its order: the edge of a member, the delay of an entry."""


def _read_order(payload: bytes, start: int) -> tuple[WireOrder, int]:
    code = payload[start]
    kind = wire.ORDERS[code if code != wire.MORE else code | payload[start + 1] << 8]
    order: WireOrder = kind.size.unpack_from(payload, start)
    start += kind.size.size
    head = _HEADS.get(kind.code)
    return (order, start) if head is None else _read_parts(order, payload, start, head)


def _read_parts(order: WireOrder, payload: bytes, start: int, head: int) -> tuple[WireOrder, int]:
    parts = []
    for _ in range(order[-1]):
        place = int.from_bytes(payload[start : start + head], "little")
        if payload[start + head] > wire.ORDER_STOP.code:
            raise KeyError  # no action: a group in a sequence, or a sync code in a group
        part, start = _read_order(payload, start + head)
        parts.append((place, part))
    return (*order, parts), start
