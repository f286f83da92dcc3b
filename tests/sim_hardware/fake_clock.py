"""A clock without asyncio: all that the simulated board needs is to know the time and to be woken."""

import heapq
import math
from collections.abc import Callable
from typing import Any


class Entry:
    """Something to do, unless it is called off."""

    def __init__(self, callback: Callable[..., object], args: tuple[Any, ...]) -> None:
        self.callback = callback
        self.args = args
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    """Does what is due, in the order in which it was asked for; ``run`` ends when nothing is left."""

    def __init__(self) -> None:
        self.now = 0.0
        self._asked = 0
        self._entries: list[tuple[float, int, Entry]] = []

    def time(self) -> float:
        return self.now

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> Entry:
        entry = Entry(callback, args)
        self._asked += 1
        heapq.heappush(self._entries, (max(when, self.now), self._asked, entry))
        return entry

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Entry:
        return self.call_at(self.now + delay, callback, *args)

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Entry:
        return self.call_at(self.now, callback, *args)

    def run(self, until: float = math.inf) -> None:
        """Do everything up to and including an instant."""
        while self._entries and self._entries[0][0] <= until:
            self.now, _, entry = heapq.heappop(self._entries)
            if not entry.cancelled:
                entry.callback(*entry.args)
        if until != math.inf:
            self.now = max(self.now, until)
