"""Likelihood against the length of history and against regression lags (Beron et al. 2022, figure S3). Needs scipy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.history_words import side_log_odds, side_policy, spelled
from protocols.two_armed_bandit.analysis.regression import USUAL, Lags, fit_weights, weighed
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import log_likelihood

LONGEST = 6
"""Longest words, in trials: there are 4096 words of six trials, and most never occur in a data set."""

# L1, L2 and L3 of the authors' regression; they chose L1 = 1, L2 = 5, L3 = 0.
CHOICES, REWARDED_CHOICES, REWARDS = range(7), range(11), range(6)


@dataclass(frozen=True)
class Length:
    """Table of words of one length: words that occurred in training, and log-likelihood of trials 7 to the last."""

    length: int
    words: int
    ll_train: float
    ll_test: float


@dataclass(frozen=True)
class Lag:
    """Regression with these lags: weights by lag, then the bias, and log-likelihood of trials 2 to the last."""

    lags: Lags
    weights: tuple[float, ...]
    ll_train: float
    ll_test: float


@dataclass(frozen=True)
class HistoryLengths:
    """Log-likelihood per trial by the history that a model uses.

    ``choices`` varies L1 with five rewarded choices, ``rewarded_choices`` varies L2 with one choice, and ``rewards``
    varies L3 with both.
    """

    words: tuple[Length, ...]
    choices: tuple[Lag, ...]
    rewarded_choices: tuple[Lag, ...]
    rewards: tuple[Lag, ...]


def history_lengths(train: Stack, test: Stack) -> HistoryLengths:
    """Fit every length and lag to the training sessions; score it on training and test sessions."""
    return HistoryLengths(
        tuple(_words(train, test)),
        tuple(_lag(train, test, USUAL._replace(choices=most)) for most in CHOICES),
        tuple(_lag(train, test, USUAL._replace(rewarded_choices=most)) for most in REWARDED_CHOICES),
        tuple(_lag(train, test, USUAL._replace(rewards=most)) for most in REWARDS),
    )


def _words(train: Stack, test: Stack) -> Iterator[Length]:
    # Length 0 is the side bias alone, the reference for all others.
    for length in range(LONGEST + 1):
        policy = side_policy(train, length)
        numbers = spelled(train, length, sides=True)
        occurred = np.unique(numbers[numbers >= 0]).size
        # All lengths are scored on the same trials, those with the longest history; else lengths were not comparable.
        scores = (_mean(each, side_log_odds(each, policy, length), LONGEST + 1) for each in (train, test))
        yield Length(length, occurred, *scores)


def _lag(train: Stack, test: Stack, lags: Lags) -> Lag:
    weights = fit_weights(train, lags)
    return Lag(lags, weights, *(_mean(each, weighed(each, lags, weights), 2) for each in (train, test)))


def _mean(stack: Stack, psi: Floats, first: int) -> float:
    scored = stack.from_trial(first)
    return float(log_likelihood((stack.choice * psi)[scored]).mean()) if scored.any() else float("nan")
