"""When to report which item the pointer is over: at each change, but not more often than a person can look."""

from __future__ import annotations

INTERVAL_US = 50_000
"""The shortest time between two reports, so at most 20 lines a second.

A sweep over a grid crosses a tile in a few milliseconds. A person who looks at one stays for at least the 100 to 200 ms
of a glance (the shortest fixations of reading are 100 ms: Rayner 1998, doi:10.1037/0033-2909.124.3.372).
"""


class HoverThrottle:
    """A filter of the item under the pointer; the last change is always reported, at the latest after the interval."""

    def __init__(self, interval_us: int = INTERVAL_US) -> None:
        self._interval_us = interval_us
        self._on = self._told = ""
        self._next_us = 0

    def move(self, on: str) -> None:
        """Record the item under the pointer, empty beside all items."""
        self._on = on

    @property
    def due_us(self) -> int | None:
        """Return from when on the item may be reported; None if the last report still holds."""
        return None if self._on == self._told else self._next_us

    def report(self, now_us: int) -> str:
        """Return the item to report now; the next report is due an interval later."""
        self._told = self._on
        self._next_us = now_us + self._interval_us
        return self._told
