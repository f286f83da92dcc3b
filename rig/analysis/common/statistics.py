"""Statistical tests, regression lines and rank correlations, as used by Papale et al. 2012. Needs scipy.

Degrees of freedom are those of the tests. For Kruskal-Wallis the paper prints the total N - 1, such as chi2(114) for a
test with 4 degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Floats, Ints, finite

FEWEST_OF_A_SAMPLE = 2
FEWEST_FOR_A_LINE = 3


@dataclass(frozen=True)
class KruskalWallis:
    """Kruskal-Wallis test; ``h`` is chi-square with ``df``, ``eta2`` = H / (n - 1) the explained variance of ranks."""

    n: int
    df: int
    h: float
    p: float
    eta2: float


@dataclass(frozen=True)
class KolmogorovSmirnov:
    """Two-sample Kolmogorov-Smirnov test; ``d`` is the largest distance of the distributions, ``p`` is asymptotic."""

    n: tuple[int, int]
    d: float
    p: float


@dataclass(frozen=True)
class Line:
    """Regression line by least squares; ``t`` and ``p`` are of the slope, with ``n`` - 2 degrees of freedom."""

    n: int
    slope: float
    slope_se: float
    intercept: float
    r2: float
    t: float
    p: float


@dataclass(frozen=True)
class Spearman:
    """Rank correlation of Spearman."""

    n: int
    rho: float
    p: float


@dataclass(frozen=True)
class Effect:
    """Effect of a factor in addition to the other: F ratio and share of the total sum of squares."""

    df: int
    f: float
    p: float
    eta2: float


@dataclass(frozen=True)
class TwoWay:
    """Analysis of variance with two factors, no interaction; each is tested in addition to the other (type III)."""

    n: int
    residual_df: int
    first: Effect
    second: Effect


def kruskal_wallis(values: Floats, groups: Floats) -> KruskalWallis | None:
    """Return the test of groups of values; None with fewer than two groups, one value per group, or equal values."""
    values, groups = _known(values, groups)
    kinds = np.unique(groups)
    if not 2 <= kinds.size < values.size or np.unique(values).size < 2:
        return None
    from scipy import stats

    h, p = stats.kruskal(*(values[groups == kind] for kind in kinds))
    return KruskalWallis(values.size, kinds.size - 1, float(h), float(p), float(h) / (values.size - 1))


def kolmogorov_smirnov(first: Floats, second: Floats) -> KolmogorovSmirnov | None:
    """Return the test of two samples; None if one has fewer than two finite values."""
    first, second = finite(first), finite(second)
    if min(first.size, second.size) < FEWEST_OF_A_SAMPLE:
        return None
    # Asymptotic, for samples as large as the paper's (613 sessions).
    from scipy import stats

    found = stats.ks_2samp(first, second, method="asymp")
    return KolmogorovSmirnov((first.size, second.size), float(found.statistic), float(found.pvalue))


def line(x: Floats, y: Floats) -> Line | None:
    """Fit a line to the finite pairs; None with fewer than three, or if all x are equal."""
    x, y = _known(x, y)
    if x.size < FEWEST_FOR_A_LINE or np.unique(x).size < 2:
        return None
    from scipy import stats

    found = stats.linregress(x, y)
    t = float(found.slope / found.stderr) if found.stderr > 0 else math.inf
    return Line(
        x.size,
        float(found.slope),
        float(found.stderr),
        float(found.intercept),
        float(found.rvalue) ** 2,
        t,
        float(found.pvalue),
    )


def spearman(first: Floats, second: Floats) -> Spearman | None:
    """Return the rank correlation of the finite pairs; None with fewer than three, or if one is constant."""
    first, second = _known(first, second)
    if first.size < FEWEST_FOR_A_LINE or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    from scipy import stats

    found = stats.spearmanr(first, second)
    return Spearman(first.size, float(found.statistic), float(found.pvalue))


def two_way(values: Floats, first: Floats, second: Floats) -> TwoWay | None:
    """Return a two-way analysis of variance of the finite values; None if the factors are not separable."""
    values, first, second = _known(values, first, second)
    levels, a = np.unique(first, return_inverse=True)
    others, b = np.unique(second, return_inverse=True)
    residual_df = values.size - levels.size - others.size + 1
    total = float(((values - values.mean()) ** 2).sum()) if values.size else 0.0
    if levels.size < 2 or others.size < 2 or residual_df < 1 or total == 0:
        return None
    dummies = (a[:, None] == np.arange(1, levels.size)).astype(float)
    # Subtracting group means removes the second factor, so no dummy columns for its up to 100 levels (laps) are needed.
    within = _without_means(np.column_stack([dummies, values]), b)
    weights, _, rank, _ = np.linalg.lstsq(within[:, :-1], within[:, -1], rcond=None)
    if rank < levels.size - 1:
        return None
    both = _squares(within[:, -1] - within[:, :-1] @ weights)
    explained = (_squares(within[:, -1]) - both, _squares(_without_means(values[:, None], a)) - both)
    sizes = (levels.size - 1, others.size - 1)
    return TwoWay(values.size, residual_df, *_effects(explained, sizes, both / residual_df, residual_df, total))


def _effects(
    explained: Sequence[float], sizes: Sequence[int], noise: float, residual_df: int, total: float
) -> list[Effect]:
    from scipy import stats

    ratios = [part / size / noise if noise > 0 else math.inf for part, size in zip(explained, sizes, strict=True)]
    return [
        Effect(size, f, float(stats.f.sf(f, size, residual_df)), part / total)
        for part, size, f in zip(explained, sizes, ratios, strict=True)
    ]


def _known(*columns: Floats) -> list[Floats]:
    """Return the columns at the indices where all are finite."""
    known = np.isfinite(np.sum(columns, axis=0))
    return [column[known] for column in columns]


def _without_means(columns: Floats, groups: Ints) -> Floats:
    """Return the columns minus the mean of each group."""
    n = np.bincount(groups)
    means = np.column_stack([np.bincount(groups, column) / n for column in columns.T])
    return np.asarray(columns - means[groups])


def _squares(values: Floats) -> float:
    return float((values**2).sum())
