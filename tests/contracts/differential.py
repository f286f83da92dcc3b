"""One script, two boards: the same frames arrive and the same pins change at the same instants, and all is noted."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from rig.boards.chips import CHIPS
from rig.boards.wire import frame
from rig.boards.wire import messages as wire
from rig.boards.wire import orders as wire_orders
from rig.boards.wire.go_back_n import ROOM_BYTES
from rig.core.errors import OrderRefusedError
from rig.core.model.actions import Order
from rig.core.model.board import Input, Output
from rig.core.model.channels import Role
from sim_hardware import loop as virtual
from sim_hardware.avr.board import AvrBoard
from sim_hardware.avr.chip import AvrChip
from sim_hardware.avr.firmware import firmware, firmware_image
from sim_hardware.avr.seam import SimulatedChip
from sim_hardware.avr8js.chip import Avr8jsChip
from sim_hardware.board.board import SimBoard
from sim_hardware.board.chip import Capacity
from sim_hardware.board.ticks import Ticks
from tests.contracts.wrap import Advance

TICK_NS = 500
CHANNELS = (
    Input("left", Role.LINE, 2),
    Input("right", Role.LINE, 3),
    Input("plain", Role.LINE, 4, 0, 0, 0),
    Input("lever", Role.LINE, 5, 0, 0, 0, inverted=True),
    Output("valve", Role.LINE, 8, max_on_us=68_000),
    Output("feeder", Role.LINE, 9, max_on_us=196_000),
    Output("light", Role.LINE, 10),
    Output("lamp", Role.LINE, 11, inverted=True),
    Output("speaker", Role.LINE, 12, max_on_us=964_000),
    Output("one", Role.LINE, 14, max_on_us=68_000, interlocked=True),
    Output("other", Role.LINE, 15, max_on_us=68_000, interlocked=True),
)
"""The limits end where nothing else of a script happens."""

BYTE_S = 20e-6
UNDERWAY_S = 0.011
"""How long what the host says is on its way: it has not heard of what happens meanwhile."""
START_S = 0.5
LEASE_MS = 2_085
RESEND_MS = 20

EVENTS = {kind.code for kind in wire.EVENTS}


class Frame(NamedTuple):
    """Something the host says: ``batch``, ``heard``, ``time``, ``all_off``, ``again``, ``stale``, ``open``.

    Of the last ``overlooked`` events the sender of orders knows nothing yet.
    """

    kind: str
    orders: tuple[Order, ...] = ()
    overlooked: int = 0


class Step(NamedTuple):
    """At a microsecond after the opening, a frame has arrived or a pin changes."""

    t_us: int
    frame: Frame | None = None
    pin: tuple[str, int] | None = None


class Said(NamedTuple):
    """Something a board has said of an instant, and when; in microseconds since the opening frame arrived."""

    kind: str
    fields: tuple[Any, ...]
    t_us: int
    said_us: int

    @property
    def faded(self) -> bool:
        """Tell whether this is the end of a tone, which comes with the end of its period."""
        return self.kind == "DONE" and CHANNELS[self.fields[0]].name == "speaker"


@dataclass
class Record:
    """All that a board has said and done."""

    events: list[Said] = field(default_factory=list)
    answers: list[tuple[str, tuple[Any, ...]]] = field(default_factory=list)
    trace: list[tuple[int, str, int]] = field(default_factory=list)
    heard: list[int] = field(default_factory=list)
    """What the host had heard of when it spoke, frame by frame: the other board is told the same."""
    damaged: int = 0

    def levels(self, name: str) -> list[tuple[int, int]]:
        """List when an output changed, and to what; what it is at rest does not count."""
        changes = [(t_us, value) for t_us, who, value in self.trace if who == name]
        rest = int(next(channel.inverted for channel in CHANNELS if channel.name == name))
        return changes[1:] if changes and changes[0][1] == rest else changes


class Subject(ABC):
    """A board that a script is played to."""

    @abstractmethod
    def switch_on(self, send: Callable[[bytes], None], drive: Callable[[float, int, int], None]) -> None:
        """Make it on the running loop; ``drive`` is told when, which pin, and what."""

    @abstractmethod
    def arrives(self, data: bytes, when: float) -> None:
        """See to it that the last of these bytes has arrived at a time."""

    @abstractmethod
    def put(self, pin: int, level: int) -> None:
        """Put a level on a pin."""

    @abstractmethod
    def tick_of(self, when: float, opened: int) -> int:
        """Tell the stamp of a time; ``opened`` is that of the opening."""

    @abstractmethod
    def time_of(self, stamp: int, opened: int) -> float:
        """Tell the time of a stamp."""


class SimSubject(Subject):
    """The board in Python, as large as one with a kind of chip."""

    def __init__(self, kind: str = "uno") -> None:
        self._capacity = Capacity.of(CHIPS[kind])

    def switch_on(self, send: Callable[[bytes], None], drive: Callable[[float, int, int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self.ticks = Ticks(self._loop, TICK_NS)
        levels = lambda pin, value: drive(self._loop.time(), pin, value)  # noqa: E731
        self.board = SimBoard(self._loop, send, levels, ticks=self.ticks, capacity=self._capacity)

    def arrives(self, data: bytes, when: float) -> None:
        self._loop.call_at(when, self.board.receive, data)

    def put(self, pin: int, level: int) -> None:
        self.board.chip.inputs.drive(pin, level)

    def tick_of(self, when: float, opened: int) -> int:
        return round(when * 1e9 / TICK_NS) & 0xFFFF_FFFF

    def time_of(self, stamp: int, opened: int) -> float:
        return stamp * TICK_NS / 1e9


class AvrSubject(Subject):
    """The firmware on a simulated Uno; ``laps`` is how many laps of its timer before its clock wraps it is opened.

    ``elf`` is another firmware than the one in this repository.
    """

    def __init__(self, laps: int | None = None, elf: Path | None = None) -> None:
        self._laps = laps
        self._elf = elf or firmware("uno")

    def make_chip(self) -> SimulatedChip:
        """Build the chip."""
        return AvrChip("uno", self._elf)

    def switch_on(self, send: Callable[[bytes], None], drive: Callable[[float, int, int], None]) -> None:
        self._loop = asyncio.get_running_loop()
        levels = lambda pin, value: drive(self.board.lockstep.time_of(self.board.driven_at), pin, value)  # noqa: E731
        chip = self.make_chip()
        self.board = AvrBoard(chip, CHANNELS, send, levels, speakers=frozenset({"speaker"}))
        self._receive = self.board.receive
        if self._laps is not None:
            self._receive = Advance(chip, self._elf, self._laps).before(self.board.receive)

    def arrives(self, data: bytes, when: float) -> None:
        self._loop.call_at(when - len(data) * BYTE_S, self._receive, data)

    def put(self, pin: int, level: int) -> None:
        self.board.put(pin, level)

    def tick_of(self, when: float, opened: int) -> int:
        return opened + round((when - self.board.time_of_us(0)) * 1e9 / TICK_NS) & 0xFFFF_FFFF

    def time_of(self, stamp: int, opened: int) -> float:
        ahead = ((stamp - opened + 0x8000_0000) & 0xFFFF_FFFF) - 0x8000_0000
        return self.board.time_of_us(0) + ahead * TICK_NS / 1e9


class PicoSubject(AvrSubject):
    """The firmware on a simulated RP2040; ``image`` is another one than that in this repository."""

    def __init__(self, image: Path | None = None) -> None:
        super().__init__()
        self._image = image or firmware_image("pico-uart")

    def make_chip(self) -> SimulatedChip:
        """Build the chip."""
        return Avr8jsChip("pico", [self._image], baud=round(10 / BYTE_S))


class Host:
    """Says what a script says, and notes what comes back."""

    def __init__(self, subject: Subject, told: Record | None) -> None:
        self.record = Record()
        self._subject = subject
        self._told = None if told is None else iter(told.heard)
        self._deframer = frame.Deframer()
        self._names = {channel.pin: channel.name for channel in CHANNELS}
        self._inputs = {channel.name: channel for channel in CHANNELS if isinstance(channel, Input)}
        numbers = {channel.name: number for number, channel in enumerate(CHANNELS)}
        self._writer = wire_orders.OrderWriter(numbers, TICK_NS, self._stamp)
        self._opened = self._epoch = self._number = self._nonce = self._known = self._count = 0
        self._last = b""
        self._ready = asyncio.get_running_loop().create_future()

    # --- what comes back ------------------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        for payload in self._deframer.feed(data):
            code, *fields = wire.unpack(payload, wire.TO_HOST) or (0,)
            self._note(wire.TO_HOST[code], fields)
        self.record.damaged = self._deframer.damaged

    def _note(self, kind: wire.Kind, fields: list[Any]) -> None:
        values = dict(zip((name for name, _ in kind.layout), fields, strict=True))
        if kind is wire.OPENED:
            if values["nonce"] != self._nonce:
                return
            self._opened, self._epoch, self._number, self._known = values["stamp"], values["epoch"], 0, 0
            if not self._ready.done():
                self._ready.set_result(None)
        elif kind.code in EVENTS:
            if values.pop("number") != (self._known + 1) & 0xFFFF:
                return  # repeated, or one before it was lost
            self._known += 1
            if kind is wire.LEASE:
                self._epoch, self._number = values["epoch"], 0
            t_us = self._us(self._subject.time_of(values.pop("stamp"), self._opened))
            told = tuple(value for name, value in values.items() if name != "epoch")
            self.record.events.append(Said(kind.name, told, t_us, self._us(asyncio.get_running_loop().time())))
        elif kind is wire.ACK:
            self.record.answers.append((kind.name, (values["number"],)))
        elif kind is wire.ALL_OFF_DONE:
            self._epoch = values["epoch"]
            self.record.answers.append((kind.name, (values["event"], values["executed"])))
        elif kind is wire.HEALTH:
            told = {k: v for k, v in values.items() if k not in ("longest_loop_us", "resent")}
            self.record.answers.append((kind.name, tuple(told.items())))

    def moved(self, when: float, pin: int, value: int) -> None:
        self.record.trace.append((self._us(when), self._names[pin], value))

    # --- what is said ---------------------------------------------------------------------------------------

    async def play(self, steps: Sequence[Step], after_us: int) -> None:
        loop = asyncio.get_running_loop()
        for channel in self._inputs.values():
            self._subject.put(channel.pin, int(channel.inverted))
        await asyncio.sleep(START_S - loop.time() - 0.01)
        self._subject.arrives(self._open(), START_S)
        await self._ready
        for place, channel in enumerate(CHANNELS):
            at = START_S + 0.01 * (place + 1)
            loop.call_at(at - 0.005, self._configure, place, channel, at)
        for step in steps:
            at = self._at(step.t_us)
            if step.pin is not None:
                loop.call_at(at, self._put, *step.pin)
            if step.frame is not None:
                loop.call_at(at - UNDERWAY_S, self._say, step.frame, at, step.t_us)
        await asyncio.sleep(self._at(steps[-1].t_us + after_us) - loop.time())

    def _at(self, t_us: int) -> float:
        return START_S + t_us / 1e6

    def _us(self, when: float) -> int:
        return round((when - START_S) * 1e6)

    def _stamp(self, t_us: int) -> int:
        return self._subject.tick_of(self._at(t_us), self._opened)

    def _put(self, name: str, level: int) -> None:
        channel = self._inputs[name]
        self._subject.put(channel.pin, level ^ channel.inverted)

    def _open(self) -> bytes:
        self._nonce += 1
        return frame.encode(wire.OPEN.pack(self._nonce, LEASE_MS, RESEND_MS))

    def _configure(self, place: int, channel: Input | Output, at: float) -> None:
        self._subject.arrives(self._batch(wire_orders.configure(place, channel), 1, 0, 0), at)

    def _batch(self, written: bytes, count: int, heard: int, seen: int) -> bytes:
        self._number += 1
        head = wire.BATCH.pack(self._epoch, self._number & 0xFF, heard & 0xFFFF, seen & 0xFFFF, count)
        self._last = frame.encode(head + written)
        return self._last

    def _heard(self) -> int:
        heard = self._known if self._told is None else next(self._told)
        self.record.heard.append(heard)
        return heard

    def _say(self, said: Frame, at: float, t_us: int) -> None:
        heard = self._heard()
        if said.kind == "batch":
            written, count = self._write(said.orders)
            self._subject.arrives(self._batch(written, count, heard, max(0, heard - said.overlooked)), at)
        elif said.kind == "again":
            self._subject.arrives(self._last, at)
        elif said.kind == "stale":
            order = self._writer.write(said.orders[0])
            stale = wire.BATCH.pack(self._epoch % 255 + 1, self._number + 1 & 0xFF, heard & 0xFFFF, heard & 0xFFFF, 1)
            self._subject.arrives(frame.encode(stale + order), at)
        else:
            self._subject.arrives(self._plain(said.kind, heard), at)

    def _plain(self, kind: str, heard: int) -> bytes:
        if kind == "all_off":
            return frame.encode(wire.ALL_OFF.pack(self._nonce & 0xFF))
        if kind == "open":
            return self._open()
        asked = {
            "heard": lambda: wire.EVENT_ACK.pack(heard & 0xFFFF, 0),
            "time": lambda: wire.GET_TIME.pack(heard & 0xFFFF),
            "health": wire.GET_HEALTH.pack,
        }
        return frame.encode(asked[kind]())

    def _write(self, orders: Sequence[Order]) -> tuple[bytes, int]:
        written, count = b"", 0
        for order in orders:  # as many of them as one frame carries
            try:
                one = self._writer.write(order)
            except OrderRefusedError:
                continue
            if len(written) + len(one) <= ROOM_BYTES:
                written, count = written + one, count + 1
        return written, count


def play(subject: Subject, steps: Sequence[Step], told: Record | None = None, after_us: int = 1_500_000) -> Record:
    """Play a script to a board; ``told`` is the record of the other one, who decided what the host had heard."""

    async def main() -> Record:
        host = Host(subject, told)
        subject.switch_on(host.hear, host.moved)
        await host.play(steps, after_us)
        return host.record

    record: Record = virtual.run(main(), t_max=10_000)
    return record
