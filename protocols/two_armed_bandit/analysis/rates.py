"""Counts of a session, and rates computed from them (Beron et al. 2022)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Flags, Floats, Ints, finite, ratio, sd
from rig.analysis.common.subjects import (
    FEWEST_FOR_AN_ERROR,
    OverSubjects,
    PerSession,
    over_subjects,
    per_session,
    places,
)

COUNTS = (
    "trials",
    "rewards",
    "high",
    "high_known",
    "rewards_high",
    "left",
    "pairs",
    "switches",
    "after_reward",
    "switches_after_reward",
    "after_none",
    "switches_after_none",
    "flips",
)

RATES = {
    "reward_rate": ("rewards", "trials"),
    "p_high": ("high", "high_known"),
    "p_switch": ("switches", "pairs"),
    "p_switch_after_reward": ("switches_after_reward", "after_reward"),
    "p_switch_after_none": ("switches_after_none", "after_none"),
    "left_fraction": ("left", "trials"),
    "rewards_per_switch": ("rewards", "switches"),
    "reward_rate_high": ("rewards_high", "high"),
    "flip_rate": ("flips", "pairs"),
}
"""Numerator and denominator of each rate. Both are summed over sessions before the division."""

OF_TASK = frozenset({"reward_rate_high", "flip_rate"})
"""Rates that the task determines, and not the subject."""

RESAMPLES = 1000
"""Bootstrap resamples of sessions, as in Beron et al. 2022."""


@dataclass(frozen=True)
class Rate:
    """A rate over all trials of all sessions, with its uncertainty.

    ``se``, ``low`` and ``high`` (95 %) are from a bootstrap over sessions. A subject's rate is over all of its trials.
    ``by_session`` has mean and SD of the sessions' own rates.
    """

    value: float
    se: float
    low: float
    high: float
    by_session: PerSession
    by_subject: OverSubjects


def count(stack: Stack, chosen: Flags | None = None) -> Ints:
    """Return the counts of every session: sessions x ``COUNTS``. Pairs are consecutive trials of one session.

    ``chosen`` restricts the counts to these trials; a pair belongs to its second trial.
    """
    here = stack.from_trial(1)
    pairs = stack.from_trial(2)
    switched = stack.switched
    rewarded_before = np.zeros(here.shape, bool)
    rewarded_before[:, 1:] = stack.reward[:, :-1] > 0
    after_reward, after_none = pairs & rewarded_before, pairs & ~rewarded_before
    counted = (
        here,
        stack.reward > 0,
        stack.choice * stack.high > 0,
        stack.high != 0,
        (stack.choice * stack.high > 0) & (stack.reward > 0),
        stack.choice > 0,
        pairs,
        switched,
        after_reward,
        after_reward & switched,
        after_none,
        after_none & switched,
        stack.flipped,
    )
    within = True if chosen is None else chosen
    return np.stack([(flags & within).sum(axis=1) for flags in counted], axis=1)


def rates_of(counts: Ints | Floats) -> dict[str, Floats]:
    """Return all rates from counts, whose last axis is ``COUNTS``; NaN where a denominator is 0."""
    column = {name: counts[..., place] for place, name in enumerate(COUNTS)}
    return {name: ratio(column[part], column[whole]) for name, (part, whole) in RATES.items()}


def resamples(sessions: int, seed: int, count: int = RESAMPLES) -> Ints:
    """Draw the number of times that each session is in each resample: resamples x sessions.

    There are no resamples of fewer than three sessions, whose spread would be no error.
    """
    draw = np.random.default_rng(seed)
    size = count if sessions >= FEWEST_FOR_AN_ERROR else 0
    return draw.multinomial(sessions, np.full(sessions, 1 / sessions), size=size)


def rates(counts: Ints, subjects: Sequence[str], drawn: Ints) -> dict[str, Rate]:
    """Return the rates of all sessions, with their errors in resamples of these, and over subjects."""
    values, own = rates_of(counts.sum(axis=0)), rates_of(counts)
    # Sessions are resampled, not trials: trials of one session are not independent.
    again = rates_of(drawn @ counts)
    each = rates_of(np.stack([counts[place].sum(axis=0) for place in places(subjects)]))
    found = {}
    for name, value in values.items():
        known = finite(again[name])
        low, high = np.quantile(known, (0.025, 0.975)) if known.size else (math.nan, math.nan)
        spread = (per_session(own[name]), over_subjects(each[name]))
        found[name] = Rate(float(value), sd(known), float(low), float(high), *spread)
    return found
