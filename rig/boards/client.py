"""One host and one board without a task: open, order, wait for what the board answers, close."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Generic, TypeVar

from rig.core.engine.inbox import Inbox
from rig.core.errors import LinkLostError, OrderRefusedError, RigError
from rig.core.journal.journal import Journal
from rig.core.model.actions import Order
from rig.core.model.board import Board, BoardInfo, Health, Wiring
from rig.core.model.events import BoardTime, Edge, Event, Fault, LeaseExpired, Refused

AnyBoard = TypeVar("AnyBoard", bound=Board)


class BoardListener:
    """What follows a board's reports; overrides what it needs."""

    def on_event(self, event: Event) -> None:
        """Handle an event."""

    def on_done(self, t_us: int, what: str, which: str | int) -> None:
        """Handle that the board has finished a batch, an output's action or a sequence."""


class BoardClient(Generic[AnyBoard]):
    """Orders to one board and its answers, for measurements and channel tests; nothing is journalled.

    ``make_board`` builds the board that reports into an inbox.
    """

    def __init__(self, make_board: Callable[[Inbox], AnyBoard]) -> None:
        self.edges: list[Edge] = []
        """Every edge that the board has reported, in its order."""
        self.levels: dict[str, int] = {}
        """The level of every input whose edge was reported last."""
        self.sent = 0
        """How many batches have been sent; the last one's number."""
        self.fault: Fault | None = None
        self.health: Health | None = None
        """The counters of the session, once it is over."""
        self._listeners: list[BoardListener] = []
        self._acknowledged = 0
        self._executed = 0
        self._times = 0
        self._last_event = 0
        self._refused: dict[int, Refused] = {}
        self._lost: RigError | None = None
        self._changed = asyncio.Event()
        self._inbox = Inbox(_NullJournal(self._on_done), self._on_events)
        self.board = make_board(self._inbox)

    def listen(self, listener: BoardListener) -> None:
        """Let a listener follow what the board reports from now on."""
        self._listeners.append(listener)

    @asynccontextmanager
    async def opened(self, wiring: Wiring) -> AsyncIterator[BoardInfo]:
        """Open the board, and close it in the end with every output off, whatever happens.

        Raises ``BoardError``, also for reports that could not be read while nothing was waited for.
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
            except BaseException:
                self.board.abort()
                raise

    # --- out --------------------------------------------------------------------------------------------------

    def send(self, *orders: Order) -> int:
        """Send a batch, in the knowledge of every event that has arrived; return its number."""
        self.sent += 1
        self.board.batch(orders, self._last_event, 0, self.sent)
        return self.sent

    async def execute(self, *orders: Order) -> None:
        """Send a batch and wait until the board has executed it.

        Raises ``OrderRefusedError`` when the board refuses one of the orders, and ``LinkLostError``.
        """
        number = self.send(*orders)
        while self._executed < number:
            await self.board_time()
            if number in self._refused:
                refused = self._refused[number]
                what = ", ".join(map(str, orders[refused.order : refused.order + 1] or orders))  # one, or all
                raise OrderRefusedError(f"the board refuses '{what}': {refused.reason}")

    async def acknowledged(self, number: int) -> None:
        """Wait until the board has acknowledged a batch. Raises ``LinkLostError``."""
        await self._until(lambda: self._acknowledged >= number)

    async def board_time(self) -> None:
        """Ask for the board's time and wait for the answer, which follows all earlier events."""
        times = self._times
        self.board.ask_time(0)
        await self._until(lambda: self._times > times)

    async def edge(self, channel: str, levels: Collection[int], within_s: float, since: int | None = None) -> set[str]:
        """Wait at most ``within_s`` for an edge of a channel to one of ``levels``; return the channels that had one.

        The edges that count are those after the first ``since`` of ``edges``, or those to come. When the wait ends
        without the edge, the other channels tell what may have been wired in its place.
        """
        place = len(self.edges) if since is None else since

        def seen() -> set[str]:
            return {edge.channel for edge in self.edges[place:] if edge.level in levels}

        with suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self._until(lambda: channel in seen())
        return seen()

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
            self._last_event = getattr(event, "number", self._last_event)
            self._read(event)
            for listener in self._listeners:
                listener.on_event(event)
        self._lost = self._lost or self._inbox.failure
        self._changed.set()

    def _read(self, event: Event) -> None:
        if isinstance(event, Edge):
            self.edges.append(event)
            self.levels[event.channel] = event.level
        elif isinstance(event, BoardTime):
            self._times += 1
            self._executed = event.executed
        elif isinstance(event, Refused):
            self._refused[event.batch] = event
        elif isinstance(event, LeaseExpired):
            self._lost = self._lost or LinkLostError(
                "the board's lease has expired: it turned everything off, as this computer was silent for too long"
            )
        elif isinstance(event, Fault):
            self.fault = event
            self._lost = self._lost or LinkLostError(event.detail)

    def _on_done(self, t_us: int, what: str, which: str | int) -> None:
        if what == "batch":
            self._acknowledged = int(which)
            self._changed.set()
        for listener in self._listeners:
            listener.on_done(t_us, what, which)


class _NullJournal(Journal):
    """A journal that keeps no line; ``on_done`` handles what the board has finished."""

    def __init__(self, on_done: Callable[[int, str, str | int], None]) -> None:
        super().__init__(lambda line: None)
        self._on_done = on_done

    def event(self, event: Event) -> None:
        """Write nothing."""

    def done(self, t_us: int, what: str, which: str | int) -> None:
        """Handle it."""
        self._on_done(t_us, what, which)
