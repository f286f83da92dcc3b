"""Drawing of points from few pecks. Needs matplotlib."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.typing import ColorType

from protocols.disk_bandit.analysis.choices import FEWEST_OF_A_BLOCK
from rig.analysis.common.arrays import Floats, Ints

FEWEST_SURE = FEWEST_OF_A_BLOCK
"""Fewest pecks of a filled point. A share of fewer pecks has few possible values: 0 or 1 for a single peck."""

FEW = f"open, not joined: fewer than {FEWEST_SURE} pecks"


def plot_sure(
    axes: Axes, x: Floats | Ints, y: Floats, n: Ints, color: ColorType, label: str = "", size: float = 2.5
) -> None:
    """Draw values as a line; values from few pecks are open and not joined."""
    known = np.isfinite(y) & (n > 0)
    sure, few = known & (n >= FEWEST_SURE), known & (n < FEWEST_SURE)
    axes.plot(x, np.where(sure, y, np.nan), "o-", ms=size, lw=1.2, color=color, label=label or None)
    axes.plot(np.asarray(x)[few], y[few], "o", ms=size, mfc="none", mec=color, mew=0.6, alpha=0.7)
