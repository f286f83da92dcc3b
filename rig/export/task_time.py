"""Task time, which stands still in pauses and breaks, on the axis of the session."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rig.export.table import Table


@dataclass(frozen=True)
class TaskTime:
    """The pauses of a session: the task times at which they began, and their lengths, in seconds."""

    starts_s: tuple[float, ...]
    lengths_s: tuple[float, ...]

    @classmethod
    def of(cls, pauses: Table) -> TaskTime:
        """Return the task time of a session with these pauses; one without an end moves nothing."""
        starts_s: list[float] = []
        lengths_s: list[float] = []
        for start_s, end_s, duration_s, _ in sorted(pauses.rows, key=lambda row: float(row[0])):
            if end_s is not None:
                starts_s.append(start_s - sum(lengths_s))
                lengths_s.append(duration_s)
        return cls(tuple(starts_s), tuple(lengths_s))

    def session_time_s(self, task_time_s: Any) -> Any:
        """Return the times since the start of the session; what happened as a pause began is before it."""
        if not self.starts_s:
            return task_time_s
        times = np.asarray(task_time_s, dtype=float)
        before = np.searchsorted(np.round(self.starts_s, 6), np.round(times, 6), side="left")
        shifted = np.round(times + np.concatenate([[0.0], np.cumsum(self.lengths_s)])[before], 6)
        return float(shifted) if shifted.ndim == 0 else _like(shifted, task_time_s)


def _like(shifted: Any, times: Any) -> Any:
    index = getattr(times, "index", None)
    return shifted if index is None or callable(index) else type(times)(shifted, index=index)
