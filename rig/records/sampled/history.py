"""The values of one source in bounded memory: the newest as they were, older ones as the extremes of longer steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rig.core.model.line import LONGEST_US

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

MAX_STEPS = 1 << 13
"""The most steps of one length: more than a screen has pixels."""
LENGTHS, RATIO = 9, 4
"""How many lengths of steps there are, and by how much each is longer than the one before. At 1,000 values a second the
shortest is 1 ms, of which the last 8 s are kept; the longest is 65 s, of which 6 days are kept."""
MAX_HOLD = 2
"""For how many steps a value is drawn if no other follows; behind that is a gap."""
_BEFORE_US = -LONGEST_US - 1
"""A time before that of any session."""


@dataclass(frozen=True)
class Steps:
    """The least and the greatest value in each of the newest steps of a length; steps without a value are left out.

    ``numbers`` count the steps from time 0. ``is_whole`` says that none was dropped.
    """

    length_us: int
    numbers: Integers
    least: Integers
    greatest: Integers
    is_whole: bool = True

    def merged(self, t_us: Integers, least: Integers, greatest: Integers) -> tuple[Integers, Integers, Integers]:
        """Return the last step and those behind it, with extremes that begin at increasing times in or behind it."""
        numbers = np.concatenate((self.numbers[-1:], t_us // self.length_us))
        first = np.flatnonzero(np.diff(numbers, prepend=numbers[0] - 1))
        return (
            numbers[first],
            np.minimum.reduceat(np.concatenate((self.least[-1:], least)), first),
            np.maximum.reduceat(np.concatenate((self.greatest[-1:], greatest)), first),
        )

    def ending_in(self, numbers: Integers, least: Integers, greatest: Integers) -> Steps:
        """Return it with these steps in place of the last one."""
        joined_numbers, joined_least, joined_greatest = (
            np.concatenate((old[:-1], new))[-MAX_STEPS:]
            for old, new in ((self.numbers, numbers), (self.least, least), (self.greatest, greatest))
        )
        is_whole = self.is_whole and len(self.numbers[:-1]) + len(numbers) <= MAX_STEPS
        return Steps(self.length_us, joined_numbers, joined_least, joined_greatest, is_whole)

    @property
    def starts_us(self) -> Floats:
        """Return when the steps begin."""
        return self.numbers.astype(np.float64) * self.length_us

    def reaches(self, t_us: float) -> bool:
        """Whether it has all that is known from a time on."""
        return self.is_whole or float(self.starts_us[0]) <= t_us

    def extremes(self, edges_us: Floats) -> tuple[Floats, Floats]:
        """Return the least and the greatest value between each two of some increasing times; NaN where there is none.

        Neighbors touch each other: what is drawn from the least to the greatest is one line.
        """
        starts = self.starts_us
        ends = np.minimum(np.append(starts[1:], np.inf), starts + MAX_HOLD * self.length_us)
        first = np.searchsorted(ends, edges_us[:-1], side="right")
        behind = np.searchsorted(starts, edges_us[1:])
        has_any = behind > first
        bounds = np.stack((first[has_any], behind[has_any]), axis=1).ravel()
        low, high = (np.full(len(first), np.nan) for _ in range(2))
        if len(bounds):
            # The last bound may lie behind the last value.
            low[has_any] = np.minimum.reduceat(np.append(self.least, self.least[-1]), bounds)[::2]
            high[has_any] = np.maximum.reduceat(np.append(self.greatest, self.greatest[-1]), bounds)[::2]
        joined = np.isfinite(low[1:]) & np.isfinite(low[:-1])
        before_low, before_high = low[:-1][joined], high[:-1][joined]
        low[1:][joined] = np.minimum(low[1:][joined], before_high)
        high[1:][joined] = np.maximum(high[1:][joined], before_low)
        return low, high


class ValueHistory:
    """The values of a source that has one in each ``period_us``; the shortest steps are as long.

    They come in the order of their times; others are left out, and counted.
    """

    def __init__(self, period_us: int) -> None:
        none = np.empty(0, dtype=np.int64)
        self._empty = tuple(Steps(period_us * RATIO**power, none, none, none) for power in range(LENGTHS))
        self._last_us = _BEFORE_US
        self.lengths: tuple[Steps, ...] = ()
        """The same values in steps of each length, the shortest first; none without a value. Never changed in place."""
        self.left_out = 0
        """How many values have a time that no session has, or one that is not later than those before."""

    def add(self, t_us: Integers, values: Integers) -> None:
        """Add values and their times in microseconds."""
        # A damaged file or one of another program may have any time: the sums below must not overflow.
        times_us = np.where((t_us >= -LONGEST_US) & (t_us <= LONGEST_US), t_us, _BEFORE_US)
        is_later = times_us > np.maximum.accumulate(np.concatenate(([self._last_us], times_us)))[:-1]
        self.left_out += len(t_us) - int(np.count_nonzero(is_later))
        t_us, least, greatest = t_us[is_later], values[is_later], values[is_later]
        if not len(t_us):
            return
        self._last_us = t_us[-1]
        extended = []
        for steps in self.lengths or self._empty:
            numbers, least, greatest = steps.merged(t_us, least, greatest)
            extended.append(steps.ending_in(numbers, least, greatest))
            # Longer steps are made of the shorter ones, which are fewer than the values.
            t_us = numbers * steps.length_us
        self.lengths = tuple(extended)


def steps_from(lengths: Sequence[Steps], t_us: float) -> Steps | None:
    """Return the shortest steps that reach back to a time, or else the longest; None if there are none."""
    return next((steps for steps in lengths if steps.reaches(t_us)), lengths[-1] if lengths else None)
