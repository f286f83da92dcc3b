"""A board with leads on its pins: all that the contract needs of one, whatever it is made of.

To test another board, subclass ``ContractBench`` and name the class in ``conftest.py``. A board in virtual time
derives from ``VirtualBench``.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest

from rig.boards.serial.board import SerialBoard
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import RigError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, OutputDone, SessionLine
from rig.core.model.actions import Order
from rig.core.model.board import Block, Board, BoardInfo, Health, Input, Output, PanicInput, Wiring
from rig.core.model.channels import Role
from rig.core.model.events import Edge, EntryRefused, Event, LeaseExpired, OutputOn, Refused, SequenceStarted
from tests.journal_lines import read_line

LEASE_S = 2.0
RESETS = ("WATCHDOG", "BROWN_OUT", "POWER")
WIRING = Wiring(
    (
        Input("left", Role.LINE, 2),
        Input("right", Role.LINE, 3),
        Input("plain", Role.LINE, 4, 0, 0, 0),
        Input("lever", Role.LINE, 5, 0, 0, 0, inverted=True),
        Output("valve", Role.LINE, 8, max_on_us=100_000),
        Output("feeder", Role.LINE, 9, max_on_us=200_000),
        Output("light", Role.LINE, 10),
        Output("lamp", Role.LINE, 11, inverted=True),
        Output("speaker", Role.LINE, 12, max_on_us=1_000_000),
        Output("one", Role.LINE, 14, max_on_us=100_000, interlocked=True),
        Output("other", Role.LINE, 15, max_on_us=100_000, interlocked=True),
    ),
    LEASE_S,
)
"""``left`` and ``right`` are beams, with the usual filter; ``plain`` and ``lever`` have none."""
PANIC = PanicInput("bench", 6)
PANIC_WIRING = replace(WIRING, panic=PANIC)

Story = Callable[["ContractBench"], Awaitable[Any]]


class Leash(Transport):
    """A transport on which a test can keep the host from speaking."""

    def __init__(self, inner: Transport) -> None:
        self.start, self.close = inner.start, inner.close  # type: ignore[method-assign]
        self.mute = False
        self._inner = inner

    @property
    def quiet_s(self) -> float:
        return self._inner.quiet_s

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None: ...

    def close(self) -> None: ...

    def write(self, data: bytes) -> None:
        if not self.mute:
            self._inner.write(data)


class ContractBench(ABC):
    """One board, the host's end of its cable, and leads on its pins. Times are the session's, in microseconds."""

    resolution_us: int
    """How far a stamp may lie from the instant of its edge."""
    reflex_us: int
    """How long after an edge its action may come."""
    punctual_us: int
    """How far an action may lie from when it should be, and its length from what it should be."""
    start_us: int = 0
    """How long after an edge the sequence that it starts may begin."""
    entry_us: int = 0
    """How far an entry of a sequence may lie from its time, beyond ``punctual_us``."""
    order_us: int = 0
    """How long it may take over one order of a batch."""
    fade_us: int = 0
    """How long before its end the last edge of a tone may be: half a period of the lowest one."""
    has_port_flags: bool = False
    """Whether a change of an input begins the confirmations of all inputs of its port again."""
    connecting_resets: bool = False
    """Whether another host that opens its port resets it."""
    tone_error: float = 0.0
    """How far a tone may be off, as a part of its frequency."""
    told_resets: Mapping[str, str] = MappingProxyType({reason: reason.lower() for reason in RESETS})
    """What it says of each reason of a reset."""
    can: frozenset[str] = frozenset()
    """What can be done to it beyond its pins: ``bad cable``, ``reset``, ``unplug``, ``reconnect``, ``block_input``,
    ``panic``."""

    board: Board
    inbox: Inbox
    leash: Leash
    opened: BoardInfo
    health: Health
    _nonce: int
    conditions: Mapping[str, Any] = MappingProxyType({})
    """The conditions of `run` that a test has chosen."""

    # --- what a kind of board has to offer ------------------------------------------------------------------

    @abstractmethod
    def run(self, story: Story, **conditions: Any) -> Any:
        """Open the board, tell a story, close the board; return what the story returned.

        ``conditions`` are faults of the cable, or ``wiring``, ``uid``, ``before`` (levels on pins at the start, also of
        the ``panic`` input).
        """

    @abstractmethod
    def now_us(self) -> int:
        """Tell the time of the session."""

    @abstractmethod
    def at(self, t_us: int, name: str, level: int) -> None:
        """Put a level on an input's pin at a time to come."""

    def set_value(self, t_us: int, source: str, value: int) -> None:
        """Set what a source has at a time to come: a voltage, or steps. Only boards that sample can."""
        raise NotImplementedError

    @abstractmethod
    async def until(self, t_us: int) -> None:
        """Let time pass."""

    @abstractmethod
    def pins(self) -> list[tuple[int, str, int]]:
        """List every change of an output since it was wired: when, which, and the level or frequency on its pin."""

    async def close(self) -> Health:
        """Close the board, unless a story has done so, and return its health."""
        if not self._is_closed:
            self._is_closed = True
            self.leash.mute = False
            self.health = await self.board.close()
        return self.health

    def refuses(self, error: type[RigError], words: str, **conditions: Any) -> None:
        """Check that the board is not opened under some conditions."""

        async def story(rig: ContractBench) -> None:
            pytest.fail("it was opened")

        with pytest.raises(error, match=words):
            self.run(story, **conditions)

    def needs(self, *abilities: str) -> None:
        """Skip the test on a board that cannot be treated so."""
        missing = [ability for ability in abilities if ability not in self.can]
        if missing:
            pytest.skip(f"this board has no way to: {', '.join(missing)}")

    # --- what every board has -------------------------------------------------------------------------------

    async def open_board(self, leash: Leash, wiring: Wiring, uid: str | None) -> None:
        """Open the board as a host that has not opened it before."""
        self._nonce += 1
        self._is_closed = False
        self.lines: list[SessionLine] = []
        self.blocks: list[Block] = []
        self.inbox = Inbox(Journal(lambda line: self.lines.append(read_line(line))), record=self.blocks.append)
        self.sent = 0
        self.leash = leash
        self.board = SerialBoard(leash, running(), self.inbox, uid, self._nonce)
        try:
            self.opened = await self.board.open(wiring)
        except BaseException:
            self.board.abort()
            raise

    def flood(self, name: str, from_us: int, until_us: int, half_us: int = 20) -> None:
        """Put a square wave on an input's pin, which is off at its end."""
        for place, t_us in enumerate(range(from_us, until_us, half_us)):
            self.at(t_us, name, (place + 1) % 2)
        self.at(until_us, name, 0)

    def order(self, *orders: Order, seen: int | None = None) -> None:
        """Send a batch, in the knowledge of every event that has arrived."""
        known = [event.number for event in self.inbox.events if hasattr(event, "number")]
        epoch = sum(isinstance(event, LeaseExpired) for event in self.inbox.events)
        self.sent += 1
        self.board.batch(orders, max(known, default=0) if seen is None else seen, epoch, self.sent)

    async def order_at(self, t_us: int, *orders: Order) -> None:
        await self.until(t_us)
        self.order(*orders)

    async def soon(self) -> None:
        """Let so much time pass that an order which was given has been executed."""
        await self.until(self.now_us() + 20_000)

    def events(self, kind: type[Event]) -> list[Any]:
        return [event for event in self.inbox.events if isinstance(event, kind)]

    def edges(self) -> list[tuple[str, int, int]]:
        """List what was reported of the inputs: which, its level, what it fired."""
        return [(event.channel, event.level, event.fired) for event in self.events(Edge)]

    def stamps(self) -> list[int]:
        return [event.t_us for event in self.events(Edge)]

    def refusals(self) -> list[tuple[int, str]]:
        return [(event.order, event.reason) for event in self.events(Refused)]

    def refused_entries(self) -> list[tuple[int, int, str]]:
        """List what was refused of sequences: the sequence, its entry, the reason."""
        return [(event.sequence, event.entry, event.reason) for event in self.events(EntryRefused)]

    def went_on(self) -> list[tuple[str, str, int, int]]:
        """List what was reported to go on: the output, and whose order it was."""
        return [(event.output, event.cause, event.by, event.part) for event in self.events(OutputOn)]

    def started(self) -> list[tuple[int, int]]:
        """List when sequences started, and which."""
        return [(event.t_us, event.sequence) for event in self.events(SequenceStarted)]

    def batches(self) -> list[tuple[int, int]]:
        """List when batches were executed, and which."""
        return [(line.t_us, line.batch) for line in self.lines if isinstance(line, BatchDone)]

    def ended(self, why: str) -> list[tuple[int, str]]:
        """List when actions ended for this reason, and the output of each."""
        ends = [line for line in self.lines if isinstance(line, OutputDone)]
        return [(line.t_us, line.output) for line in ends if line.why == why]

    def levels(self, name: str) -> list[tuple[int, int]]:
        """List when an output went on or off, and to what."""
        return [(t_us, value) for t_us, who, value in self.pins() if who == name]

    def on(self) -> set[str]:
        """Name the outputs that are on."""
        idle = {channel.name: int(channel.inverted) for channel in WIRING.channels}
        last = {name: value for _, name, value in self.pins()}
        return {name for name, value in last.items() if value != idle[name]}

    def near(self, t_us: int, other_us: int, ticks: int = 1) -> bool:
        """Tell whether two instants are the same, as far as the board's clock can tell."""
        return abs(t_us - other_us) <= ticks * self.resolution_us

    def punctual(self, t_us: int, wanted_us: int) -> bool:
        """Tell whether something was done when it should be, or for as long."""
        return abs(t_us - wanted_us) <= self.punctual_us

    def same(self, found: list[tuple[int, int]], expected: list[tuple[int, int]], within_us: int = 0) -> bool:
        """Compare changes of an output with what they should be."""
        return len(found) == len(expected) and all(
            abs(a - b) <= self.punctual_us + within_us and value == pytest.approx(wanted, rel=self.tone_error)
            for (a, value), (b, wanted) in zip(found, expected, strict=True)
        )
