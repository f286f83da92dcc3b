"""Requests to the board, repeated until they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from rig.boards.serial.link import Link
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import Message
from rig.core.clock import Clock
from rig.core.errors import BoardNotFoundError, LinkLostError
from rig.core.timeout import DONE_S, AnswerTimer, listening_s

ANSWER_S = 3.0
"""The timeout of a request. A booting board needs most of it: an Uno's bootloader takes up to 2 s."""

# Opening its port resets an Arduino, which loses all bytes until its program runs.
REPEAT_S = 0.25

Handler = Callable[[Message], object]


class RequestTracker:
    """Sends requests on one link and waits for the answers.

    Until the answer arrives, a request replaces the handler of its answer in ``handlers``.
    """

    def __init__(self, link: Link, clock: Clock, handlers: dict[int, Handler]) -> None:
        self.lost: str | None = None
        self._link = link
        self._clock = clock
        self._handlers = handlers
        self._awaited: dict[int, asyncio.Future[Message]] = {}
        self._change: asyncio.Future[Message] | None = None

    def _answer(self, message: Message) -> None:
        _resolve(self._awaited[message[0]], message)

    def changed(self) -> None:
        """Run the check of a waiting ``until`` again: its condition may have changed."""
        if self._change is not None:
            _resolve(self._change, ())

    def give_up(self, why: str) -> None:
        """Cancel all requests: the board is lost."""
        self.lost = why
        for future in self._awaited.values():
            _resolve(future, ())
        self.changed()

    async def request(self, kind: wire.Kind, values: tuple[int, ...], answer: wire.Kind) -> Message:
        """Send a message repeatedly until its answer arrives. Raises ``BoardNotFoundError`` after ``ANSWER_S``."""
        left_s = ANSWER_S
        usual = self._handlers.get(answer.code)
        try:
            while self.lost is None and left_s > DONE_S:
                future = self._awaited[answer.code] = asyncio.get_running_loop().create_future()
                self._handlers[answer.code] = self._answer
                self._link.send(kind, *values)
                since_s = self._clock.time()
                # In the foreground: a simulation that still repeats a request has no deadlock.
                timer = self._clock.call_later(REPEAT_S, _resolve, future, ())
                message: Message = await future
                timer.cancel()
                if message:
                    return message
                # Count only time in which the host listened: a stalled host is no sign of a dead board.
                left_s -= listening_s(self._clock.time() - since_s, REPEAT_S)
        finally:
            self._awaited.pop(answer.code, None)
            self._handlers.pop(answer.code, None)
            if usual is not None:
                self._handlers[answer.code] = usual
        raise BoardNotFoundError(self.lost or f"nothing that speaks the wire answered {kind.name} in {ANSWER_S:g} s")

    async def until(self, condition: Callable[[], bool], otherwise: str) -> None:
        """Wait until ``condition`` is true. Raises ``LinkLostError`` with ``otherwise`` after ``ANSWER_S``."""
        timer = AnswerTimer(self._clock, ANSWER_S, self.changed)
        try:
            while not condition():
                if self.lost is not None or timer.expired:
                    raise LinkLostError(self.lost or otherwise)
                self._change = asyncio.get_running_loop().create_future()
                await self._change
        finally:
            self._change = None
            timer.cancel()


def _resolve(future: asyncio.Future[Message], message: Message) -> None:
    if not future.done():
        future.set_result(message)
