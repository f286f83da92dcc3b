"""Course of a session by lap, averaged over sessions (Papale et al. 2012)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from protocols.delay_discounting.analysis.delays import LONGEST_S, delay_counts
from protocols.delay_discounting.analysis.laps import Laps
from protocols.delay_discounting.analysis.phases import EXPLOITATION, INVESTIGATION, PHASES, RULES, TITRATION, phases
from rig.analysis.common.arrays import Flags, Floats, Ints, mean, ratio

COUNTED_LAPS = (10, 30, 50, 75, 100)
"""Laps at which the number of sessions that reached them is printed."""

Column: TypeAlias = Callable[[Laps], Flags | Floats | Ints]


@dataclass(frozen=True)
class LapCurves:
    """Shares over the sessions that reached a lap.

    ``adjustment`` is NaN for lap 1, which has no type. ``phases`` are by rule, then by name. ``delays`` has one row per
    lap: the share of each delay in force, in steps of 1 s from 1 s; the last column is for delays above 30 s.
    """

    lap: Ints
    n: Ints
    delay_mean_s: Floats
    adjustment: Floats
    phases: dict[str, dict[str, Floats]]
    delays: Floats


@dataclass(frozen=True)
class Milestones:
    """Shares that Papale et al. 2012 publish for parts of a session; ``titration_peak_lap`` is by the sliding rule.

    ``sessions`` is the number of sessions that reached each of ``COUNTED_LAPS``. Shares at late laps are over these.
    """

    # The published values: 85 % of laps 1 to 5 investigation, 40 % at lap 10, titration peak in laps 5 to 25, 90 %
    # exploitation by laps 70 to 75, about 10 % adjustment from lap 75.

    sessions: dict[int, int]

    adjustment_laps_1_to_5: float
    adjustment_laps_11_to_20: float
    adjustment_laps_76_to_100: float
    investigation_laps_1_to_5: dict[str, float]
    investigation_lap_10: dict[str, float]
    exploitation_laps_70_to_75: dict[str, float]
    titration_peak_lap: int


def lap_curves(sessions: Sequence[Laps]) -> LapCurves:
    """Return shares and means by lap over sessions."""
    last = max((int(laps.lap.max()) for laps in sessions if laps.trials), default=0)

    def by_lap(column: Column) -> Floats:
        """Return a column as sessions x laps; NaN where a session has no such lap."""
        table = np.full((len(sessions), last), np.nan)
        for row, laps in enumerate(sessions):
            table[row, laps.lap - 1] = column(laps)
        return table

    delay_s = by_lap(lambda laps: laps.in_force_s)
    adjusted = by_lap(lambda laps: np.where(laps.typed, laps.adjusted, np.nan))
    phase = {rule: by_lap(partial(phases, rule=rule)) for rule in RULES}
    counts = [delay_counts(column[np.isfinite(column)]) for column in delay_s.T]
    n = np.isfinite(delay_s).sum(axis=0)
    return LapCurves(
        lap=np.arange(1, last + 1),
        n=n,
        delay_mean_s=ratio(np.nansum(delay_s, axis=0), n),
        adjustment=_share(adjusted > 0, adjusted),
        phases={
            rule: {name: _share(found == place, found) for place, name in enumerate(PHASES)}
            for rule, found in phase.items()
        },
        delays=ratio(np.reshape(counts, (last, LONGEST_S + 1)), n[:, None]),
    )


def _share(flags: Flags, of: Floats) -> Floats:
    return ratio(flags.sum(axis=0), np.isfinite(of).sum(axis=0))


def milestones(curves: LapCurves) -> Milestones:
    """Return the shares at the laps that the paper names; NaN where no session has such laps."""

    def over(values: Floats, first: int, last: int) -> float:
        return mean(values[first - 1 : last])

    def by_rule(phase: int, first: int, last: int) -> dict[str, float]:
        return {rule: over(curves.phases[rule][PHASES[phase]], first, last) for rule in RULES}

    titration = curves.phases["sliding"][PHASES[TITRATION]]
    return Milestones(
        sessions={lap: int(curves.n[lap - 1]) if lap <= curves.lap.size else 0 for lap in COUNTED_LAPS},
        adjustment_laps_1_to_5=over(curves.adjustment, 1, 5),
        adjustment_laps_11_to_20=over(curves.adjustment, 11, 20),
        adjustment_laps_76_to_100=over(curves.adjustment, 76, 100),
        investigation_laps_1_to_5=by_rule(INVESTIGATION, 1, 5),
        investigation_lap_10=by_rule(INVESTIGATION, 10, 10),
        exploitation_laps_70_to_75=by_rule(EXPLOITATION, 70, 75),
        titration_peak_lap=int(np.argmax(titration)) + 1 if titration.size else 0,
    )
