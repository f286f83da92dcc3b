"""Simulated rats whose laps are flagged as deliberation, for the tests of the maze analysis."""

import numpy as np

from protocols.delay_discounting.analysis.laps import Laps, of_rows
from protocols.delay_discounting.analysis.track import DerivativeWindow, passes, track
from protocols.delay_discounting.analysis.vte import neighbors
from rig.analysis.common.arrays import Flags
from tests.protocols.delay_discounting.analysis.made import laps, rat, timed, walked


def walking(seed: int) -> tuple[Laps, Flags]:
    """A rat whose way is judged from its positions alone, and on which laps it deliberated.

    It does so on .05 of the alternations, and on adjustments the more, the fewer of them are around.
    """
    history = rat(seed)
    found = laps(history)
    draw = np.random.default_rng(seed)
    local = (neighbors(found, 5) + found.adjusted) / 11
    chance = np.where(found.adjusted, 0.25 + 0.45 * (1 - local) + 0.15 * np.exp(-found.lap / 12), 0.05)
    deliberated = draw.random(found.trials) < chance
    looks = np.where(deliberated, draw.integers(2, 5, found.trials), 0)
    table, way = walked(history, looks.tolist(), seed=seed, large=3)
    found = of_rows(f"R{seed % 4}_{seed:02}", f"R{seed % 4}", table)
    where = track(*timed(way))
    return found.with_passes(passes(where, found.choice_enter_s, found.choice_exit_s, DerivativeWindow())), deliberated
