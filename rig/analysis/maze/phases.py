"""Phases of a session, after the laps that go to one side twice in a row (Papale et al. 2012).

A window of five laps with two adjustment laps or more is titration. Any other is investigation while it lies before
the first titration, and before lap 30; exploitation afterwards.
"""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Flags, Ints
from rig.analysis.maze.laps import Laps

Rule: TypeAlias = Literal["sliding", "binned"]

RULES: tuple[Rule, ...] = ("sliding", "binned")
WINDOW = 5
FEWEST_ADJUSTMENTS = 2
LAST_INVESTIGATION = 30

PHASES = ("investigation", "titration", "exploitation")
INVESTIGATION, TITRATION, EXPLOITATION = range(3)


def phases(laps: Laps, rule: Rule) -> Ints:
    """Give every lap its phase, as a place in ``PHASES``.

    ``sliding`` judges a lap by the window around it, which is cut at the ends of the session; ``binned``, the rule of
    the authors' program of 2012, gives laps 1 to 5, 6 to 10, … the phase of their window.
    """
    if not laps.trials:
        return np.zeros(0, np.int64)
    if rule == "sliding":
        reach = WINDOW // 2
        around = np.convolve(laps.adjusted, np.ones(WINDOW))[reach : reach + laps.trials]
        return _judged(around, laps.lap.astype(float))
    block = (laps.lap - 1) // WINDOW
    among = np.bincount(block, laps.adjusted)
    return _judged(among, np.arange(among.size) * WINDOW + (WINDOW + 1) / 2)[block]


def _judged(adjustments: npt.NDArray[Any], centre: npt.NDArray[Any]) -> Ints:
    titration: Flags = adjustments >= FEWEST_ADJUSTMENTS
    begin = min(LAST_INVESTIGATION, np.min(centre, where=titration, initial=np.inf))
    return np.where(titration, TITRATION, np.where(centre < begin, INVESTIGATION, EXPLOITATION))
