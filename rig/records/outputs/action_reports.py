"""The board's reports of ended actions: with them, which actions ran, and exactly when.

The board reports the end of every pulse, train, tone and ramp, in the order of its events. An action without a report,
although later events came, was refused without a word, as a sequence's may be. A reflex acts some milliseconds after
the stamp of its edge: the report of its end tells when it began.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import defaultdict
from typing import NamedTuple

MAX_DELAY_US = 1_000_000
"""The longest time from the edge of a reflex, or the start of a sequence, to its action: a lock-out, and much more."""
TOLERANCE_US = 1_000
"""More than the ticks of any board and the milliseconds of a ramp's tones round away."""


class Report(NamedTuple):
    """The reported end of an action; ``complete`` if nothing ended it early."""

    t_us: int
    complete: bool


class OutputReports:
    """The reported ends of all outputs, and the times from which reports may be missing."""

    def __init__(self) -> None:
        self.horizon_us = 0
        """The stamp of the latest event of the board: all earlier ends are reported."""
        self._by_output: defaultdict[str, list[Report]] = defaultdict(list)
        self._gaps: list[tuple[int, int]] = []

    def take(self, output: str, report: Report) -> None:
        """Add a reported end."""
        insort(self._by_output[output], report)

    def lose(self, until_us: int) -> None:
        """Record that events since the latest may be lost."""
        self._gaps.append((self.horizon_us, until_us))

    def first_after(self, output: str, t_us: int) -> Report | None:
        """Return the first end of an output after a time; None if none is reported."""
        reports = self._by_output[output]
        place = bisect_right(reports, (t_us, True))
        return reports[place] if place < len(reports) else None

    def misses(self, from_us: int, until_us: int) -> bool:
        """Whether an end in this time would have been reported by now, because later events were."""
        lost = any(begin <= until_us and end >= from_us for begin, end in self._gaps)
        return self.horizon_us > until_us and not lost
