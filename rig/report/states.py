"""How often a session was in each state, how long, and where it went from there."""

from __future__ import annotations

import statistics
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from rig.core.model.task_clock import TaskClock
from rig.records.session.state_spans import StateSpans


@dataclass
class StateTimes:
    """The visits of one state, each with its length in task time, and the states that followed."""

    name: str
    lengths_us: list[int] = field(default_factory=list)
    following: Counter[str] = field(default_factory=Counter)

    @property
    def total_us(self) -> int:
        """Return the time in this state."""
        return sum(self.lengths_us)

    @property
    def median_us(self) -> float:
        """Return the median length of a visit."""
        return statistics.median(self.lengths_us)


def state_times(spans: StateSpans, clock: TaskClock, end_us: int) -> list[StateTimes]:
    """Return the states of a session in the order of their first visit; a visit without an end lasts to ``end_us``."""
    times: dict[str, StateTimes] = {}
    before: StateTimes | None = None
    entered_us = np.fromiter((span.start_us for span in spans), np.int64)
    left_us = np.fromiter((end_us if span.end_us is None else span.end_us for span in spans), np.int64)
    lengths_us = np.maximum(0, clock.all_task_us(left_us) - clock.all_task_us(entered_us)).tolist()
    for span, length_us in zip(spans, lengths_us, strict=True):
        state = times.setdefault(span.state, StateTimes(span.state))
        state.lengths_us.append(length_us)
        if before is not None:
            before.following[span.state] += 1
        before = state
    return list(times.values())
