"""Logistic regression on the last choices and rewards (Beron et al. 2022, logistic regression)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximize

REWARDS = 5
"""Rewarded choices in the regression. The authors chose one choice and five rewarded choices: L1 1, L2 5, L3 0."""

PENALTY = 1.0
"""Weight of half the squared coefficients against the summed log-likelihood: C = 1 in the authors' scikit-learn."""


@dataclass(frozen=True)
class Regression:
    """Weight of the last choice (alpha), of rewarded choices, latest first (beta), and bias to left (delta)."""

    alpha: float
    beta: tuple[float, ...]
    delta: float


class Lags(NamedTuple):
    """Number of trials back in a regression, by kind of predictor (L1, L2 and L3 of Beron et al. 2022)."""

    choices: int = 1
    rewarded_choices: int = REWARDS
    rewards: int = 0


USUAL = Lags()


def features(stack: Stack, lags: Lags = USUAL) -> Floats:
    """Return the predictors of every trial: sessions x trials x (sum of the lags, and 1 for the bias).

    A predictor is 0 where a session has no such history.
    """
    rewarded = stack.choice * stack.reward
    columns = [
        back_by(values, back)
        for values, most in zip((stack.choice, rewarded, stack.reward), lags, strict=True)
        for back in range(1, most + 1)
    ]
    return np.stack([*columns, np.ones(stack.choice.shape)], axis=-1)


def back_by(values: Floats, trials: int) -> Floats:
    """Return values moved to later trials; the first trials are 0."""
    moved = np.zeros(values.shape)
    moved[:, trials:] = values[:, : max(values.shape[1] - trials, 0)]
    return moved


def log_odds(stack: Stack, model: Regression) -> Floats:
    """Return log-odds of left: psi_{t+1} = alpha c_t + sum of beta_i c r of the i-th trial back + delta; psi_1 = 0."""
    return weighed(stack, USUAL, (model.alpha, *model.beta, model.delta))


def weighed(stack: Stack, lags: Lags, weights: Sequence[float]) -> Floats:
    """Return the log-odds of left of a regression with these lags; 0 on the first trial of a session."""
    psi = features(stack, lags) @ np.array(weights)
    # The first trial has no history; the bias alone would be a prediction of the start side.
    psi[:, :1] = 0.0
    return np.asarray(psi)


def fit(stack: Stack) -> Regression:
    """Fit the regression to trials 2 to the last of every session, with the penalty ``PENALTY``."""
    alpha, *beta, delta = fit_weights(stack, USUAL)
    return Regression(alpha, tuple(beta), delta)


def fit_weights(stack: Stack, lags: Lags) -> tuple[float, ...]:
    """Return the fitted weights of a regression with these lags, the bias last."""
    scored = stack.from_trial(2)
    known = features(stack, lags)[scored]
    unbounded = [(-math.inf, math.inf)] * known.shape[1]
    return maximize(lambda at: (known @ at, known), stack.choice[scored], [0.0] * len(unbounded), unbounded, PENALTY).at
