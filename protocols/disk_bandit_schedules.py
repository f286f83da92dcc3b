"""When a disk pays: variable intervals, each with a clock of its own, and random ratios.

Nothing here waits. An interval is two times that are known when it is drawn: when it began, and when its reward will be
waiting. A peck only compares.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from protocols.disk_bandit_params import ViParams
from rig import Row, Stream, to_s, to_us


@dataclass
class Interval(Row):
    """One interval of one disk; times are seconds of the session, empty where it never came to that."""

    disk: int
    draw_s: float
    t_started: float | None = None
    t_armed: float | None = None
    t_collected: float | None = None
    session: int = 1


class Schedule(ABC):
    """Says of every disk whether a peck wins a reward."""

    @abstractmethod
    def waits(self, disk: int, t_s: float) -> bool:
        """Whether a reward is waiting at a disk, whoever comes or not."""

    @abstractmethod
    def wins(self, disk: int, t_s: float) -> bool:
        """Decide about a peck; asked once for each."""


class RatioSchedule(Schedule):
    """A probability for every peck: nothing ever waits."""

    def __init__(self, p: Mapping[int, float], stream: Callable[[str], Stream]) -> None:
        self._p = p
        self._streams = {disk: stream(f"rr.{disk}") for disk in p}

    def waits(self, disk: int, t_s: float) -> bool:
        """Tell that none is."""
        return False

    def wins(self, disk: int, t_s: float) -> bool:
        """Draw."""
        return self._streams[disk].bernoulli(self._p[disk])


@dataclass(slots=True)
class _Timer:
    """One disk: what was drawn last, when that began, and when its reward is waiting; None until it begins."""

    draws: Iterator[float]
    draw_us: int = 0
    started_us: int | None = None
    armed_us: int | None = None


class IntervalSchedule(Schedule):
    """A variable interval for every disk; once it has elapsed, its reward waits until it is collected."""

    def __init__(
        self, params: ViParams, vi_s: Mapping[int, float], stream: Callable[[str], Stream], session: int = 1
    ) -> None:
        self._session = session
        self._timers = {disk: _Timer(draws(params, mean_s, stream(f"vi.{disk}"))) for disk, mean_s in vi_s.items()}
        for disk in self._timers:
            self.draw(disk)

    def draw(self, disk: int) -> float:
        """Draw a disk's next interval, which has yet to begin; return it in seconds."""
        timer = self._timers[disk]
        timer.draw_us = to_us(next(timer.draws))
        timer.started_us = timer.armed_us = None
        return to_s(timer.draw_us)

    def start(self, disk: int, t_s: float) -> None:
        """Let a disk's interval begin."""
        timer, t_us = self._timers[disk], to_us(t_s)
        timer.started_us, timer.armed_us = t_us, t_us + timer.draw_us

    def start_all(self, t_s: float) -> None:
        """Let every disk's interval begin."""
        for disk in self._timers:
            self.start(disk, t_s)

    def paused(self, from_s: float, until_s: float) -> None:
        """Say that all clocks have stood still between two times: what was not waiting yet will be so much later."""
        from_us, until_us = to_us(from_s), to_us(until_s)
        for timer in self._timers.values():
            if timer.armed_us is not None and timer.armed_us > from_us:
                timer.armed_us += until_us - from_us

    def waits(self, disk: int, t_s: float) -> bool:
        """Whether a disk's interval has elapsed."""
        armed_us = self._timers[disk].armed_us
        return armed_us is not None and armed_us <= to_us(t_s)

    def wins(self, disk: int, t_s: float) -> bool:
        """Pay what is waiting."""
        return self.waits(disk, t_s)

    def collected(self, disk: int, t_s: float) -> Interval:
        """Return of a disk's interval, which has just been collected, what it was."""
        return self._told(disk, t_s, t_s)

    def left(self, t_s: float) -> list[Interval]:
        """Return what has become of the intervals that nobody has collected until now."""
        return [self._told(disk, t_s, None) for disk in self._timers]

    def _told(self, disk: int, t_s: float, t_collected: float | None) -> Interval:
        timer, t_us = self._timers[disk], to_us(t_s)
        return Interval(
            disk=disk,
            draw_s=to_s(timer.draw_us),
            t_started=None if timer.started_us is None else to_s(timer.started_us),
            t_armed=to_s(timer.armed_us) if timer.armed_us is not None and timer.armed_us <= t_us else None,
            t_collected=t_collected,
            session=self._session,
        )


def draws(params: ViParams, mean_s: float, stream: Stream) -> Iterator[float]:
    """Draw intervals around a mean, for ever."""
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
    """Tell the progression of Fleshler and Hoffman (1962) for a mean of 1: ``count`` intervals, each equally likely."""

    def weighed(number: int) -> float:
        return number * math.log(number) if number else 0.0  # 0 ln 0 = 0

    return [
        1 + math.log(count) + weighed(count - number) - weighed(count - number + 1) for number in range(1, count + 1)
    ]
