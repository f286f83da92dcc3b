"""Option learning: each tile's mean reward is learned alone, by a Kalman filter without drift (Wu et al. 2017)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from protocols.searching.grids.places import Floats

PRIOR_MEAN = 0.0
PRIOR_VARIANCE = 5.0
"""Prior of a standardized reward; the released code of Wu et al. (2017)."""


class OptionLearning:
    """Beliefs about all tiles, updated with each observation of one.

    With the gain G = v / (v + error_sd²), the mean m grows by G (reward - m) and the variance v becomes (1 - G) v.
    """

    def __init__(
        self, count: int, error_sd: float, prior_mean: float = PRIOR_MEAN, prior_variance: float = PRIOR_VARIANCE
    ) -> None:
        """Start with no observation of ``count`` tiles."""
        self._error_variance = error_sd**2
        self.mean: Floats = np.full(count, prior_mean)
        self._variance: Floats = np.full(count, prior_variance)

    @property
    def sd(self) -> Floats:
        """Return the SD of the belief about each tile's mean reward."""
        return np.sqrt(self._variance)

    def observe(self, tile: int, value: float) -> None:
        """Update with a standardized reward of a tile."""
        gain = self._variance[tile] / (self._variance[tile] + self._error_variance)
        self.mean[tile] += gain * (value - self.mean[tile])
        self._variance[tile] *= 1.0 - gain


def options_over_time(
    count: int,
    tiles: Sequence[int],
    values: Sequence[float],
    error_sd: float,
    prior_mean: float = PRIOR_MEAN,
    prior_variance: float = PRIOR_VARIANCE,
) -> tuple[Floats, Floats]:
    """Return mean and SD before the first observation and after each; shape (observations + 1, tiles) each."""
    learner = OptionLearning(count, error_sd, prior_mean, prior_variance)
    means, sds = [learner.mean.copy()], [learner.sd]
    for tile, value in zip(tiles, values, strict=True):
        learner.observe(tile, value)
        means.append(learner.mean.copy())
        sds.append(learner.sd)
    return np.array(means), np.array(sds)
