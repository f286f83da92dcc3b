"""Phases of a session from its adjustment laps (Papale et al. 2012).

A window of five laps with two adjustment laps or more is titration. Any other window is investigation before the first
titration window or lap 30, whichever is earlier; exploitation after it.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from protocols.delay_discounting.analysis.laps import Laps
from rig.analysis.common.arrays import Flags, Ints

Rule: TypeAlias = Literal["sliding", "binned"]

RULES: tuple[Rule, ...] = ("sliding", "binned")
WINDOW = 5
FEWEST_ADJUSTMENTS = 2
LAST_INVESTIGATION = 30

PHASES = ("investigation", "titration", "exploitation")
INVESTIGATION, TITRATION, EXPLOITATION = range(3)


def phases(laps: Laps, rule: Rule) -> Ints:
    """Return the phase of every lap, as an index of ``PHASES``.

    ``sliding`` uses the window around each lap, cut at the ends of the session. ``binned``, the rule of the authors'
    program of 2012, gives laps 1 to 5, 6 to 10, … the phase of their window.
    """
    # The text of the paper says "sliding", the program of 2012 bins: investigation in laps 1 to 5 differs by .1 in
    # simulated sessions. So tables print both.
    if not laps.trials:
        return np.zeros(0, np.int64)
    if rule == "sliding":
        reach = WINDOW // 2
        around = np.convolve(laps.adjusted, np.ones(WINDOW))[reach : reach + laps.trials]
        return _classify(around, laps.lap.astype(float))
    block = (laps.lap - 1) // WINDOW
    among = np.bincount(block, laps.adjusted)
    return _classify(among, np.arange(among.size) * WINDOW + (WINDOW + 1) / 2)[block]


def _classify(adjustments: npt.NDArray[np.number], center: npt.NDArray[np.number]) -> Ints:
    titration: Flags = adjustments >= FEWEST_ADJUSTMENTS
    # The paper's "before either the first titration phase or lap 30" means the earlier of the two: it calls laps "after
    # the first titration phase or after lap 30" exploitation. A literal "or" more than doubles investigation at lap 20.
    begin = min(LAST_INVESTIGATION, np.min(center, where=titration, initial=np.inf))
    return np.where(titration, TITRATION, np.where(center < begin, INVESTIGATION, EXPLOITATION))
