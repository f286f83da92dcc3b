"""The spans in which one channel was on."""

from __future__ import annotations

from array import array

OPEN = -1
"""The end of a span that has not ended yet."""


class Lane:
    """The spans in which one channel was on: ``starts`` and ``ends`` in microseconds, an open end is ``OPEN``."""

    def __init__(self) -> None:
        self.starts = array("q")
        self.ends = array("q")

    def on(self, t_us: int, until_us: int = OPEN) -> None:
        """Start a span, with its end if that is known; while one is open, it goes on."""
        if not self.is_on(t_us):
            self.starts.append(t_us)
            self.ends.append(until_us)

    def off(self, t_us: int) -> None:
        """End what is on at this time, and remove what would begin later."""
        while self.starts and self.starts[-1] > t_us:
            self.starts.pop()
            self.ends.pop()
        if self.is_on(t_us):
            self.ends[-1] = t_us

    def is_on(self, t_us: int) -> bool:
        """Whether its last span has no end yet, or a later one than this time."""
        return bool(self.ends) and (self.ends[-1] == OPEN or self.ends[-1] > t_us)

    def take_ended(self, before_us: int) -> tuple[array[int], array[int]]:
        """Return and remove the starts and ends of the spans that ended before a time.

        The last span stays: it says whether the channel is on.
        """
        count = 0
        for end in self.ends[:-1]:
            if end == OPEN or end >= before_us:
                break
            count += 1
        taken = self.starts[:count], self.ends[:count]
        del self.starts[:count], self.ends[:count]
        return taken
