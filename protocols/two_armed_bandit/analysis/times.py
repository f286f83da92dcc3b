"""Times of trials: center to side, initiation (last poke to center), and whole trials."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.sessions import BY_CENTER, BY_DECISION, ChoiceSession
from rig.analysis.common.arrays import Floats, finite, mean, sd

SESSION_S = 2400.0
"""A session of the paper: "The duration of each behavior session was 40 minutes" (Beron et al. 2022)."""

RESOLUTION_S = {BY_DECISION: 0.1, BY_CENTER: 1e-6}
"""Resolution of a trial duration. Public files give decision times with five significant digits: .1 s after 1000 s."""


@dataclass(frozen=True)
class Times:
    """Statistics of durations in seconds.

    ``mad`` is the mean absolute deviation from the mean, the number printed after the median in Beron et al. 2022.
    """

    n: int
    mean: float
    median: float
    sd: float
    mad: float


@dataclass(frozen=True)
class Durations:
    """Trial durations, the events between which they were measured, and their resolution."""

    times: Times
    measured: str
    resolution_s: float


@dataclass(frozen=True)
class ByHistory:
    """Times by the previous trial: after reward or none, and repeats and switches after either."""

    center_to_side_s: dict[str, Times]
    initiation_s: dict[str, Times]


@dataclass(frozen=True)
class Timing:
    """The three times of a trial, and the number of trials after the paper's 40 minutes."""

    # The paper's "trial duration" (mean 2.05, median 1.65 s) matches the time from the last poke to the center in the
    # public files, not center to center (mean 3.3 s). So both are reported, under their own names.
    center_to_side_s: Times
    initiation_s: Times
    trial_duration_s: Durations
    trials_after_2400_s: int


def times(values: Floats) -> Times:
    """Return the statistics of the finite values."""
    known = finite(values)
    center = mean(known)
    middle = float(np.median(known)) if known.size else center
    return Times(known.size, center, middle, sd(known), mean(np.abs(known - center)))


def timing(sessions: Sequence[ChoiceSession]) -> Timing:
    """Return the times of all sessions together."""
    kinds = sorted({session.duration_from for session in sessions})
    return Timing(
        times(np.concatenate([session.latency_s for session in sessions])),
        times(np.concatenate([session.initiation_s for session in sessions])),
        Durations(
            times(np.concatenate([session.duration_s for session in sessions])),
            " and ".join(kinds),
            # Mixed sources have the resolution of the coarser one.
            max(RESOLUTION_S[kind] for kind in kinds),
        ),
        sum(int((session.time_s > SESSION_S).sum()) for session in sessions),
    )


def by_history(sessions: Sequence[ChoiceSession]) -> ByHistory:
    """Return the times of trials 2 to the last by the previous trial (Beron et al. 2022, figure S1)."""
    rewarded = np.concatenate([session.reward[:-1] > 0 for session in sessions])
    switched = np.concatenate([session.choice[1:] != session.choice[:-1] for session in sessions])
    kinds = {
        "after reward": rewarded,
        "after none": ~rewarded,
        "repeat after reward": rewarded & ~switched,
        "switch after reward": rewarded & switched,
        "repeat after none": ~rewarded & ~switched,
        "switch after none": ~rewarded & switched,
    }
    latency_s, initiation_s = (
        np.concatenate([getattr(session, name)[1:] for session in sessions]) for name in ("latency_s", "initiation_s")
    )
    return ByHistory(
        *({name: times(values[kind]) for name, kind in kinds.items()} for values in (latency_s, initiation_s))
    )
