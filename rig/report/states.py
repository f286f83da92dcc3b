"""How often a session was in each state, how long, and where it went from there."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from rig.core.journal.kinds import StateLine
from rig.core.model.line import Line
from rig.records.session.task_clock import TaskClock


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


def state_times(lines: Iterable[Line], end_us: int) -> list[StateTimes]:
    """Return the states of a session in the order of their first visit; the last visit ends with the session."""
    times: dict[str, StateTimes] = {}
    clock = TaskClock()
    inside: tuple[str, int] | None = None
    for line in lines:
        clock.take(line)
        if isinstance(line, StateLine):
            at_us = clock.running_us(line.t_us)
            if inside is not None:
                _leave(times, inside, at_us)
                times[inside[0]].following[line.name] += 1
            inside = line.name, at_us
            times.setdefault(line.name, StateTimes(line.name))
    if inside is not None:
        _leave(times, inside, clock.running_us(end_us))
    return list(times.values())


def _leave(found: dict[str, StateTimes], inside: tuple[str, int], at_us: int) -> None:
    name, since_us = inside
    found[name].lengths_us.append(max(0, at_us - since_us))
