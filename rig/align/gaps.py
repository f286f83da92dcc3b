"""Where edges are missing: parts of the session that the recording lacks, and parts of the recording without edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.rough_match import RoughMatch
from rig.align.stretches import Fit

START, END, STEP, SILENCE, BRIDGED = "start", "end", "step", "silence", "bridged"
GAP_PERIODS = 3.0


@dataclass(frozen=True)
class Gap:
    """A part of the session without matched edges, from one to the other on both clocks; None is the end of a side.

    ``why`` is ``start`` or ``end`` (of the session: nothing matches beyond), ``step`` (the other clock jumped by
    ``step_us``), ``silence`` (no edge matches, and both sides do not agree), or ``bridged`` (no edge matches, and both
    sides agree: the mapping goes on through it).
    """

    why: str
    from_us: float
    to_us: float
    from_s: float | None
    to_s: float | None
    step_us: float | None = None


def gaps_of(rough: RoughMatch, fit: Fit, zero_s: float) -> list[Gap]:
    """Return the gaps in order; ``zero_s`` is the other clock at the first recorded edge."""
    signal = rough.reading.signal
    least_us = GAP_PERIODS * signal.period_us
    t_us = signal.t_us[fit.matches.expected].astype(np.float64)
    other_s = zero_s + rough.reading.times_us[fit.matches.recorded] / 1e6
    gaps: list[Gap] = []
    if t_us[0] - signal.t_us[0] > least_us:
        gaps.append(Gap(START, float(signal.t_us[0]), float(t_us[0]), None, float(other_s[0])))
    ends = {stretch.to_us: place for place, stretch in enumerate(fit.stretches[:-1])}
    for at in np.flatnonzero((np.diff(t_us) > least_us) | np.isin(t_us[:-1], list(ends))):
        span = (float(t_us[at]), float(t_us[at + 1]), float(other_s[at]), float(other_s[at + 1]))
        place = ends.get(span[0])
        if place is None:
            gaps.append(Gap(BRIDGED, *span))
        else:
            step_us = _step_us(fit, place)
            long = span[1] - span[0] > least_us
            certain = abs(step_us) > max(fit.tolerance_us, 1e-4 * (span[1] - span[0]))
            gaps.append(Gap(SILENCE if long and not certain else STEP, *span, step_us))
    if signal.t_us[-1] - t_us[-1] > least_us:
        gaps.append(Gap(END, float(t_us[-1]), float(signal.t_us[-1]), float(other_s[-1]), None))
    return gaps


def _step_us(fit: Fit, place: int) -> float:
    """Return by how much the lines before and after a stretch's end differ, in the middle between them."""
    before, after = fit.stretches[place], fit.stretches[place + 1]
    middle = np.array([(before.to_us + after.from_us) / 2])
    return float(after.line(middle)[0] - before.line(middle)[0])
