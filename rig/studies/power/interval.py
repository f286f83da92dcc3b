"""The confidence interval of a power that was simulated with a limited number of simulated subjects."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from rig.analysis.common.intervals import Z_95

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Sampling:
    """How experiments are drawn and tested: ``share`` is the part of the simulated subjects in each of them.

    ``df`` are the degrees of freedom of their spread, ``alpha`` is the level of the two-sided test.
    """

    share: float
    df: int
    alpha: float = 0.05

    def variance(self, quantile: float) -> float:
        """Return the variance of Φ⁻¹(power) for the choice of simulated subjects; ``quantile`` is Φ⁻¹(power).

        ``power_interval`` has its source.
        """
        expected = max(quantile + _NORMAL.inv_cdf(1 - self.alpha / 2), 0.0)
        return self.share * (1 + expected**2 / (2 * self.df))


def power_interval(rejected: int, experiments: int, sampling: Sampling, z: float = Z_95) -> tuple[float, float]:
    """Return the interval of the power, by default that of 95 %.

    More experiments do not make up for few simulated subjects, of which all experiments are drawn: with 12 of 200
    subjects in each group, the interval of the binomial distribution alone held the true power in 25 of 100 cases. The
    share of rejections is a U-statistic, and by its projection (Hoeffding 1948) a test rejects in an experiment when a
    sum over its subjects is large. Let P be the power, a = Φ⁻¹(P) and r the share of subjects. Given the simulated
    subjects, such a sum has 1 - r of its variance left, and its mean has the variance r. So the rate of rejections is
    U = Φ((a + √r ξ) / √(1 - r)) with a standard normal ξ; its expected value is P. Thus √(1 - r) Φ⁻¹(U) has the mean a
    and the variance r, to which that of the experiments is added.

    Sums of few subjects are not normal where the effect is large, because their spread is estimated too. The variance
    of t with the expected value δ, 1 + δ² / (2 df), covers that (Johnson & Welch 1940, Biometrika 31:362); it is too
    large rather than too small.

    ``tests/studies/power/test_interval.py`` has the coverage: of the exact power of the t test it is above 92 %. With a
    share of 1, all experiments are the same, and nearly any power is as likely.
    """
    rate = (rejected + 0.5) / (experiments + 1)  # neither 0 nor 1, whose quantiles are infinite
    quantile = _NORMAL.inv_cdf(rate)
    chance = rate * (1 - rate) / experiments / _NORMAL.pdf(quantile) ** 2
    left = 1 - sampling.share
    center = math.sqrt(left) * quantile
    half = z * math.sqrt(sampling.variance(center) + left * chance)
    observed = rejected / experiments
    return min(_NORMAL.cdf(center - half), observed), max(_NORMAL.cdf(center + half), observed)


def expected_interval(power: float, sampling: Sampling) -> tuple[float, float]:
    """Return the interval that is to be expected with any number of experiments."""
    center = _NORMAL.inv_cdf(power)
    half = Z_95 * math.sqrt(sampling.variance(center))
    return _NORMAL.cdf(center - half), _NORMAL.cdf(center + half)


def subjects_for(power: float, half_width: float, subjects: int, df: int, alpha: float) -> int:
    """Return how many subjects must be simulated for an interval of ± ``half_width`` around ``power``.

    ``subjects`` are those of an experiment, in each group or in all: about 120 to 200 times as many for ± 0.05 at 0.8.
    """
    center = _NORMAL.inv_cdf(power)
    variance = Sampling(1.0, df, alpha).variance(center)
    return math.ceil(subjects * variance * (Z_95 * _NORMAL.pdf(center) / half_width) ** 2)
