"""Queries that a board answers in order: an answer proves that all earlier orders were executed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from rig.core.clock import Clock
from rig.core.timeout import AnswerTimer


@dataclass
class Question:
    """A question on its way: when it was asked, the last batch before it, whether the task asks, who waits for it."""

    asked_s: float
    batch: int
    of_task: bool = False
    waiting: asyncio.Future[bool] | None = None


class RoundTrips:
    """The questions of one board; ``send`` sends one. Trips longer than ``bound_us`` are counted."""

    def __init__(self, clock: Clock, send: Callable[[], None], bound_us: int) -> None:
        self.late = 0
        self.longest_us = 0
        self._clock = clock
        self._send = send
        self._bound_us = bound_us
        self._asked: deque[Question] = deque()

    @property
    def of_task(self) -> bool:
        """Whether an answer for the task is on its way."""
        return any(question.of_task for question in self._asked)

    @property
    def oldest(self) -> Question | None:
        """Return the query that has waited longest for its answer; None when none waits."""
        return self._asked[0] if self._asked else None

    def ask(self, batch: int, *, of_task: bool = False) -> Question:
        """Send a query after all batches up to ``batch``; return it."""
        question = Question(self._clock.time(), batch, of_task)
        self._asked.append(question)
        self._send()
        return question

    async def wait(self, batch: int, within_s: float) -> bool:
        """Send a query and wait for the answer; return whether it came in time."""
        question = self.ask(batch)
        waiting: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        question.waiting = waiting
        # Not asyncio.timeout: time in which the process was stopped is no silence of the board.
        timer = AnswerTimer(self._clock, within_s, lambda: _resolve(waiting, False))
        try:
            return await waiting
        finally:
            timer.cancel()

    def answered(self) -> Question | None:
        """Handle the answer to the oldest query; return the query, or None when none was sent."""
        if not self._asked:
            return None
        question = self._asked.popleft()
        trip_us = round((self._clock.time() - question.asked_s) * 1e6)
        self.longest_us = max(self.longest_us, trip_us)
        self.late += trip_us > self._bound_us
        return question

    @staticmethod
    def tell(question: Question) -> None:
        """End the wait of a query's caller: its answer has come."""
        if question.waiting is not None:
            _resolve(question.waiting, True)

    def give_up(self) -> None:
        """End the waits of all callers without an answer."""
        for question in self._asked:
            if question.waiting is not None:
                _resolve(question.waiting, False)


def _resolve(waiting: asyncio.Future[bool], came: bool) -> None:
    if not waiting.done():
        waiting.set_result(came)
