"""Intervals of proportions that are honest at 0 and 1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Floats, ratio

Z_95 = 1.959963984540054
"""Two-sided 95 % of the normal distribution."""


def wilson(p: npt.ArrayLike, n: npt.ArrayLike, z: float = Z_95) -> tuple[Floats, Floats]:
    """Return the score interval of proportions ``p`` of ``n`` (Wilson 1927): low and high, NaN where n is 0.

    It is as wide at 0 and 1 as few observations make it, where p (1 - p) / n has no width, and never leaves [0, 1].
    """
    share, count = np.broadcast_arrays(np.asarray(p, float), np.asarray(n, float))
    center = ratio(share + z**2 / 2 * ratio(1, count), 1 + z**2 * ratio(1, count))
    inner = ratio(share * (1 - share), count) + ratio(z**2, 4 * count**2)
    half = ratio(z * np.sqrt(inner), 1 + z**2 * ratio(1, count))
    return np.clip(center - half, 0.0, 1.0), np.clip(center + half, 0.0, 1.0)


def bars(p: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Return the distances of the 95 % interval from proportions, as matplotlib's error bars want them: 2 x values."""
    share = np.asarray(p, float)
    low, high = wilson(share, n)
    return np.asarray(np.nan_to_num(np.array([np.maximum(share - low, 0), np.maximum(high - share, 0)])))
