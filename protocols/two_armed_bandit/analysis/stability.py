"""Changes of behavior within sessions, in their first trials, and over sessions (Beron et al. 2022, S4 and S5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.rates import OF_TASK, RATES, count, rates_of
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Flags, Floats, Ints, mean, ratio
from rig.analysis.common.subjects import OverSubjects, over_subjects, places

QUARTERS = 4
BREAK_S = 10.0
"""Trials longer than this count as breaks: 1 to 4 % of the trials in the quarters of the public 80-20 sessions."""

EARLY = ((2, 11), (12, 21), (22, 41), (42, 101), (102, 10**6))
"""Ranges of trials, counted from the session's first. Mice settle within the first hundred trials: P(switch) on the
public 80-20 sessions is .27, .13, .11, .075 and .063 in these five ranges."""

FEWEST_SESSIONS = 3


@dataclass(frozen=True)
class Part:
    """Results of one part of all sessions: rates, trial durations, and the share of breaks."""

    name: str
    trials: int
    rates: dict[str, float]
    duration_median_s: float
    duration_mean_s: float
    breaks: float


@dataclass(frozen=True)
class Trend:
    """Change of a rate per session: the mean of the subjects' slopes.

    A slope is by least squares over a subject's sessions in the order of their names; subjects with fewer than three
    sessions have none. ``between`` is the SD of the subjects' means, ``within`` the SD of sessions around them.
    """

    slope: OverSubjects
    between: float
    within: float


@dataclass(frozen=True)
class Stability:
    """Results by quarter of the sessions, in their first trials, and trends over sessions of one condition."""

    quarters: tuple[Part, ...]
    early: tuple[Part, ...]
    trends: dict[str, Trend]


def stability(sessions: Sequence[ChoiceSession]) -> Stability:
    """Return the stability of sessions; trends only if all sessions have the same condition."""
    stack = Stack.of(sessions)
    trial = np.arange(stack.longest)
    quarter = np.minimum(trial * QUARTERS // np.maximum(stack.lengths[:, None], 1), QUARTERS - 1)
    number = np.broadcast_to(trial + 1, stack.choice.shape) + stack.skipped[:, None]
    inside = stack.from_trial(1)
    durations = np.full(stack.choice.shape, np.nan)
    for row, session in enumerate(sessions):
        durations[row, : session.trials] = session.duration_s
    quarters = (
        _part(f"quarter {place + 1}", stack, inside & (quarter == place), durations) for place in range(QUARTERS)
    )
    early = (
        _part(f"trials {low} to {high}" if high < EARLY[-1][1] else f"trials from {low}", stack, chosen, durations)
        for low, high in EARLY
        if (chosen := inside & (number >= low) & (number <= high)).any()
    )
    # Conditions differ in difficulty, so a trend over mixed sessions could be the order of conditions.
    alike = len({session.condition for session in sessions}) == 1
    trends = _trends(stack, [session.subject for session in sessions]) if alike else {}
    return Stability(tuple(quarters), tuple(early), trends)


def _part(name: str, stack: Stack, chosen: Flags, durations: Floats) -> Part:
    known = durations[chosen & np.isfinite(durations)]
    return Part(
        name,
        int(chosen.sum()),
        {rate: float(value) for rate, value in rates_of(count(stack, chosen).sum(axis=0)).items()},
        float(np.median(known)) if known.size else float("nan"),
        mean(known),
        float(ratio((known > BREAK_S).sum(), known.size)),
    )


def _trends(stack: Stack, subjects: Sequence[str]) -> dict[str, Trend]:
    each, own = rates_of(count(stack)), places(subjects)
    return {name: _trend(each[name], own) for name in RATES if name not in OF_TASK}


def _trend(values: Floats, own: Sequence[Ints]) -> Trend:
    slopes = [_slope(values[place]) for place in own]
    means = np.array([mean(values[place]) for place in own])
    apart = np.concatenate([values[place] - mean(values[place]) for place in own])
    apart = apart[np.isfinite(apart)]
    freedom = apart.size - np.isfinite(means).sum()
    within = float(np.sqrt((apart**2).sum() / freedom)) if freedom > 0 else float("nan")
    between = float(np.nanstd(means, ddof=1)) if np.isfinite(means).sum() > 1 else float("nan")
    return Trend(over_subjects(slopes), between, within)


def _slope(values: Floats) -> float:
    known = np.isfinite(values)
    if known.sum() < FEWEST_SESSIONS:
        return float("nan")
    return float(np.polyfit(np.flatnonzero(known), values[known], 1)[0])
