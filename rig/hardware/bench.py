"""Measures a board from the host: how long an order takes to be acknowledged, how long a question to be answered."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rig.core.actions import NOTHING
from rig.core.board import Board, Opened, Wiring
from rig.core.clock import Clock
from rig.core.errors import LinkLostError, RigError
from rig.core.events import Fault, LeaseExpired
from rig.core.inbox import Inbox
from rig.hardware.latencies import Latencies, latencies
from rig.hardware.unwritten import Unwritten

REST_S = 0.002
"""Between two questions a random while of one to two such times: the board's loop is met in every phase."""


@dataclass(frozen=True)
class Measured:
    """What was found: the board, its latencies, how much faster than the host's its clock ran, and its counters."""

    opened: Opened
    latencies: tuple[Latencies, ...]
    rate_ppm: int | None
    counters: dict[str, int]


async def measure(make: Callable[[Inbox], Board], clock: Clock, n: int, seed: int = 1) -> Measured:
    """Open a board to which nothing is wired, measure, and close it. Raises ``BoardError``."""
    journal = Unwritten()
    inbox = Inbox(journal)
    board = make(inbox)
    try:
        opened = await board.open(Wiring(()))
        bench = _Bench(board, inbox, journal, clock, random.Random(seed))
        found = (
            latencies("order to acknowledgement", [await bench.timed(bench.order) for _ in range(n)]),
            latencies("question to answer", [await bench.timed(bench.question) for _ in range(n)]),
        )
        health = await board.close()
    except BaseException:
        board.abort()
        raise
    counters = dict(health.counters)
    return Measured(opened, found, counters.pop("rate_ppm", None), counters)


class _Bench:
    def __init__(self, board: Board, inbox: Inbox, journal: Unwritten, clock: Clock, chance: random.Random) -> None:
        self._board = board
        self._inbox = inbox
        self._clock = clock
        self._random = chance
        self._answer: asyncio.Future[None] | None = None
        self._lost: RigError | None = None
        self._batches = 0
        inbox.wake = self._on_event
        journal.on_done = lambda t_us, what, which: self._on_answer() if what == "batch" else None

    async def timed(self, act: Callable[[], Awaitable[None]]) -> tuple[float, float]:
        """Rest, do something and wait for its answer; give both times in microseconds."""
        await asyncio.sleep(REST_S * (1 + self._random.random()))
        begun_s = self._clock.time()
        await act()
        return begun_s * 1e6, self._clock.time() * 1e6

    async def order(self) -> None:
        """Order nothing at all, which is acknowledged like any other order."""
        self._batches += 1
        await self._answer_to(lambda: self._board.batch((NOTHING,), 0, 0, self._batches))

    async def question(self) -> None:
        """Ask for the board's time."""
        await self._answer_to(lambda: self._board.ask_time(0))

    async def _answer_to(self, ask: Callable[[], None]) -> None:
        if self._lost is not None:
            raise self._lost
        self._answer = asyncio.get_running_loop().create_future()
        ask()
        await self._answer

    def _on_event(self) -> None:
        while self._inbox.events:
            event = self._inbox.events.popleft()
            if isinstance(event, Fault | LeaseExpired):
                self._lost = LinkLostError(
                    getattr(event, "detail", "the board's lease has expired: this computer stalls")
                )
        self._lost = self._lost or self._inbox.failure
        if self._lost is not None and self._answer is not None and not self._answer.done():
            self._answer.set_exception(self._lost)
        self._on_answer()

    def _on_answer(self) -> None:
        if self._answer is not None and not self._answer.done():
            self._answer.set_result(None)
