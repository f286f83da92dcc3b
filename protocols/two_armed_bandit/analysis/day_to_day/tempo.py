"""How the times of a mouse differ from day to day, and change within a session.

A log time is the sum of the day's mean, of a linear trend over the session, of a slow wander, and of noise from trial
to trial. The variances of the first three follow from moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from rig.analysis.common.arrays import Flags, Floats, mean, ratio, sd

SHORTEST_INTERVAL_S = 1.0
LONGEST_INTERVAL_S = 5.0
"""Intervals between last poke and center that are no pauses; the first second is the rig's."""

LAGS = 20
"""Lags of the autocorrelation that the wander is fitted to."""

_DECAYS = np.arange(1.0, 60.5, 0.5)


@dataclass(frozen=True)
class TempoFit:
    """Moments of a log time: SD over days of its median, mean and SD of its trend over a session, and the wander.

    The wander has an SD, and a time constant in trials.
    """

    day_sd: float
    drift: float
    drift_sd: float
    wander_sd: float
    wander_trials: float


def pace(session: ChoiceSession) -> Floats:
    """Return the log of each interval from the last poke to the center, without its first second; NaN for pauses."""
    rest = session.initiation_s - SHORTEST_INTERVAL_S
    usual = (rest > 0) & (session.initiation_s < LONGEST_INTERVAL_S)
    rewarded = np.append(False, session.reward[:-1] > 0)
    return _without_means(np.where(usual, np.log(np.where(usual, rest, 1.0)), np.nan), rewarded)


def flight(session: ChoiceSession) -> Floats:
    """Return the log of each time from center to side."""
    switched = np.append(False, session.choice[1:] != session.choice[:-1])
    return _without_means(np.log(session.latency_s), switched)


def part(session: ChoiceSession, session_s: float) -> Floats:
    """Return how far the session was at each trial: from -.5 at its begin to .5 at its end."""
    return np.asarray((session.time_s - session.time_s[0]) / session_s - 0.5)


def fit_tempo(times: Sequence[Floats], parts: Sequence[Floats]) -> TempoFit:
    """Fit the moments to the log times of sessions."""
    trends = [trend(values, at) for values, at in zip(times, parts, strict=True)]
    slopes = np.array([line.slope for line in trends])
    noise = mean(np.array([line.se for line in trends]) ** 2)
    spread = mean(np.array([sd(line.rest) for line in trends]) ** 2)
    curve = np.array([mean(np.array([autocorrelation(line.rest, lag) for line in trends])) for lag in _lags()])
    share, trials = _decay(curve)
    return TempoFit(
        day_sd=sd(np.array([float(np.nanmedian(values)) for values in times])),
        drift=mean(slopes),
        drift_sd=float(np.sqrt(max(0.0, sd(slopes) ** 2 - noise))),
        wander_sd=float(np.sqrt(share * spread)),
        wander_trials=trials,
    )


def autocorrelation(values: Floats, lag: int) -> float:
    """Return the autocorrelation of values in order; NaN if they are all alike. Pairs with a NaN are left out."""
    rest = values - mean(values)
    return float(ratio(mean(rest[:-lag] * rest[lag:]), mean(rest**2)))


@dataclass(frozen=True)
class Trend:
    """Slope of a line, its standard error with independent values, and the values without the line."""

    slope: float
    se: float
    rest: Floats


def trend(values: Floats, at: Floats) -> Trend:
    """Return the straight line through values, and what is left of them; NaN without a spread of ``at``."""
    known = np.isfinite(values)
    far = at - mean(at[known])
    slope = float(ratio((far * values)[known].sum(), (far[known] ** 2).sum()))
    rest = values - mean(values) - slope * far
    return Trend(slope, float(ratio(sd(rest), np.sqrt((far[known] ** 2).sum()))), rest)


def _without_means(values: Floats, kind: Flags) -> Floats:
    """Return values with the mean of each of two kinds of trial moved to the mean of all."""
    moved, level = values.copy(), mean(values)
    for own in (kind, ~kind):
        if np.isfinite(values[own]).any():
            moved[own] += level - mean(values[own])
    return moved


def _lags() -> range:
    return range(1, LAGS + 1)


def _decay(curve: Floats) -> tuple[float, float]:
    """Return share and time constant of the exponential through an autocorrelation, by least squares."""
    shapes = np.exp(-np.array(_lags())[None, :] / _DECAYS[:, None])
    shares = np.maximum(0.0, shapes @ curve / (shapes**2).sum(axis=1))
    misses = ((curve - shares[:, None] * shapes) ** 2).sum(axis=1)
    best = int(misses.argmin())
    return float(shares[best]), float(_DECAYS[best])
