"""Student's t tests and Pearson's correlation. Needs scipy."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, finite

FEWEST = 3
"""Fewest values of a sample, and fewest pairs."""


@dataclass(frozen=True)
class TTest:
    """A t test: the ``difference`` of the means (first - second), and Cohen's ``d``, the same in SD."""

    n: tuple[int, ...]
    df: int
    t: float
    p: float
    difference: float
    d: float


@dataclass(frozen=True)
class Pearson:
    """Correlation of ``n`` pairs."""

    n: int
    r: float
    p: float


def one_sample(values: npt.ArrayLike, against: float) -> TTest | None:
    """Return the test of a mean against a number; None with fewer than three values, or if all are equal."""
    known = finite(np.asarray(values, float))
    if known.size < FEWEST or np.ptp(known) == 0:
        return None
    spread = float(known.std(ddof=1))
    difference = float(known.mean()) - against
    return _test((known.size,), known.size - 1, difference, spread / math.sqrt(known.size), spread)


def paired(first: npt.ArrayLike, second: npt.ArrayLike) -> TTest | None:
    """Return the test of pairs; a pair with a missing value is left out. None as in `one_sample`."""
    return one_sample(np.asarray(first, float) - np.asarray(second, float), 0.0)


def two_sample(first: npt.ArrayLike, second: npt.ArrayLike) -> TTest | None:
    """Return the test of two groups with one variance, as the papers use it; None if a group has fewer than three."""
    a, b = finite(np.asarray(first, float)), finite(np.asarray(second, float))
    if min(a.size, b.size) < FEWEST:
        return None
    df = a.size + b.size - 2
    spread = math.sqrt((_squares(a) + _squares(b)) / df)
    if spread == 0:
        return None
    error = spread * math.sqrt(1 / a.size + 1 / b.size)
    return _test((a.size, b.size), df, float(a.mean() - b.mean()), error, spread)


def pearson(x: npt.ArrayLike, y: npt.ArrayLike) -> Pearson | None:
    """Return the correlation of the finite pairs; None with fewer than three, or if one is constant."""
    first, second = np.asarray(x, float).ravel(), np.asarray(y, float).ravel()
    known = np.isfinite(first) & np.isfinite(second)
    first, second = first[known], second[known]
    if first.size < FEWEST or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    from scipy import stats

    found = stats.pearsonr(first, second)
    return Pearson(first.size, float(found.statistic), float(found.pvalue))


def _test(n: tuple[int, ...], df: int, difference: float, error: float, spread: float) -> TTest:
    from scipy import stats

    t = difference / error
    return TTest(n, df, t, float(2 * stats.t.sf(abs(t), df)), difference, difference / spread)


def _squares(values: Floats) -> float:
    return float(((values - values.mean()) ** 2).sum())
