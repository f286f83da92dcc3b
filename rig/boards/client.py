"""Connect to one board without a task: open, send orders, wait for answers, close."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

from rig.core.engine.inbox import Inbox
from rig.core.errors import LinkLostError, NewerEdgeError, NotReadyError, OrderRefusedError, RigError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import BatchDone, OutputDone, SessionLine
from rig.core.model.actions import Order
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.events import BoardTime, Edge, Event, Fault, LeaseExpired, Panic, Refused

AnyBoard = TypeVar("AnyBoard", bound=Board)


class BoardListener:
    """Handlers of a board's reports; a subclass overrides what it needs."""

    def on_event(self, event: Event) -> None:
        """Handle an event."""

    def on_done(self, done: BatchDone | OutputDone) -> None:
        """Handle the end of a batch or an output's action."""


class BoardClient(Generic[AnyBoard]):
    """Orders to one board and its answers, for measurements and channel tests; nothing is journaled.

    ``make_board`` builds the board that reports into an inbox.
    """

    def __init__(self, make_board: Callable[[Inbox], AnyBoard]) -> None:
        self.edges: list[Edge] = []
        """All reported edges, in order."""
        self.levels: dict[str, int] = {}
        """The latest reported level of each input."""
        self.sent = 0
        """The number of batches sent, which is the number of the last one."""
        self.fault: Fault | None = None
        self.panic: Panic | None = None
        """The press of the panic button, after which the board executes nothing."""
        self.health: Health | None = None
        """The counters of the board, after it was closed."""
        self._listeners: list[BoardListener] = []
        self._acknowledged = 0
        self._executed = 0
        self._times = 0
        self._time_us = 0
        self._last_event = 0
        self._refused: dict[int, Refused] = {}
        self._lost: RigError | None = None
        self._changed = asyncio.Event()
        self._inbox = Inbox(_NullJournal(self._on_done), self._on_events)
        self.board = make_board(self._inbox)

    def listen(self, listener: BoardListener) -> None:
        """Add a listener for all reports from now on."""
        self._listeners.append(listener)

    @asynccontextmanager
    async def opened(self, wiring: Wiring) -> AsyncIterator[BoardInfo]:
        """Open the board; close it at the end with every output off, also after an error.

        Raises ``BoardError``, also for a report that failed while no call was waiting.
        """
        try:
            opened = await self.board.open(wiring)
        except BaseException:
            self.board.abort()
            raise
        try:
            yield opened
            if self._inbox.failure is not None:
                raise self._inbox.failure
        finally:
            try:
                self.health = await self.board.close()
            # Also when Ctrl-C cancels the exchange: `abort` sends all-off once more and frees the port.
            except BaseException:
                self.board.abort()
                raise

    # --- out --------------------------------------------------------------------------------------------------

    def send(self, *orders: Order) -> int:
        """Send a batch that is based on all received events; return its number."""
        self.sent += 1
        # Epoch 0: an expired lease ends the client, so no batch belongs to a later epoch.
        self.board.batch(orders, self._last_event, 0, self.sent)
        return self.sent

    async def execute(self, *orders: Order) -> None:
        """Send a batch and wait until the board has executed it.

        Raises ``OrderRefusedError`` when the board refuses one of the orders, and ``LinkLostError``.
        """
        number = self.send(*orders)
        while self._executed < number:
            # Not the ACK: a refusal travels in the event stream, and only a later time answer excludes one.
            await self.board_time()
            if number in self._refused:
                refused = self._refused[number]
                what = ", ".join(
                    map(str, orders[refused.order : refused.order + 1] or orders)
                )  # one order, or the whole batch
                kind = NewerEdgeError if refused.reason == "newer_edge" else OrderRefusedError
                raise kind(f"the board refuses '{what}': {refused.reason}")

    async def acknowledged(self, number: int) -> None:
        """Wait until the board has acknowledged a batch. Raises ``LinkLostError``."""
        await self._until(lambda: self._acknowledged >= number)

    async def board_time(self) -> int:
        """Send a time query and return its answer in microseconds, which arrives after all earlier events."""
        times = self._times
        # Board time 0 has always passed, so the host sends the query at once.
        self.board.ask_time(0)
        await self._until(lambda: self._times > times)
        return self._time_us

    async def edge(self, channel: str, levels: Collection[int], within_s: float, since: int | None = None) -> set[str]:
        """Wait at most ``within_s`` for an edge of a channel to one of ``levels``; return the channels that had one.

        The edges that count are those after the first ``since`` of ``edges``, or those to come. Without the
        edge, the other channels show which input may be wired in its place.
        """
        place = len(self.edges) if since is None else since

        def seen() -> set[str]:
            return {edge.channel for edge in self.edges[place:] if edge.level in levels}

        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._until(lambda: channel in seen())
        return seen()

    async def pressed_panic(self, within_s: float) -> bool:
        """Wait at most ``within_s`` for a press of the panic button. Raises ``LinkLostError``."""
        with suppress(TimeoutError, NotReadyError):
            async with asyncio.timeout(within_s):
                await self._until(lambda: self.panic is not None)
        return self.panic is not None

    async def _until(self, met: Callable[[], bool]) -> None:
        while self._lost is None and not met():
            self._changed.clear()
            await self._changed.wait()
        if self._lost is not None:
            raise self._lost

    # --- in ---------------------------------------------------------------------------------------------------

    def _on_events(self) -> None:
        while self._inbox.events:
            event = self._inbox.events.popleft()
            # The host itself reports a fault, which has no number in the board's event order.
            self._last_event = getattr(event, "number", self._last_event)
            self._read(event)
            for listener in self._listeners:
                listener.on_event(event)
        # The first loss is the cause; later ones are its consequences.
        self._lost = self._lost or self._inbox.failure
        self._changed.set()

    def _read(self, event: Event) -> None:
        if isinstance(event, Edge):
            self.edges.append(event)
            self.levels[event.channel] = event.level
        elif isinstance(event, BoardTime):
            # TIME also carries the last executed batch, so one query confirms orders and events.
            self._times += 1
            self._time_us = event.t_us
            self._executed = event.executed
        elif isinstance(event, Refused):
            self._refused[event.batch] = event
        elif isinstance(event, LeaseExpired):
            self._lost = self._lost or LinkLostError(
                "the board's lease has expired: it turned everything off, as this computer was silent for too long"
            )
        elif isinstance(event, Panic):
            self.panic = event
            self._lost = self._lost or NotReadyError(f"{event}; release it and start again")
        elif isinstance(event, Fault):
            self.fault = event
            self._lost = self._lost or LinkLostError(event.detail)

    def _on_done(self, done: BatchDone | OutputDone) -> None:
        if isinstance(done, BatchDone):
            self._acknowledged = done.batch
            self._changed.set()
        for listener in self._listeners:
            listener.on_done(done)


class _NullJournal(Journal):
    """A journal that writes no lines; ``on_done`` handles what the board has finished."""

    def __init__(self, on_done: Callable[[BatchDone | OutputDone], None]) -> None:
        super().__init__(lambda line: None)
        self._on_done = on_done

    def write(self, line: SessionLine) -> None:
        """Handle the end of a batch or an action: call ``on_done``."""
        if isinstance(line, BatchDone | OutputDone):
            self._on_done(line)
