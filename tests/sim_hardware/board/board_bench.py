"""A simulated board and a host that says exactly what a test tells it to, frame by frame."""

from typing import Any

from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire import orders as wire_orders
from rig.core.model.actions import Order
from rig.core.model.board import Channel, Source
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import Capacity
from sim_hardware.board.ticks import Ticks
from tests.sim_hardware.board.chip_bench import USUAL
from tests.sim_hardware.fake_clock import FakeClock

LEASE_US = 2_000_000
REASONS, WHYS = wire.words("REASON"), wire.words("DONE")


class Heard(dict[str, Any]):
    """A message of the board: its fields by name, its ``kind``, and ``at_us``, when it was sent."""


class BoardBench:
    """Times are microseconds of the world, which begins when the board is switched on."""

    def __init__(
        self,
        *,
        ticks: dict[str, Any] | None = None,
        capacity: Capacity | None = None,
        channels: tuple[Channel, ...] = USUAL,
        sources: tuple[Source, ...] = (),
    ) -> None:
        self.clock = FakeClock()
        self.messages: list[Heard] = []
        self.trace: list[tuple[int, str, int]] = []
        self.channels = channels
        self.sources = {source.name: number for number, source in enumerate(sources)}
        self._configuration = [
            *(wire_orders.configure_source(number, source) for number, source in enumerate(sources)),
            *(wire_orders.configure(number, channel, self.sources) for number, channel in enumerate(channels)),
        ]
        self._source_pins = {source.name: source.pins[0] for source in sources}
        self._names = {channel.pin: channel.name for channel in channels}
        self._pins = {channel.name: channel.pin for channel in channels}
        self._deframer = frame.Deframer()
        self.board = SimBoard(
            self.clock, self._take, self._drive, ticks=Ticks(self.clock, **(ticks or {})), capacity=capacity
        )
        numbers = {channel.name: number for number, channel in enumerate(channels)}
        self._writer = wire_orders.OrderWriter(numbers, self.board.ticks.tick_ns, lambda t_us: t_us)
        self.epoch = self.number = self.heard = 0

    # --- what the board does --------------------------------------------------------------------------------

    def _take(self, data: bytes) -> None:
        for payload in self._deframer.feed(data):
            code, *values = wire.unpack(payload, wire.TO_HOST) or nonsense(payload)
            kind = wire.TO_HOST[code]
            names = [name for name, _ in kind.layout]
            message = Heard(zip(names, values, strict=True), kind=kind.name, at_us=self.now_us)
            self.messages.append(message)

    def _drive(self, pin: int, value: int) -> None:
        self.trace.append((self.now_us, self._names[pin], value))

    def said(self, *kinds: str) -> list[Heard]:
        """List the messages of some kinds."""
        return [message for message in self.messages if message["kind"] in kinds]

    def events(self) -> list[tuple[int, str]]:
        """List every event once, in its order: its number and kind."""
        known = {kind.name for kind in wire.EVENTS}
        return sorted({(message["number"], message["kind"]) for message in self.messages if message["kind"] in known})

    def levels(self, name: str) -> list[tuple[int, int]]:
        """List when an output changed, and to what."""
        return [(t_us, value) for t_us, who, value in self.trace if who == name]

    def on(self) -> set[str]:
        """Name the outputs that are on."""
        last = {name: value for _, name, value in self.trace}
        return {name for name, value in last.items() if value}

    # --- what is done to it ---------------------------------------------------------------------------------

    @property
    def now_us(self) -> int:
        return round(self.clock.time() * 1e6)

    def at(self, t_us: int, what: Any, *args: Any) -> None:
        self.clock.call_at(t_us / 1e6, what, *args)

    def run(self, until_us: int) -> None:
        self.clock.run(until_us / 1e6)

    def pin(self, name: str, level: int) -> None:
        self.board.chip.inputs.drive(self._pins[name], level)

    def value(self, source: str, value: int) -> None:
        """Give a source a value now."""
        self.board.chip.sources.set_value(self._source_pins[source], value)

    def send(self, kind: wire.Kind, *values: int) -> None:
        self.board.receive(frame.encode(kind.pack(*values)))

    def last(self, kind: str) -> Heard:
        return self.said(kind)[-1]

    def open(self, nonce: int = 1, lease_us: int = LEASE_US, resend_ms: int = 20) -> None:
        """Open the board and wire it."""
        self.send(wire.OPEN, nonce, lease_us // 1000, resend_ms)
        self.epoch, self.number, self.heard = self.last("OPENED")["epoch"], 0, 0
        for order in self._configuration:
            self.configure(order)

    def configure(self, order: bytes) -> list[str]:
        """Send one written order; return why it was refused."""
        self.number += 1
        before = len(self.messages)
        self._batch(order, 1, self.number, self.epoch)
        return [REASONS[m["reason"]] for m in self.messages[before:] if m["kind"] == "REFUSED"]

    def order(
        self, *orders: Order, number: int | None = None, epoch: int | None = None, seen: int | None = None
    ) -> list[tuple[int, str]]:
        """Send a batch; return the places and reasons of what was refused at once."""
        if number is None:
            number = self.number = self.number + 1
        before = len(self.messages)
        written = b"".join(self._writer.write(order) for order in orders)
        self._batch(written, len(orders), number, self.epoch if epoch is None else epoch, seen)
        return [(m["part"], REASONS[m["reason"]]) for m in self.messages[before:] if m["kind"] == "REFUSED"]

    def _batch(self, written: bytes, count: int, number: int, epoch: int, seen: int | None = None) -> None:
        values = epoch, number & 0xFF, self.heard & 0xFFFF, (self.heard if seen is None else seen) & 0xFFFF, count
        self.receive(wire.BATCH.pack(*values) + written)

    def receive(self, payload: bytes) -> None:
        """Send a payload."""
        self.board.receive(frame.encode(payload))

    def acknowledge(self, heard: int | None = None, ask: int = 0) -> None:
        """Say up to which event everything is on record: all of them, unless told otherwise."""
        events = [m["number"] for m in self.messages if m["kind"] in {kind.name for kind in wire.EVENTS}]
        self.heard = max(events, default=0) if heard is None else heard
        self.send(wire.EVENT_ACK, self.heard & 0xFFFF, ask)

    def keep_alive(self, until_us: int) -> None:
        """Renew the lease every half second."""
        for t_us in range(self.now_us + 500_000, until_us, 500_000):
            self.at(t_us, self.acknowledge)


def nonsense(payload: bytes) -> Any:
    raise AssertionError(f"the board sent nonsense: {payload!r}")
