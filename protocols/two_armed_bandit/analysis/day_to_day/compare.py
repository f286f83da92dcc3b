"""Twelve statistics of sessions beside those of real mice: how days differ, and what changes slowly within one.

A standard error is that of a jackknife over at most twelve groups of consecutive sessions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from protocols.two_armed_bandit.analysis.day_to_day.tempo import autocorrelation, flight, pace, part, trend
from protocols.two_armed_bandit.analysis.regression import Lags, fit_weights
from protocols.two_armed_bandit.analysis.sessions import ChoiceSession
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats, finite, mean, ratio, sd

SESSION_S = 2400.0
"""Duration of the task's sessions; what real mice did later is left out, as the statistics depend on the duration."""

LONG_S = 10.0
MOST_GROUPS = 12
FEWEST = 3
"""Fewest sessions: without one of them the others still have a spread."""

LAGS = 10
"""Trials back in the kernels. Both are of one logistic regression, on choices and on rewarded choices."""


@dataclass(frozen=True)
class Comparison:
    """A statistic of real mice and of others, with standard errors; ``within`` two standard errors of the real one."""

    name: str
    real: float
    real_se: float
    other: float
    other_se: float
    within: bool


def compare(real: Sequence[ChoiceSession], others: Sequence[ChoiceSession]) -> tuple[Comparison, ...]:
    """Return the twelve statistics of real sessions and of others, at least ``FEWEST`` of each."""
    (values, errors), (found, own_errors) = _estimates(real), _estimates(others)
    return tuple(
        Comparison(name, value, error, other, other_error, abs(other - value) <= 2 * error)
        for name, value, error, other, other_error in zip(_STATISTICS, values, errors, found, own_errors, strict=True)
    )


class _Days:
    """Values of each session, and the kernels of all; a jackknife takes some of the sessions."""

    def __init__(self, sessions: Sequence[ChoiceSession]) -> None:
        self._sessions = sessions

    def column(self, value: Callable[[ChoiceSession], float]) -> Floats:
        """Return one value per session."""
        return np.array([value(session) for session in self._sessions])

    @cached_property
    def kernels(self) -> tuple[Floats, Floats]:
        """Return the weights of the last choices and of the last rewarded choices, the latest first."""
        weights = np.array(fit_weights(Stack.of(self._sessions), Lags(LAGS, LAGS, 0)))
        return weights[:LAGS], weights[LAGS : 2 * LAGS]


def _p_high(session: ChoiceSession) -> float:
    return float(ratio((session.choice == session.high).sum(), np.abs(session.high).sum()))


def _long(session: ChoiceSession) -> float:
    return float((finite(session.duration_s) > LONG_S).mean())


def _drift(session: ChoiceSession) -> float:
    """Return the change of the log interval from the begin to the end of a session."""
    return trend(pace(session), part(session, SESSION_S)).slope


def _slow_flights(session: ChoiceSession) -> float:
    return mean(np.array([autocorrelation(flight(session), lag) for lag in range(1, 6)]))


_STATISTICS: dict[str, Callable[[_Days], float]] = {
    "center to side (s), median: SD over sessions": lambda days: sd(
        days.column(lambda session: float(np.median(session.latency_s)))
    ),
    "P(high): SD over sessions": lambda days: sd(days.column(_p_high)),
    "trials: SD over sessions": lambda days: sd(days.column(lambda session: session.trials)),
    "choices: autocorrelation at lag 5": lambda days: mean(
        days.column(lambda session: autocorrelation(session.choice.astype(float), 5))
    ),
    "center to side: mean autocorrelation at lags 1-5": lambda days: mean(days.column(_slow_flights)),
    "weight of the last choice": lambda days: float(days.kernels[0][0]),
    "weight of choices 2-10 back, mean": lambda days: mean(days.kernels[0][1:]),
    "weight of the last reward": lambda days: float(days.kernels[1][0]),
    "weight of rewards 2-10 back, mean": lambda days: mean(days.kernels[1][1:]),
    "last poke to center: drift of the log over a session": lambda days: mean(days.column(_drift)),
    f"share of trials longer than {LONG_S:g} s": lambda days: mean(days.column(_long)),
    "trials: mean over sessions": lambda days: mean(days.column(lambda session: session.trials)),
}


def _estimates(sessions: Sequence[ChoiceSession]) -> tuple[Floats, Floats]:
    """Return the statistics of sessions, and their standard errors."""
    timed = [session.before(SESSION_S) for session in sessions]
    parts = np.array_split(np.arange(len(timed)), min(MOST_GROUPS, len(timed)))
    without = np.array([_values([timed[i] for i in range(len(timed)) if i not in part]) for part in parts])
    groups = len(parts)
    return _values(timed), math.sqrt((groups - 1) ** 2 / groups) * without.std(axis=0, ddof=1)


def _values(sessions: Sequence[ChoiceSession]) -> Floats:
    days = _Days(sessions)
    return np.array([statistic(days) for statistic in _STATISTICS.values()])
