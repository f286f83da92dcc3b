"""Paths past the choice point, after figure 3 of Papale et al. 2012. Needs matplotlib."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.vte import zidphi
from rig.analysis.common.arrays import Ints
from rig.analysis.common.style import BLUE, ORANGE, row_of_panels

EXAMPLES = 3
SHOWN = 2
"""Number of passes drawn with the highest zIdPhi, and number drawn near the median."""


def paths(sessions: Sequence[Laps]) -> Figure:
    """Draw the passes of some sessions: all in gray; those with the highest zIdPhi and near the median in color."""
    chosen = [sessions[place] for place in np.unique(np.linspace(0, len(sessions) - 1, EXAMPLES).astype(int))]
    marks = f"orange: the {SHOWN} with the highest zIdPhi; blue: the {SHOWN} nearest to the median; dots: entry"
    below = f"gray: all tracked passes of the session; {marks}"
    figure, axes = row_of_panels("paths past the choice point", below, len(chosen), 1 + 4.2 * len(chosen))
    for each, laps in zip(axes, chosen, strict=True):
        _session(each, laps)
    return figure


def _session(axes: Axes, laps: Laps) -> None:
    z = zidphi(laps)
    for path in laps.paths_cm:
        axes.plot(*path.T, "-", color="0.85", lw=0.6, zorder=0)
    usual, turning = _usual_and_turning(z)
    for places, color in ((usual, BLUE), (turning, ORANGE)):
        for place in places:
            path = laps.paths_cm[place]
            axes.plot(*path.T, "-", color=color, lw=1.4, label=f"lap {laps.lap[place]}: z = {z[place]:.1f}")
            axes.plot(*path[0], "o", color=color, ms=4)
    # Equal scales: a turn must look like a turn.
    axes.set_aspect("equal", adjustable="datalim")
    axes.set(xlabel="x (cm)", ylabel="y (cm)")
    axes.set_title(laps.name, fontsize=10)
    if len(usual):
        axes.legend(fontsize=7, frameon=False)


def _usual_and_turning(z: np.ndarray) -> tuple[Ints, Ints]:
    """Return the laps nearest to the median of zIdPhi, and those with the highest; laps with NaN are in neither."""
    order = np.argsort(z)[: int(np.isfinite(z).sum())]
    turning = order[-SHOWN:]
    rest = order[:-SHOWN]
    middle = max(0, (len(rest) - SHOWN) // 2)
    return rest[middle : middle + SHOWN], turning
