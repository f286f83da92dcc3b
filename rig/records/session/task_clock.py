"""Convert task time to the time of the session: the tables of a session are without its pauses and gaps."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from rig.core.journal.kinds import Paused, Resumed
from rig.core.model.events import Continued
from rig.core.model.line import Line


class TaskClock:
    """The pauses and gaps of the lines taken so far; task time stands still in them."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []
        """For each: the task time at which it began, and how long it was, in microseconds."""
        self._sums: list[int] | None = [0]
        """The lengths of the first spans together, for each number of them; None after a new one."""
        self.stopped_us = 0
        """How long the pauses and gaps that have ended were."""
        self._open_us: int | None = None

    def take(self, line: Line) -> None:
        """Read the next line."""
        match line:
            case Paused():
                self._open_us = line.t_us
            case Resumed():
                began_us, self._open_us = self._open_us, None
                self._add(line.t_us - line.paused_us if began_us is None else began_us, line.paused_us)
            case Continued() if self._open_us is None:  # a pause that was open includes the gap
                self._add(line.t_us - line.gap_us, line.gap_us)

    def _add(self, began_us: int, length_us: int) -> None:
        self._spans.append((began_us - self.stopped_us, length_us))
        self.stopped_us += length_us
        self._sums = None

    @property
    def paused(self) -> bool:
        """Whether the session is paused."""
        return self._open_us is not None

    def running_us(self, t_us: int) -> int:
        """Return for how long the task had run at a time, which is not before the last pause."""
        until_us = t_us if self._open_us is None else min(t_us, self._open_us)
        return until_us - self.stopped_us

    @property
    def has_paused(self) -> bool:
        """Whether task time ever stood still."""
        return bool(self._spans)

    def session_us(self, task_us: int) -> int:
        """Return the time of the session at a task time; that at which a pause began is the time of its begin."""
        return task_us + self._lengths_us[bisect_left(self._spans, (task_us,))]

    def task_us(self, session_us: int) -> int:
        """Return the task time at a time of the session; in a pause or a gap that at which it began."""
        if self._open_us is not None:
            session_us = min(session_us, self._open_us)
        lengths_us = self._lengths_us
        before = bisect_left(range(len(self._spans)), session_us, key=lambda n: self._spans[n][0] + lengths_us[n])
        began_us = self._spans[before - 1][0] if before else session_us
        return max(session_us - lengths_us[before], began_us)

    @property
    def _lengths_us(self) -> list[int]:
        """Return the lengths of the first spans together, for each number of them."""
        if self._sums is None:
            self._spans.sort()
            self._sums = [0, *accumulate(length_us for _, length_us in self._spans)]
        return self._sums
