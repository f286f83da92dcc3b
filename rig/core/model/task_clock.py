"""Task time: the time of a session without its pauses and gaps, in which it stands still."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Times: TypeAlias = "NDArray[np.int64]"
"""Microseconds."""


class TaskClock:
    """The pauses and gaps so far; all times are in microseconds. See docs/decisions/pauses.md."""

    def __init__(self) -> None:
        self._spans: list[tuple[int, int]] = []
        """For each: the task time at which it began, and how long it was."""
        self._sums: list[int] | None = [0]
        """The lengths of the first spans together, for each number of them; None after a new one."""
        self.stopped_us = 0
        """How long the pauses and gaps that have ended were."""
        self._open_us: int | None = None

    def pause(self, t_us: int) -> None:
        """Stop task time from a time of the session on."""
        self._open_us = t_us

    def resume(self, length_us: int) -> None:
        """End the open pause, which was that long."""
        if self._open_us is not None:
            began_us, self._open_us = self._open_us, None
            self.exclude(began_us, length_us)

    def exclude(self, began_us: int, length_us: int) -> None:
        """Add a span that began at a time of the session and is over."""
        self._spans.append((began_us - self.stopped_us, length_us))
        self.stopped_us += length_us
        self._sums = None

    @property
    def is_paused(self) -> bool:
        """Whether the session is paused."""
        return self._open_us is not None

    @property
    def has_paused(self) -> bool:
        """Whether time stood still before, in a pause or a gap that is over."""
        return bool(self._spans)

    def running_us(self, t_us: int) -> int:
        """Return for how long the task had run at a time, which is not before the last pause."""
        until_us = t_us if self._open_us is None else min(t_us, self._open_us)
        return until_us - self.stopped_us

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

    def all_task_us(self, session_us: Times) -> Times:
        """Return what `task_us` does, of many times at once."""
        import numpy as np  # here, because the displays of a running session do without

        if self._open_us is not None:
            session_us = np.minimum(session_us, self._open_us)
        if not self._spans:
            return session_us
        lengths_us = np.array(self._lengths_us)
        began_us = np.array([began_us for began_us, _ in self._spans])
        before = np.searchsorted(began_us + lengths_us[:-1], session_us)
        least_us = np.where(before > 0, began_us[before - 1], session_us)
        converted: Times = np.maximum(session_us - lengths_us[before], least_us)
        return converted

    @property
    def _lengths_us(self) -> list[int]:
        """Return the lengths of the first spans together, for each number of them."""
        if self._sums is None:
            self._spans.sort()
            self._sums = [0, *accumulate(length_us for _, length_us in self._spans)]
        return self._sums
