"""A chip with leads on its pins and no wire: orders in the host's words, events and levels written down."""

from collections.abc import Iterable
from typing import Any

from rig.boards.wire import messages as wire
from rig.boards.wire import orders as wire_orders
from rig.core.model.actions import Order
from rig.core.model.board import Channel, Input, Output
from rig.core.model.channels import Role
from sim_hardware.board.chip import Capacity, Chip
from sim_hardware.board.ticks import Ticks
from tests.sim_hardware.fake_clock import FakeClock

REASONS, WHYS, CAUSES = wire.words("REASON"), wire.words("DONE"), wire.words("CAUSE")

LEFT, RIGHT = Input("left", Role.LINE, 2, 0, 0, 0), Input("right", Role.LINE, 3, 0, 0, 0)
VALVE, OTHER_VALVE = (
    Output("valve", Role.LINE, 10, max_on_us=100_000),
    Output("other_valve", Role.LINE, 11, max_on_us=100_000),
)
LIGHT, SPEAKER = Output("light", Role.LINE, 12), Output("speaker", Role.LINE, 13, max_on_us=1_000_000)
USUAL = (LEFT, RIGHT, VALVE, OTHER_VALVE, LIGHT, SPEAKER)


class ChipBench:
    """Times are microseconds of the chip's clock, which starts at 0."""

    def __init__(
        self, *channels: Channel, tick_ns: int = 1000, start: int = 0, capacity: Capacity | None = None
    ) -> None:
        self.clock = FakeClock()
        self.ticks = Ticks(self.clock, tick_ns, start)
        self.events: list[tuple[Any, ...]] = []
        self.trace: list[tuple[int, str, int]] = []
        self.log: list[str] = []
        self.count = self.batches = 0
        self.chip = Chip(self.ticks, self._emit, self._drive, capacity or Capacity())
        self._channels = channels or USUAL
        self._pins = {channel.name: channel.pin for channel in self._channels}
        self._names = {channel.pin: channel.name for channel in self._channels}
        numbers = {channel.name: number for number, channel in enumerate(self._channels)}
        self._writer = wire_orders.OrderWriter(numbers, tick_ns, self._stamp)
        self.configure()

    def configure(self) -> None:
        """Give the chip all its channels."""
        for number, channel in enumerate(self._channels):
            assert self.connect(number, channel) == []

    def connect(self, number: int, channel: Channel) -> list[tuple[int, str]]:
        """Give the chip one channel; return why not."""
        return self._execute(wire_orders.configure(number, channel), 1, 0)

    def _stamp(self, t_us: int) -> int:
        return self.ticks.stamp(self.ticks.from_us(t_us))

    def _us(self, stamp: int) -> int:
        return self.ticks.count(stamp) * self.ticks.tick_ns // 1000

    # --- what the chip says ---------------------------------------------------------------------------------

    def _emit(self, kind: wire.Kind, *values: int) -> int:
        self.count += 1
        self.log.append(kind.name.lower())
        *fields, stamp = values
        words: tuple[Any, ...] = tuple(fields)
        if kind is wire.EDGE:
            words = self._channels[fields[0] & 0x7F].name, fields[0] >> 7, fields[1]
        elif kind is wire.FLOOD:
            words = self._channels[fields[0]].name, fields[1]
        elif kind is wire.DONE:
            words = self._channels[fields[0]].name, WHYS[fields[1]]
        elif kind is wire.STARTED:
            words = fields[0], CAUSES[fields[1]], fields[2]
        elif kind is wire.ON:
            words = self._channels[fields[0]].name, CAUSES[fields[1]], *fields[2:]
        elif kind is wire.REFUSED:
            words = CAUSES[fields[0]], fields[1], fields[2], REASONS[fields[3]]
        self.events.append((self._us(stamp), kind.name.lower(), *words))
        return self.count

    def _drive(self, pin: int, value: int) -> None:
        self.log.append(self._names[pin])
        self.trace.append((self.now_us, self._names[pin], value))

    def said(self, kind: str) -> list[tuple[Any, ...]]:
        """List the events of one kind, without their kind."""
        return [(event[0], *event[2:]) for event in self.events if event[1] == kind]

    def levels(self, name: str) -> list[tuple[int, int]]:
        """List when an output changed, and to what."""
        return [(t_us, value) for t_us, who, value in self.trace if who == name]

    # --- what is done to it ---------------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        return self.ticks.now() * self.ticks.tick_ns // 1000

    def order(self, *orders: Order, seen: int | None = None) -> list[tuple[int, str]]:
        """Have a batch executed now; return the places and reasons of what was refused at once."""
        written = b"".join(self._writer.write(order) for order in orders)
        return self._execute(written, len(orders), self.count if seen is None else seen)

    def _execute(self, written: bytes, count: int, seen: int) -> list[tuple[int, str]]:
        read = wire_orders.read_orders(written, 0, count)
        assert read is not None
        self.batches += 1
        before = len(self.said("refused"))
        self.chip.execute(read, seen, self.batches)
        return [(part, reason) for _, _, _, part, reason in self.said("refused")[before:]]

    def pin(self, name: str, level: int) -> None:
        """Put a level on an input's pin now."""
        self.chip.inputs.drive(self._pins[name], level)

    def at(self, t_us: int, what: Any, *args: Any) -> None:
        """Do something at a time."""
        self.clock.call_at(t_us / 1e6, what, *args)

    def script(self, name: str, changes: Iterable[tuple[int, int]]) -> None:
        """Put levels on a pin at their times."""
        for t_us, level in changes:
            self.at(t_us, self.pin, name, level)

    def run(self, until_us: int) -> None:
        """Let time pass up to and including a microsecond."""
        self.clock.run(until_us / 1e6)
