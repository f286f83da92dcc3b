"""Anchors: one point for each code or pulse, the median of its matched edges; and how noisy they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rig.align.arrays import Floats, Integers

NORMAL_MAD = 1.4826
"""The standard deviation of a normal distribution, in median absolute deviations."""
_LAST_DIGITS = 4
"""Differences of fewer last digits of the times are no sampling."""
_MOST_INTERVALS = 50_000
_NEIGHBORS = 8
_FEW_SAMPLES = 20
_FEWEST_STEPS = 4
_MOST_ON_BITS, _FEWEST_ON_FRAMES = 0.8, 0.95


@dataclass(frozen=True)
class Anchors:
    """For each group: its number, its mean time in the session, and the offset of the other clock there.

    ``offset_us`` is what the other clock shows minus ``rate`` times the time of the session.
    """

    groups: Integers
    t_us: Floats
    offset_us: Floats
    rate: float

    def part(self, chosen: slice) -> Anchors:
        """Return some of them."""
        return Anchors(self.groups[chosen], self.t_us[chosen], self.offset_us[chosen], self.rate)

    def __len__(self) -> int:
        return len(self.groups)


def anchors_of(groups: Integers, t_us: Floats, other_us: Floats, rate: float) -> Anchors:
    """Build the anchors of matched edges, which come in the order of their groups."""
    offsets = other_us - rate * t_us
    starts = np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))
    sizes = np.diff(np.append(starts, len(groups)))
    ordered = offsets[np.lexsort((offsets, groups))]
    low, high = starts + (sizes - 1) // 2, starts + sizes // 2
    means = np.add.reduceat(t_us, starts) / sizes
    return Anchors(groups[starts], means, (ordered[low] + ordered[high]) / 2, rate)


def noise_us(anchors: Anchors) -> float:
    """Return the standard deviation of one anchor: the median of those about the lines through neighboring ones."""
    size = min(_NEIGHBORS, len(anchors))
    if size < 3:
        return 0.0
    x, y = (sliding_window_view(values, size) for values in (anchors.t_us, anchors.offset_us))
    x, y = (values - values.mean(axis=1, keepdims=True) for values in (x, y))
    spread = np.sum(x * x, axis=1)
    rest = np.sum(y * y, axis=1) - np.sum(x * y, axis=1) ** 2 / spread
    return float(np.sqrt(max(0.0, float(np.median(rest))) / (size - 2)))


def resolution_s(times_s: Floats, bit_s: float) -> float:
    """Return the sampling period that the times of a recording show, 0 if they show none.

    Intervals that are whole numbers of samples differ by whole numbers of samples. ``bit_s`` is the length of a bit of
    the signal: of intervals of whole bits, only small differences show the sampling.
    """
    times = times_s[: _MOST_INTERVALS + 1]
    intervals = np.diff(times)
    steps = np.diff(np.sort(intervals))
    steps = np.sort(steps[steps > _LAST_DIGITS * np.spacing(np.abs(times).max())])
    if len(steps) > 1 and _share_of_multiples(intervals, bit_s, 0.1) < _MOST_ON_BITS:
        # A film: its times differ by its frames, and by the last digit to which they were rounded.
        frame_s = _period(steps[np.argmax(steps[1:] / steps[:-1]) + 1 :])
        if frame_s and _share_of_multiples(intervals, frame_s, 0.05) > _FEWEST_ON_FRAMES:
            return frame_s
    return _period(steps)


def _share_of_multiples(intervals: Floats, period: float, tolerance: float) -> float:
    count = intervals / period
    return float(np.mean(np.abs(count - np.rint(count)) < tolerance))


def _period(steps: Floats) -> float:
    """Return the period of which sorted steps are whole multiples, 0 without one."""
    steps = steps[steps < _FEW_SAMPLES * np.min(steps, initial=np.inf)]
    if len(steps) < _FEWEST_STEPS:
        return 0.0
    period = float(np.min(steps))
    period = float(np.median(steps / np.rint(steps / period)))
    samples = steps / period
    return period if np.mean(np.abs(samples - np.rint(samples)) < 0.1) > 0.9 else 0.0
