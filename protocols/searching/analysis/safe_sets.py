"""The sets of SafeOpt before each choice: which tiles are surely safe, may be the best, or may show more to be safe.

Sui et al. 2015, as Schulz et al. 2018 use them; the rules are those of ``compute_sets`` of the package ``safeopt``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rig.analysis.common.arrays import Flags, Floats

OMEGA = 3.0
"""Width of the intervals in SD (Schulz et al. 2018)."""


class SafeSets(NamedTuple):
    """Flags of all tiles: ``safe`` (S), ``maximizers`` (M) and ``expanders`` (G); M and G are within S."""

    safe: Flags
    maximizers: Flags
    expanders: Flags


def safe_sets_after(
    prior: Floats,
    tiles: Sequence[int],
    values: Sequence[float],
    threshold: float,
    noise_variance: float,
    omega: float = OMEGA,
) -> SafeSets:
    """Return the sets after observations; ``prior`` has the covariances of all pairs of tiles, the prior mean is 0."""
    from protocols.searching.grids.gaussian_process import belief_covariances, beliefs_over_time

    mean = beliefs_over_time(prior, tiles, values, noise_variance).mean[-1]
    return safe_sets(mean, belief_covariances(prior, tiles, noise_variance), threshold, noise_variance, omega)


def safe_sets(
    mean: Floats, covariance: Floats, threshold: float, noise_variance: float, omega: float = OMEGA
) -> SafeSets:
    """Return the sets of beliefs with this mean and these covariances of all pairs of tiles.

    With the bounds mean ± omega SD, S has the tiles whose lower bound is above the threshold, and M those of S whose
    upper bound reaches the largest lower bound in S. A tile of S is in G if an observation of its upper bound would
    lift the lower bound of a tile outside of S to the threshold.
    """
    sd = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    low, high = mean - omega * sd, mean + omega * sd
    safe = low > threshold
    if not safe.any():
        return SafeSets(safe, safe.copy(), safe.copy())
    maximizers = safe & (high >= low[safe].max())
    expanders = safe.copy()
    # One more observation changes the beliefs by one row of the covariances (the update of a Gaussian process).
    together = covariance[np.ix_(safe, ~safe)]
    gain = together / (sd[safe, None] ** 2 + noise_variance)
    after = mean[~safe] + gain * (omega * sd[safe, None])
    left = np.sqrt(np.maximum(sd[~safe] ** 2 - gain * together, 0.0))
    expanders[safe] = (after - omega * left >= threshold).any(axis=1)
    return SafeSets(safe, maximizers, expanders)
