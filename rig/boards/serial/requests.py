"""Requests to the board, repeated until they are answered."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rig.boards.serial.link import Link
from rig.boards.wire import messages as wire
from rig.boards.wire.messages import Message
from rig.core.clock import Clock
from rig.core.errors import BoardNotFoundError, LinkLostError
from rig.core.timeout import DONE_S, AnswerTimer, listening_s

ANSWER_S = 3.0
"""The timeout of a request."""

# A request or its answer may be damaged on the line.
REPEAT_S = 0.25

SETTLE_S = 0.05
"""How long after the opening of a port its bytes may be older than the reset that the opening causes.

The USB chip holds them back, an FTDI chip for 16 ms. After a reset an AVR starts no earlier than 65 ms (its fuses).
"""

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
        with self._handling(answer, self._answer):
            while self.lost is None and left_s > DONE_S:
                future = self._expect(answer)
                self._link.send(kind, *values)
                message, listened_s = await self._listen(future, REPEAT_S)
                if message:
                    return message
                left_s -= listened_s
        raise BoardNotFoundError(self.lost or f"no board with this program's firmware answered in {ANSWER_S:g} s")

    async def wait_quietly(self, answer: wire.Kind, within_s: float) -> Message:
        """Wait for a message that the board sends by itself, and send nothing meanwhile.

        Return an empty message after ``within_s`` seconds, or when another valid frame shows that the program runs.
        """
        left_s = within_s
        with self._handling(answer, ignore):
            # A piece in which the host did not listen may have left old bytes unread.
            while self.lost is None and left_s == within_s > 0:
                left_s -= (await self._listen(self._expect(answer), SETTLE_S))[1]
        valid_frames = self._link.protocol.valid_frames
        with self._handling(answer, self._answer):
            while self.lost is None and left_s > DONE_S and self._link.protocol.valid_frames == valid_frames:
                message, listened_s = await self._listen(self._expect(answer), min(REPEAT_S, left_s))
                if message:
                    return message
                left_s -= listened_s
        return ()

    def _expect(self, answer: wire.Kind) -> asyncio.Future[Message]:
        future = self._awaited[answer.code] = asyncio.get_running_loop().create_future()
        return future

    async def _listen(self, future: asyncio.Future[Message], piece_s: float) -> tuple[Message, float]:
        """Wait for an answer; return it, or an empty message, and the seconds in which the host listened.

        A stalled host is no sign of a dead board, so a time limit counts only those.
        """
        since_s = self._clock.time()
        # In the foreground: a simulation that still waits for an answer has no deadlock.
        timer = self._clock.call_later(piece_s, _resolve, future, ())
        message = await future
        timer.cancel()
        return message, listening_s(self._clock.time() - since_s, piece_s)

    @contextmanager
    def _handling(self, answer: wire.Kind, handler: Handler) -> Iterator[None]:
        """Handle an answer in another way, for as long as the context is entered."""
        usual = self._handlers.get(answer.code)
        self._handlers[answer.code] = handler
        try:
            yield
        finally:
            self._awaited.pop(answer.code, None)
            self._handlers.pop(answer.code, None)
            if usual is not None:
                self._handlers[answer.code] = usual

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


def ignore(message: Message) -> None:
    """Handle no message."""


def _resolve(future: asyncio.Future[Message], message: Message) -> None:
    if not future.done():
        future.set_result(message)
