"""Curves by trial with their standard errors, as bands. Needs matplotlib."""

from __future__ import annotations

from typing import Literal

import numpy as np
from matplotlib.axes import Axes

from protocols.searching.analysis.behavior import Curve

FEWEST_SHARE = 0.1
"""Trials that fewer of the rounds reached are not drawn."""


Earned = Literal["reward", "largest"]
"""What a curve has by trial: the reward, and the largest one so far."""


def draw_band(axes: Axes, curve: Curve, name: Earned, color: str, label: str) -> None:
    """Draw reward or largest reward by trial, shaded by the standard error."""
    enough = curve.reached >= FEWEST_SHARE
    values, errors = (curve.reward, curve.reward_se) if name == "reward" else (curve.largest, curve.largest_se)
    trial, middle, error = curve.trial[enough], values[enough], np.nan_to_num(errors[enough])
    axes.plot(trial, middle, color=color, lw=1.5, label=label)
    axes.fill_between(trial, middle - error, middle + error, color=color, alpha=0.2, lw=0)
