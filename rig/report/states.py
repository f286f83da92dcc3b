"""How often a session was in each state, how long, and where it went from there."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rig.core.model.task_clock import TaskClock
from rig.records.session.state_spans import StateSpan


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


def state_times(spans: Iterable[StateSpan], clock: TaskClock, end_us: int) -> list[StateTimes]:
    """Return the states of a session in the order of their first visit; a visit without an end lasts to ``end_us``."""
    times: dict[str, StateTimes] = {}
    before: StateTimes | None = None
    for span in spans:
        state = times.setdefault(span.state, StateTimes(span.state))
        left_us = end_us if span.end_us is None else span.end_us
        state.lengths_us.append(max(0, clock.task_us(left_us) - clock.task_us(span.start_us)))
        if before is not None:
            before.following[span.state] += 1
        before = state
    return list(times.values())
