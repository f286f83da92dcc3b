"""The firmware on a simulated chip and the host's end of its line, without a loop: byte by byte, cycle by cycle."""

from collections.abc import Iterator, Sequence
from typing import Any

from rig.boards.serial.hello import Hello
from rig.boards.wire import frame, kind, orders
from rig.boards.wire import messages as wire
from rig.boards.wire.batch import write_batch
from rig.core.model.actions import Order
from rig.core.model.board import Channel, Source, Threshold
from sim_hardware.avr.chip import HZ, TraceEvent
from sim_hardware.avr.seam import MakeChip, firmware_on_simavr

BAUD = 500_000
BYTE_CYCLES = 10 * HZ // BAUD
TICK_NS = 500
BOOT_CYCLES = HZ // 20
ANSWER_CYCLES = HZ // 20
LEASE_MS, RESEND_MS = 2_000, 20


class Line:
    """What is said to a board, and all that it says and does."""

    def __init__(
        self,
        board: str,
        channels: Sequence[Channel],
        make_chip: MakeChip = firmware_on_simavr,
        sources: Sequence[Source] = (),
    ) -> None:
        self.channels = channels
        self.sources = sources
        self.chip = make_chip(board, BAUD, 0)
        self.levels: list[tuple[int, int, int]] = []
        """Changes of outputs: cycle, pin, level."""
        self.answers: list[tuple[Any, ...]] = []
        self.overruns = 0
        self._deframer = frame.Deframer()
        self._writer = orders.OrderWriter(
            {channel.name: number for number, channel in enumerate(channels)}, TICK_NS, lambda t_us: 0
        )
        self._nonce = self._epoch = self._number = self.heard = 0
        for channel in channels:
            if not isinstance(channel, Threshold):
                self.chip.watch(channel.pin)
        self.run(BOOT_CYCLES)

    def run(self, cycles: int) -> None:
        """Let time pass. A reset or a crash is a failure."""
        until = self.chip.cycle + cycles
        while self.chip.cycle < until:
            self._run_to_events(until)

    def _run_to_events(self, until: int) -> None:
        for event in self.chip.run(until):
            if event.kind is TraceEvent.BYTE:
                self._hear(bytes([event.value]))
            elif event.kind is TraceEvent.LEVEL:
                self.levels.append((event.cycle, event.pin, event.value))
            elif event.kind is TraceEvent.OVERRUN:
                self.overruns += 1
            else:
                raise AssertionError(f"{event.kind.name} at cycle {event.cycle}: {event.value}")

    def _hear(self, data: bytes) -> None:
        for payload in self._deframer.feed(data):
            message = wire.unpack(payload, wire.TO_HOST)
            assert message is not None, payload
            self.answers.append(message)
            if message[0] >= wire.FIRST_EVENT and message[1] == (self.heard + 1) & 0xFFFF:
                self.heard = message[1]

    def send(self, data: bytes) -> None:
        """Send bytes at the full speed of the line, and let the time pass that they take."""
        self.chip.send(data)
        self.run(len(data) * BYTE_CYCLES)

    def ask(self, said: bytes, answer: kind.Kind, *fields: int) -> tuple[Any, ...]:
        """Send a payload and wait for its answer; once more if a byte of it was lost, as a host does."""
        overruns = self.overruns
        found = self.ask_once(said, answer, *fields)
        if found is None and self.overruns > overruns:
            found = self.ask_once(said, answer, *fields)
        if found is None:
            raise AssertionError(f"no {answer.name} after {said.hex()}")
        return found

    def ask_once(self, said: bytes, answer: kind.Kind, *fields: int) -> tuple[Any, ...] | None:
        """Send a payload and wait for its answer, which begins with some fields; None if there is none."""
        known = len(self.answers)
        self.send(b"\0" + frame.encode(said))
        until = self.chip.cycle + ANSWER_CYCLES
        while self.chip.cycle < until:
            for message in self.answers[known:]:
                if message[: 1 + len(fields)] == (answer.code, *fields):
                    return message
            self.wait(until)
        return None

    def wait(self, until: int) -> None:
        """Run the chip to its next events, and on to the end of a whole byte."""
        began = self.chip.cycle
        self._run_to_events(until)
        self.run((began - self.chip.cycle) % BYTE_CYCLES)

    def hello(self) -> Hello:
        """Ask the board who it is."""
        return Hello.of(self.ask(wire.GET_HELLO.pack(), wire.HELLO))

    def open(self, lease_ms: int = LEASE_MS) -> int:
        """Begin a session and configure the channels; return the stamp of the opening."""
        self._nonce += 1
        self._number = self.heard = 0
        _, _, self._epoch, stamp = self.ask(wire.OPEN.pack(self._nonce, lease_ms, RESEND_MS), wire.OPENED)
        for number, source in enumerate(self.sources):
            self._batch(orders.configure_source(number, source), 1)
        numbers = {source.name: number for number, source in enumerate(self.sources)}
        for place, channel in enumerate(self.channels):
            self._batch(orders.configure(place, channel, numbers), 1)
        return int(stamp)

    def order(self, *acts: Order) -> None:
        """Have a batch executed."""
        self._batch(b"".join(map(self._writer.write, acts)), len(acts))

    def batch(self, *acts: Order) -> bytes:
        """Make the frame of the batch that would come next, and do not send it."""
        return frame.encode(self._head(len(acts)) + b"".join(map(self._writer.write, acts)))

    def frames(self, *acts: Order) -> Iterator[bytes]:
        """Yield the payloads of a batch in one or several frames, each with the number that the board expects."""
        for written, count in write_batch(acts, self._writer):
            yield self._head(count) + written
            acks = [message for message in self.answers if message[0] == wire.ACK.code]
            self._number = acks[-1][2]

    def _head(self, count: int) -> bytes:
        return wire.BATCH.pack(self._epoch, self._number + 1 & 0xFF, self.heard, self.heard, count)

    def _batch(self, written: bytes, count: int) -> None:
        number = self._number + 1 & 0xFF
        self.ask(self._head(count) + written, wire.ACK, self._epoch, number)
        self._number = number
