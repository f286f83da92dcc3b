"""A loop in virtual time on which real sockets carry bytes: these take no time, as in the computer's memory.

asyncio's own loop does the work, so that programs under test use its real transports. Its selector jumps to the next
timer when no socket has anything left to deliver. On Linux a connection and its end arrive at once; bytes are counted.
"""

import asyncio
import heapq
import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

SETTLE_S = 0.01
MOST_SETTLES = 100
"""After so long without a byte, bytes in flight are those that a closed socket has thrown away."""


class Traffic:
    """The bytes that this process has sent by sockets and not received yet."""

    def __init__(self) -> None:
        self.in_flight = 0

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        send, receive = socket.socket.send, socket.socket.recv

        def count_sent(end: socket.socket, data: Any, *flags: int) -> int:
            sent = send(end, data, *flags)
            self.in_flight += sent
            return sent

        def count_received(end: socket.socket, size: int, *flags: int) -> bytes:
            data = receive(end, size, *flags)
            self.in_flight -= len(data)
            return data

        patch.setattr(socket.socket, "send", count_sent)
        patch.setattr(socket.socket, "recv", count_received)


class JumpingSelector(selectors.DefaultSelector):
    """A selector whose time-outs pass at once, when no byte is on its way."""

    def __init__(self, traffic: Traffic) -> None:
        super().__init__()
        self.now_s = 0.0
        self._traffic = traffic

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        events = super().select(0)
        settles = 0
        while not events and self._traffic.in_flight and settles < MOST_SETTLES:
            events = super().select(SETTLE_S)
            settles += 1
        if not events and timeout is None:
            raise RuntimeError("nothing is left that could happen")
        if not events and timeout:
            self._traffic.in_flight = 0
            self.now_s += timeout
        return events


class Timer(asyncio.TimerHandle):
    """A timer that fires in the order of the calls that have set it, among those of one time."""

    def __init__(self, order: int, when: float, *further: Any) -> None:
        super().__init__(when, *further)
        self.order = order

    def __lt__(self, other: Any) -> bool:
        return (self.when(), self.order) < (other.when(), other.order)


class SocketLoop(asyncio.SelectorEventLoop):
    """asyncio's loop, in the time of its selector."""

    _scheduled: list[Timer]

    def __init__(self, traffic: Traffic) -> None:
        self._jumping = JumpingSelector(traffic)
        self._order = 0
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s

    def call_at(self, when: float, callback: Any, *args: Any, context: Any = None) -> Timer:
        self._order += 1
        timer = Timer(self._order, when, callback, args, self, context)
        heapq.heappush(self._scheduled, timer)
        timer._scheduled = True  # type: ignore[attr-defined]
        return timer


@contextmanager
def socket_loops() -> Iterator[asyncio.Runner]:
    """Yield what runs coroutines on such a loop."""
    traffic = Traffic()
    with pytest.MonkeyPatch.context() as patch:
        traffic.watch(patch)
        with asyncio.Runner(loop_factory=lambda: SocketLoop(traffic)) as runner:
            yield runner
