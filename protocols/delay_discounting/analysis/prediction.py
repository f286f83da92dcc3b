"""What the schedule predicts of an agent that always takes the greater value (Papale et al. 2012, figure 1c)."""

from __future__ import annotations

import numpy as np

from rig.analysis.common.arrays import Flags, Floats

SHORTEST_S = 1.0
"""The schedule does not make a delay shorter."""


def predicted(initial_s: float, indifference_s: float, laps: int) -> tuple[Floats, Flags]:
    """Return the delay in force on each lap, and whether the agent chooses the delayed side.

    It does where the delay is below its indifference point: there the larger reward has the greater value, whatever the
    shape of discounting. So it adjusts until it is indifferent, and alternates from then on.
    """
    delays_s, delayed = np.empty(laps), np.empty(laps, bool)
    delay_s = initial_s
    for lap in range(laps):
        delays_s[lap], delayed[lap] = delay_s, delay_s < indifference_s
        delay_s = delay_s + 1 if delayed[lap] else max(SHORTEST_S, delay_s - 1)
    return delays_s, delayed
