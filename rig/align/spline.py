"""Fit a broken line without steps to anchors: as few knots as the drift of the clock needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.anchors import Anchors
from rig.align.arrays import Floats, Places

_SMOOTHED = 4
"""So many anchors are averaged before a deviation from the line counts."""
_FEWEST = 2 * _SMOOTHED
_ROUNDS = 14
_HUBER = 2.5
"""Deviations above so many standard deviations count less and less (Huber, Ann. Math. Statist. 35, 1964)."""
SMALLEST_BEND_US = 5.0


@dataclass(frozen=True)
class BrokenLine:
    """A continuous function of the session's time, straight between its knots, and straight on outside of them.

    It gives what the other clock shows, in microseconds.
    """

    knots_us: Floats
    other_us: Floats

    def __call__(self, t_us: Floats) -> Floats:
        """Return what the other clock shows at each time of the session."""
        place = np.clip(np.searchsorted(self.knots_us, t_us, side="right") - 1, 0, len(self.knots_us) - 2)
        slope = np.diff(self.other_us) / np.diff(self.knots_us)
        return np.asarray(self.other_us[place] + slope[place] * (t_us - self.knots_us[place]))


def fit_broken_line(anchors: Anchors, noise_us: float, resolution_us: float) -> BrokenLine:
    """Fit a broken line; knots are added where the mean of neighboring anchors deviates by more than chance."""
    x, y = anchors.t_us, anchors.offset_us
    limit = max(SMALLEST_BEND_US, 0.6 * resolution_us, 3.5 * noise_us / np.sqrt(_SMOOTHED))
    scale = max(noise_us, resolution_us, 0.5) * _HUBER
    knots = np.array([x[0], x[-1]])
    for _ in range(_ROUNDS):
        values = _robust(x, y, knots, scale)
        bends = _bent(x, y - np.interp(x, knots, values), knots, limit)
        if not len(bends):
            break
        knots = np.sort(np.concatenate([knots, bends]))
    return BrokenLine(knots, _robust(x, y, knots, scale) + anchors.rate * knots)


def _bent(x: Floats, residual: Floats, knots: Floats, limit: float) -> Floats:
    """Return new knots, in the middle of the anchors of every interval that is bent."""
    if len(x) < _FEWEST:
        return np.empty(0)
    smooth = np.convolve(residual, np.full(_SMOOTHED, 1 / _SMOOTHED), mode="valid")
    bent = np.flatnonzero(np.abs(smooth) > limit) + _SMOOTHED // 2
    bounds = np.searchsorted(x, knots)
    bounds[-1] = len(x)
    intervals = np.unique(np.clip(np.searchsorted(knots, x[bent], side="right") - 1, 0, len(knots) - 2))
    wide = [at for at in intervals if bounds[at + 1] - bounds[at] >= _FEWEST]
    return np.array([x[(bounds[at] + bounds[at + 1]) // 2] for at in wide])


def _robust(x: Floats, y: Floats, knots: Floats, scale: float) -> Floats:
    """Return the values at the knots that fit best, by iterated weighted least squares with Huber's weights."""
    place = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    share = (x - knots[place]) / np.diff(knots)[place]
    weight = np.ones(len(x))
    values = np.zeros(len(knots))
    for _ in range(4):
        values = _least_squares(place, share, y, weight, len(knots))
        residual = np.abs(y - (1 - share) * values[place] - share * values[place + 1])
        weight = np.minimum(1.0, scale / np.maximum(residual, 1e-9))
    return values


def _least_squares(place: Places, share: Floats, y: Floats, weight: Floats, count: int) -> Floats:
    """Return the least squares of the hat functions; their normal equations are tridiagonal."""
    rest = 1 - share
    middle = np.mean(y)
    diagonal = np.bincount(place, weight * rest**2, count) + np.bincount(place + 1, weight * share**2, count)
    beside = np.bincount(place, weight * rest * share, count)[:-1]
    right = np.bincount(place, weight * rest * (y - middle), count)
    right = right + np.bincount(place + 1, weight * share * (y - middle), count)
    return _solve_tridiagonal(*(np.asarray(part, np.float64) for part in (diagonal, beside, right))) + middle


def _solve_tridiagonal(diagonal: Floats, beside: Floats, right: Floats) -> Floats:
    """Return the solution of a symmetric tridiagonal system, by elimination (Thomas, 1949)."""
    pivots, values = diagonal.tolist(), right.tolist()
    off = beside.tolist()
    for index in range(1, len(pivots)):
        factor = off[index - 1] / pivots[index - 1]
        pivots[index] -= factor * off[index - 1]
        values[index] -= factor * values[index - 1]
    values[-1] /= pivots[-1]
    for index in range(len(pivots) - 2, -1, -1):
        values[index] = (values[index] - off[index] * values[index + 1]) / pivots[index]
    return np.array(values)
