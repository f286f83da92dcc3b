"""Trains of equal pulses: each pulse gets the count of periods since the first one, whatever the clock does slowly."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.anchors import NORMAL_MAD
from rig.align.arrays import Flags, Floats, Integers, Places
from rig.align.refusal import NotAlignedError

_WINDOW = 31
_FEWEST_PULSES = 10
_REGULAR = 0.1
_LONGEST_REGULAR = 1.5
_FEW_PERIODS = 4
_IN_TIME = 0.02


@dataclass(frozen=True)
class Train:
    """Equal pulses: the places of those in time, the count of periods of each since the first, and their period."""

    places: Places
    counts: Integers
    period_us: float


def train_of(times_us: Floats, places: Places) -> Train:
    """Build the train of equal pulses; edges out of time are left out. Raises ``NotAlignedError`` without pulses.

    The period may change slowly: it is the median of the intervals around. The phase is followed, too.
    """
    if len(times_us) < _FEWEST_PULSES:
        raise NotAlignedError(f"there are {len(times_us)} pulses; at least {_FEWEST_PULSES} are needed")
    period = float(np.median(np.diff(times_us)))
    kept = _beside_another(times_us, period)
    if kept.sum() < _FEWEST_PULSES:
        raise NotAlignedError("the pulses do not come in equal periods", "Check the channel")
    times_us, places = times_us[kept], places[kept]
    intervals = np.diff(times_us)
    regular = np.abs(intervals / period - 1) < _REGULAR
    if regular.sum() < 0.5 * len(intervals):
        raise NotAlignedError("the pulses do not come in equal periods", "Check the channel")
    middle = (times_us[:-1] + times_us[1:]) / 2
    local = np.interp(middle, middle[regular], running_median(intervals[regular]))
    phase = np.concatenate([[0.0], np.cumsum(intervals / local)])
    phase -= _slow_phase(phase)
    phase -= running_median(phase - np.rint(phase))  # which single edges out of time do not move
    whole = np.rint(phase)
    off = np.abs(phase - whole)
    limit = max(1e-3, min(0.15, 8 * NORMAL_MAD * float(np.median(off))))
    good = np.flatnonzero(off <= limit)
    if len(good) < _FEWEST_PULSES:
        raise NotAlignedError("the pulses do not come in equal periods", "Check the channel")
    good = good[np.diff(whole[good], prepend=-np.inf) > 0]
    counts = (whole[good] - whole[good[0]]).astype(np.int64)
    return Train(places[good], counts, float(times_us[good[-1]] - times_us[good[0]]) / max(1, int(counts[-1])))


def _beside_another(times_us: Floats, period: float) -> Flags:
    """Whether each edge has a neighbor that is few whole periods away: single edges have a phase by themselves."""
    periods = np.diff(times_us) / period
    whole = np.rint(periods)
    fits = (whole >= 1) & (whole <= _FEW_PERIODS) & (np.abs(periods - whole) < _IN_TIME)
    return np.asarray(np.append(fits, False) | np.append(False, fits), np.bool_)


def running_median(values: Floats) -> Floats:
    """Return the median of each value and its neighbors."""
    if len(values) < _WINDOW:
        return np.full(len(values), np.median(values))
    padded = np.pad(values, _WINDOW // 2, mode="edge")
    return np.asarray(np.median(np.lib.stride_tricks.sliding_window_view(padded, _WINDOW), axis=1))


def _slow_phase(phase: Floats) -> Floats:
    """Return how the phase drifts against whole periods: the mean direction of neighboring pulses, unwrapped."""
    turns = np.exp(2j * np.pi * phase)
    sums = np.cumsum(np.concatenate([[0], turns]))
    half = _WINDOW // 2
    low = np.clip(np.arange(len(phase)) - half, 0, None)
    high = np.clip(np.arange(len(phase)) + half + 1, None, len(phase))
    return np.asarray(np.unwrap(np.angle(sums[high] - sums[low])) / (2 * np.pi))


def train_of_rows(times_us: Floats) -> Train:
    """Build the train of pulses of which each has its row, so that none is out of time: only some may be missing.

    Raises ``NotAlignedError`` for fewer than ``_FEWEST_PULSES``.
    """
    if len(times_us) < _FEWEST_PULSES:
        raise NotAlignedError(f"there are {len(times_us)} pulses; at least {_FEWEST_PULSES} are needed")
    intervals = np.diff(times_us)
    period = float(np.median(intervals))
    regular = intervals < _LONGEST_REGULAR * period
    middle = (times_us[:-1] + times_us[1:]) / 2
    local = np.interp(middle, middle[regular], running_median(intervals[regular]))
    steps = np.maximum(1, np.rint(intervals / local)).astype(np.int64)
    counts = np.concatenate([[0], np.cumsum(steps)])
    return Train(np.arange(len(times_us)), counts, float(times_us[-1] - times_us[0]) / int(counts[-1]))
