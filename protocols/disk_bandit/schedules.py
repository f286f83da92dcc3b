"""Schedules of reward of the disks: variable intervals with individual clocks, and random ratios.

No timer runs here. An interval is two times, known when it is drawn: its start, and the time from which its reward
waits. A peck is compared with these times.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from protocols.disk_bandit.params import ViParams
from rig import Column, Row, Stream, to_s, to_us


@dataclass
class Interval(Row):
    """One interval of one disk; times are seconds of the session, empty for events that did not happen."""

    disk: Annotated[int, Column("number of the disk")]
    draw_s: Annotated[float, Column("length of the interval as drawn")]
    t_started: Annotated[float | None, Column("when the interval started to run")] = None
    t_armed: Annotated[float | None, Column("when the interval was over, so that a reward waited")] = None
    t_collected: Annotated[float | None, Column("when a peck collected the reward; empty if none did")] = None
    session: Annotated[int, Column("with people: the session within the visit, 1 to 6; otherwise 1")] = 1
    vi_s: Annotated[float | None, Column("mean interval of the disk's schedule")] = None


RUNNING = "intervals_running"
"""The note that says when each disk's interval began and elapses; a view shows it."""
NONE_RUNNING: Mapping[str, Sequence[float]] = {"by": (), "since": (), "start": ()}
"""Its fields at the end, when the table has all intervals."""


class Schedule(ABC):
    """Base class of schedules, which decide whether a peck is rewarded."""

    @abstractmethod
    def waits(self, disk: int, t_s: float) -> bool:
        """Whether a reward is waiting at a disk."""

    @abstractmethod
    def wins(self, disk: int, t_s: float) -> bool:
        """Return whether a peck is rewarded; to be called once per peck."""


class RatioSchedule(Schedule):
    """Random ratios: each peck is rewarded with a probability, and rewards do not wait."""

    def __init__(self, p: Mapping[int, float], stream: Callable[[str], Stream]) -> None:
        self._p = p
        self._streams = {disk: stream(f"rr.{disk}") for disk in p}

    def waits(self, disk: int, t_s: float) -> bool:
        """Return False: rewards do not wait."""
        return False

    def wins(self, disk: int, t_s: float) -> bool:
        """Return whether this peck is rewarded, by a draw."""
        return self._streams[disk].bernoulli(self._p[disk])


@dataclass(slots=True)
class _Timer:
    """State of one disk: the last interval, its start, and when its reward waits; None before the start."""

    draws: Iterator[float]
    draw_us: int = 0
    started_us: int | None = None
    armed_us: int | None = None


class IntervalSchedule(Schedule):
    """Variable intervals: once a disk's interval has elapsed, its reward waits until it is collected."""

    def __init__(
        self, params: ViParams, vi_s: Mapping[int, float], stream: Callable[[str], Stream], session: int = 1
    ) -> None:
        self._session = session
        self._vi_s = vi_s
        # A stream for each disk: pecks on one do not change another's intervals (docs/decisions/random-streams.md).
        self._timers = {disk: _Timer(draws(params, mean_s, stream(f"vi.{disk}"))) for disk, mean_s in vi_s.items()}
        for disk in self._timers:
            self.draw(disk)

    def draw(self, disk: int) -> float:
        """Draw a disk's next interval, which is not started; return it in seconds."""
        timer = self._timers[disk]
        timer.draw_us = to_us(next(timer.draws))
        timer.started_us = timer.armed_us = None
        return to_s(timer.draw_us)

    def start(self, disk: int, t_s: float) -> None:
        """Start a disk's interval."""
        timer, t_us = self._timers[disk], to_us(t_s)
        timer.started_us, timer.armed_us = t_us, t_us + timer.draw_us

    def start_all(self, t_s: float) -> None:
        """Start the intervals of all disks."""
        for disk in self._timers:
            self.start(disk, t_s)

    def paused(self, from_s: float, until_s: float) -> None:
        """Stop all clocks between two times: rewards that were not waiting yet are delayed by this time."""
        from_us, until_us = to_us(from_s), to_us(until_s)
        for timer in self._timers.values():
            if timer.armed_us is not None and timer.armed_us > from_us:
                timer.armed_us += until_us - from_us

    def waits(self, disk: int, t_s: float) -> bool:
        """Whether a disk's interval has elapsed."""
        armed_us = self._timers[disk].armed_us
        # In whole microseconds: a peck in the microsecond in which the interval ends is rewarded.
        return armed_us is not None and armed_us <= to_us(t_s)

    def wins(self, disk: int, t_s: float) -> bool:
        """Return whether a reward is waiting, which the peck then collects."""
        return self.waits(disk, t_s)

    def collected(self, disk: int, t_s: float) -> Interval:
        """Return the table row of a disk's collected interval."""
        return self._told(disk, t_s, t_s)

    def left(self, t_s: float) -> list[Interval]:
        """Return the table rows of all intervals that were not collected."""
        return [self._told(disk, t_s, None) for disk in self._timers]

    def running(self) -> dict[str, list[float]]:
        """Return the intervals that have started, with mean, start and end of each, as the view of intervals reads it.

        In seconds of the session; clocks that stop later delay an end.
        """
        started = {
            self._vi_s[disk]: (to_s(timer.started_us), to_s(timer.armed_us))
            for disk, timer in self._timers.items()
            if timer.started_us is not None and timer.armed_us is not None
        }
        begins_ends = list(started.values())
        return {
            "by": list(started),
            "since": [began_s for began_s, _ in begins_ends],
            "start": [armed_s for _, armed_s in begins_ends],
        }

    def _told(self, disk: int, t_s: float, t_collected: float | None) -> Interval:
        timer, t_us = self._timers[disk], to_us(t_s)
        return Interval(
            disk=disk,
            draw_s=to_s(timer.draw_us),
            t_started=None if timer.started_us is None else to_s(timer.started_us),
            t_armed=to_s(timer.armed_us) if timer.armed_us is not None and timer.armed_us <= t_us else None,
            t_collected=t_collected,
            session=self._session,
            vi_s=self._vi_s[disk],
        )


def draws(params: ViParams, mean_s: float, stream: Stream) -> Iterator[float]:
    """Yield intervals around a mean, without end."""
    law = params.vi_distribution
    if law == "fleshler_hoffman":
        steps = [mean_s * step for step in fleshler_hoffman(params.vi_intervals)]
        while True:
            yield from stream.shuffled(steps)
    while True:
        if law == "uniform_pm":
            yield mean_s * (1 + params.vi_jitter * stream.uniform(-1, 1))
        elif law == "exponential":
            yield stream.exponential(mean_s)
        else:
            yield mean_s


def fleshler_hoffman(count: int) -> list[float]:
    """Return the progression of Fleshler and Hoffman (1962) for a mean of 1: ``count`` equally likely intervals."""

    def weighed(number: int) -> float:
        return number * math.log(number) if number else 0.0  # 0 ln 0 = 0

    return [
        1 + math.log(count) + weighed(count - number) - weighed(count - number + 1) for number in range(1, count + 1)
    ]
