"""How long things took: centre to side, the initiation of a trial, and a whole trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.sessions import BY_CENTER, BY_DECISION, Session
from rig.analysis.common.arrays import Floats, finite, mean, sd

SESSION_S = 2400.0
"""A session of the paper: "The duration of each behavior session was 40 minutes" (Beron et al. 2022)."""

RESOLUTION_S = {BY_DECISION: 0.1, BY_CENTER: 1e-6}
"""What a trial's duration is good to: public files give decisions with five significant digits."""


@dataclass(frozen=True)
class Times:
    """Some durations in seconds.

    ``mad`` is the mean absolute deviation from the mean, the one the paper prints behind its median.
    """

    n: int
    mean: float
    median: float
    sd: float
    mad: float


@dataclass(frozen=True)
class Durations:
    """A trial's duration, from where to where it was measured, and what it is good to."""

    times: Times
    measured: str
    resolution_s: float


@dataclass(frozen=True)
class ByHistory:
    """The times of trials by what came before: after a reward or none, and repeats and switches after either."""

    center_to_side_s: dict[str, Times]
    initiation_s: dict[str, Times]


@dataclass(frozen=True)
class Timing:
    """The three times of a trial, and how many trials came after the paper's 40 minutes."""

    center_to_side_s: Times
    initiation_s: Times
    trial_duration_s: Durations
    trials_after_2400_s: int


def times(values: Floats) -> Times:
    """Describe the known values."""
    known = finite(values)
    centre = mean(known)
    middle = float(np.median(known)) if known.size else centre
    return Times(known.size, centre, middle, sd(known), mean(np.abs(known - centre)))


def timing(sessions: Sequence[Session]) -> Timing:
    """Describe the times of all sessions together."""
    kinds = sorted({session.duration_from for session in sessions})
    return Timing(
        times(np.concatenate([session.latency_s for session in sessions])),
        times(np.concatenate([session.initiation_s for session in sessions])),
        Durations(
            times(np.concatenate([session.duration_s for session in sessions])),
            " and ".join(kinds),
            max(RESOLUTION_S[kind] for kind in kinds),
        ),
        sum(int((session.time_s > SESSION_S).sum()) for session in sessions),
    )


def by_history(sessions: Sequence[Session]) -> ByHistory:
    """Describe the times of trials 2 to the last by the trial before them (Beron et al. 2022, S1)."""
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
