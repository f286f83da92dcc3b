"""Smoothing splines of the returns to a disk after its reward (figure 6 of Racey et al. 2011). Needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.disk_bandit.analysis.returns import Return
from rig.analysis.common.arrays import Floats, Ints

POINTS = 101
FEWEST_STEPS = 5
"""Fewest steps of time with pecks; a cubic smoothing spline needs as many."""


@dataclass(frozen=True)
class ReturnSpline:
    """Spline of the share of pecks on a disk by the time since its last reward.

    ``share`` is of all pecks, ``own`` has a row for each subject; NaN where there are too few steps with pecks, and
    outside of those that have any.
    """

    vi_s: float
    since_s: Floats
    share: Floats
    own: Floats


def return_splines(returns: Sequence[Return]) -> tuple[ReturnSpline, ...]:
    """Return the splines of each disk's returns."""
    return tuple(_spline(found) for found in returns)


def _spline(found: Return) -> ReturnSpline:
    fine_s = np.linspace(found.since_s[0], found.since_s[-1], POINTS)
    own = [_smooth(found.since_s, share, n, fine_s) for share, n in zip(found.own, found.own_n, strict=True)]
    return ReturnSpline(found.vi_s, fine_s, _smooth(found.since_s, found.share, found.n, fine_s), np.array(own))


def _smooth(since_s: Floats, share: Floats, n: Ints, fine_s: Floats) -> Floats:
    """Return a cubic spline whose smoothness is selected by generalized cross-validation, weighted by pecks."""
    from scipy.interpolate import make_smoothing_spline

    some = n > 0
    if some.sum() < FEWEST_STEPS:
        return np.full(len(fine_s), np.nan)
    known_s = since_s[some]
    smooth = make_smoothing_spline(known_s, share[some], w=n[some] / n[some].mean())(fine_s)
    # A share is between 0 and 1; a spline through steep steps may leave that range.
    return np.where((fine_s >= known_s[0]) & (fine_s <= known_s[-1]), np.clip(smooth, 0.0, 1.0), np.nan)
