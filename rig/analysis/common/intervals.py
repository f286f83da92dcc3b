"""Confidence intervals of proportions that have a width at 0 and 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, ratio

Z_95 = 1.959963984540054
"""Quantile of the normal distribution for a two-sided 95 % interval."""


def wilson(p: npt.ArrayLike, n: npt.ArrayLike, z: float = Z_95) -> tuple[Floats, Floats]:
    """Return the score interval of proportions ``p`` of ``n`` (Wilson 1927): low and high, NaN where n is 0.

    At 0 and 1 it has a width, unlike p (1 - p) / n, and it stays within [0, 1].
    """
    share, count = np.broadcast_arrays(np.asarray(p, float), np.asarray(n, float))
    center = ratio(share + z**2 / 2 * ratio(1, count), 1 + z**2 * ratio(1, count))
    inner = ratio(share * (1 - share), count) + ratio(z**2, 4 * count**2)
    half = ratio(z * np.sqrt(inner), 1 + z**2 * ratio(1, count))
    # Rounding can leave [0, 1] by about 1e-17.
    return np.clip(center - half, 0.0, 1.0), np.clip(center + half, 0.0, 1.0)


def bars(p: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Return the distances of the 95 % interval from proportions, as matplotlib's error bars take them: 2 x values."""
    share = np.asarray(p, float)
    low, high = wilson(share, n)
    return np.asarray(np.nan_to_num(np.array([np.maximum(share - low, 0), np.maximum(high - share, 0)])))
