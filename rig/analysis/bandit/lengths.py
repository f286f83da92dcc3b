"""How far back choices look: likelihood against the length of history and against lags (Beron et al. 2022, S3).

Needs scipy only as the fits do.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.regression import USUAL, Lags, fit_weights, weighed
from rig.analysis.bandit.stack import Stack
from rig.analysis.bandit.words import side_log_odds, side_policy, spelled
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import log_likelihood

LONGEST = 6
"""Of longer words most never come: there are 4096 of six trials."""

CHOICES, REWARDED_CHOICES, REWARDS = range(7), range(11), range(6)


@dataclass(frozen=True)
class Length:
    """The table of words of some length: words that came in training, and likelihoods of trials 7 to the last."""

    length: int
    words: int
    ll_train: float
    ll_test: float


@dataclass(frozen=True)
class Lag:
    """A regression with these lags, and its likelihoods of trials 2 to the last; ``weights`` by lag, then the bias."""

    lags: Lags
    weights: tuple[float, ...]
    ll_train: float
    ll_test: float


@dataclass(frozen=True)
class HistoryLengths:
    """Likelihood per trial by what is known of the past.

    ``choices`` varies L1 with five rewarded choices, ``rewarded_choices`` L2 with one choice, and ``rewards`` L3 with
    both.
    """

    words: tuple[Length, ...]
    choices: tuple[Lag, ...]
    rewarded_choices: tuple[Lag, ...]
    rewards: tuple[Lag, ...]


def history_lengths(train: Stack, test: Stack) -> HistoryLengths:
    """Fit every length to the training sessions, and score it on both."""
    return HistoryLengths(
        tuple(_words(train, test)),
        tuple(_lag(train, test, USUAL._replace(choices=most)) for most in CHOICES),
        tuple(_lag(train, test, USUAL._replace(rewarded_choices=most)) for most in REWARDED_CHOICES),
        tuple(_lag(train, test, USUAL._replace(rewards=most)) for most in REWARDS),
    )


def _words(train: Stack, test: Stack) -> Iterator[Length]:
    for length in range(LONGEST + 1):
        policy = side_policy(train, length)
        numbers = spelled(train, length, sides=True)
        came = np.unique(numbers[numbers >= 0]).size
        scores = (_mean(each, side_log_odds(each, policy, length), LONGEST + 1) for each in (train, test))
        yield Length(length, came, *scores)


def _lag(train: Stack, test: Stack, lags: Lags) -> Lag:
    weights = fit_weights(train, lags)
    return Lag(lags, weights, *(_mean(each, weighed(each, lags, weights), 2) for each in (train, test)))


def _mean(stack: Stack, psi: Floats, first: int) -> float:
    scored = stack.from_trial(first)
    return float(log_likelihood((stack.choice * psi)[scored]).mean()) if scored.any() else float("nan")
