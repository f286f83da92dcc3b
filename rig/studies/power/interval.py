"""The confidence interval of a power that was simulated with a limited number of simulated subjects."""

from __future__ import annotations

import math
from statistics import NormalDist

from rig.analysis.common.intervals import Z_95

_NORMAL = NormalDist()


def power_interval(rejected: int, experiments: int, share: float, z: float = Z_95) -> tuple[float, float]:
    """Return the 95 % interval of the power; ``share`` of the simulated subjects are in each experiment.

    More experiments do not make up for few simulated subjects, of which all experiments are drawn: with 12 of 200
    subjects in each group, the interval of the binomial distribution alone held the true power in 25 of 100 cases. The
    share of rejections is a U-statistic, and by its projection (Hoeffding 1948) a test rejects in an experiment when a
    sum over its subjects is large. Let P be the power, a = Φ⁻¹(P) and r the share. Given the simulated subjects, such a
    sum has 1 - r of its variance left, and its mean has the variance r. So the rate of rejections is
    U = Φ((a + √r ξ) / √(1 - r)) with a standard normal ξ; its expected value is P. Thus √(1 - r) Φ⁻¹(U) has the mean a
    and the variance r, to which that of the experiments is added. No distribution of the values is assumed but that a
    sum of many is normal. ``tests/studies/power/test_interval.py`` has its coverage.

    With a share of 1, all experiments are the same, and nearly any power is as likely.
    """
    rate = (rejected + 0.5) / (experiments + 1)  # neither 0 nor 1, whose quantiles are infinite
    quantile = _NORMAL.inv_cdf(rate)
    chance = rate * (1 - rate) / experiments / _NORMAL.pdf(quantile) ** 2
    center = math.sqrt(1 - share) * quantile
    half = z * math.sqrt(share + (1 - share) * chance)
    observed = rejected / experiments
    return min(_NORMAL.cdf(center - half), observed), max(_NORMAL.cdf(center + half), observed)


def expected_interval(power: float, share: float, z: float = Z_95) -> tuple[float, float]:
    """Return the interval that is to be expected with any number of experiments."""
    center = _NORMAL.inv_cdf(power)
    half = z * math.sqrt(share)
    return _NORMAL.cdf(center - half), _NORMAL.cdf(center + half)


def subjects_for(power: float, half_width: float, subjects: int, z: float = Z_95) -> int:
    """Return how many subjects must be simulated for an interval of ± ``half_width`` around ``power``.

    ``subjects`` are those of an experiment, in each group or in all. About 120 times as many for ± 0.05 at 0.8.
    """
    return math.ceil(subjects * (z * _NORMAL.pdf(_NORMAL.inv_cdf(power)) / half_width) ** 2)
