"""Permutation tests of two conditions, two-sided, for many experiments at once.

Between two groups the statistic is the difference of their means, over all ways to share the subjects out. Within
subjects it is the mean difference, over all ways to exchange the conditions of subjects. Both are sums of the values
with signs. The tests need no distribution of the values, and their level is exact (Fisher 1935; Pitman 1937).
"""

from __future__ import annotations

import math
from functools import cache
from itertools import combinations
from typing import Literal

import numpy as np

from rig.analysis.common.arrays import Flags, Floats

Grouping = Literal["between", "within"]

MOST_ENUMERATED = 20_000
"""Maximum of rearrangements that are all counted: 8 subjects in each of two groups, or 14 under both conditions."""
MOST_DRAWN = 20_000
"""Maximum of rearrangements that are drawn, which bounds the time at a small level."""
_BEYOND = 100
"""Drawn rearrangements that are as extreme as the observed one at the level itself, for a p value near to its own."""
_EXPERIMENTS_AT_ONCE = 20
"""Experiments that share drawn rearrangements. Were they shared by all, their chance would be that of the power too."""
_ROUNDING = 1e-12
"""Sums that differ by less, relative to the sum of the absolute values, are equal: else ties are left to rounding."""


def p_values(first: Floats, second: Floats, grouping: Grouping, alpha: float, rng: np.random.Generator) -> Floats:
    """Return the p value of each experiment; ``first`` and ``second`` are [experiments, subjects], all finite.

    Within subjects the same column is the same subject. With few subjects all rearrangements are taken; otherwise a
    number of drawn ones, and the observed one is added to them (Phipson & Smyth 2010, eq. 2).
    """
    values, observed = _signed(first, second, grouping)
    if rearrangements(grouping, first.shape[1]) <= MOST_ENUMERATED:
        return np.asarray(_extreme(values, observed, _all_signs(grouping, first.shape[1])).mean(axis=1))
    drawn = drawn_rearrangements(alpha)
    counts = [
        _extreme(
            values[begin : begin + _EXPERIMENTS_AT_ONCE], observed, _drawn_signs(observed, grouping, drawn, rng)
        ).sum(axis=1)
        for begin in range(0, len(values), _EXPERIMENTS_AT_ONCE)
    ]
    return np.asarray((1 + np.concatenate(counts)) / (drawn + 1))


def least_p(grouping: Grouping, subjects: int, alpha: float) -> float:
    """Return the least p value that an experiment with this number of subjects can have."""
    count = rearrangements(grouping, subjects)
    # All rearrangements are the observed one, the one with all signs changed, and less extreme ones.
    return 2 / count if count <= MOST_ENUMERATED else 1 / (drawn_rearrangements(alpha) + 1)


def rearrangements(grouping: Grouping, subjects: int) -> int:
    """Return the number of rearrangements of an experiment; ``subjects`` are those of each group, or of all."""
    return math.comb(2 * subjects, subjects) if grouping == "between" else 2**subjects


def drawn_rearrangements(alpha: float) -> int:
    """Return how many rearrangements are drawn.

    With the observed one they are a number of which ``alpha`` is a whole part where that is possible: then the level
    of the test is ``alpha`` itself.
    """
    return min(math.ceil(_BEYOND / alpha), MOST_DRAWN) - 1


def _signed(first: Floats, second: Floats, grouping: Grouping) -> tuple[Floats, Floats]:
    """Return the values [experiments, values], and the signs with which their sum is the observed statistic."""
    if grouping == "within":
        return second - first, np.ones(first.shape[1])
    both = np.concatenate([second, first], axis=1)
    # Centered, so that a large common part does not take digits from the differences.
    return both - both.mean(axis=1, keepdims=True), np.repeat([1.0, -1.0], first.shape[1])


def _extreme(values: Floats, observed: Floats, signs: Floats) -> Flags:
    """Whether each rearrangement is at least as extreme as the observed one: [experiments, rearrangements]."""
    least = np.abs(values @ observed) - _ROUNDING * np.abs(values).sum(axis=1)
    return np.asarray(np.abs(values @ signs.T) >= least[:, None])


@cache
def _all_signs(grouping: Grouping, subjects: int) -> Floats:
    """Return the signs of all rearrangements whose first sign is plus; the others have the same absolute sums."""
    if grouping == "within":
        bits = np.arange(2 ** (subjects - 1))[:, None] >> np.arange(subjects)
        return np.asarray(1.0 - 2.0 * (bits & 1))[:, ::-1]
    chosen = np.array(list(combinations(range(1, 2 * subjects), subjects - 1)), int)
    signs = np.full((len(chosen), 2 * subjects), -1.0)
    signs[:, 0] = 1.0
    np.put_along_axis(signs, chosen, 1.0, axis=1)
    return signs


def _drawn_signs(observed: Floats, grouping: Grouping, count: int, rng: np.random.Generator) -> Floats:
    if grouping == "within":
        return np.asarray(1.0 - 2.0 * rng.integers(0, 2, (count, observed.size)))
    return np.asarray(rng.permuted(np.tile(observed, (count, 1)), axis=1))
