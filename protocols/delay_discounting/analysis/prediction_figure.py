"""The predicted course of a session, after figure 1c of Papale et al. 2012. Needs matplotlib."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from protocols.delay_discounting.analysis.delays import IN_FORCE
from protocols.delay_discounting.analysis.prediction import predicted
from protocols.delay_discounting.analysis.results import MazeGroup
from rig.analysis.common.style import (
    BLACK,
    BLUE,
    GREEN,
    ORANGE,
    SKY,
    from_zero,
    legend_above,
    row_of_panels,
    whole_ticks,
)

STARTS = ((1, SKY), (10, BLUE), (20, ORANGE), (30, GREEN))
"""Initial delays in seconds, and their colors."""
LAPS = 50


def prediction(group: MazeGroup) -> Figure:
    """Draw the delays of an agent that always takes the greater value, with the indifference point of a group."""
    indifference_s = group.indifference[IN_FORCE].mean
    below = f"dashed: {indifference_s:.1f} s, the mean of the sessions' final laps; filled: the delayed side is chosen"
    title = f"{group.name}: an agent that takes the greater value"
    figure, (axes,) = row_of_panels(title, below, 1, 7)
    lap = np.arange(1, LAPS + 1)
    for initial_s, color in STARTS:
        delays_s, delayed = predicted(initial_s, indifference_s, LAPS)
        axes.plot(lap, delays_s, "-", color=color, lw=0.8)
        axes.plot(lap[delayed], delays_s[delayed], "o", ms=3, color=color, label=f"from {initial_s} s")
        axes.plot(lap[~delayed], delays_s[~delayed], "o", ms=3, mfc="white", mec=color, mew=0.8)
    axes.axhline(indifference_s, color=BLACK, ls="--", lw=0.8)
    axes.set(xlabel="lap", ylabel="delay of the delayed side (s)")
    from_zero(axes)
    whole_ticks(axes.xaxis)
    legend_above(axes)
    return figure
