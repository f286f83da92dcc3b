"""Logistic regression on the last choices and rewards (Beron et al. 2022, logistic regression)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximise

REWARDS = 5
"""The chosen lengths of history: one choice, five rewarded choices (Beron et al. 2022, L1 = 1, L2 = 5, L3 = 0)."""

PENALTY = 1.0
"""Weight of half the squared coefficients against the summed log-likelihood (C = 1 of the authors' program)."""


@dataclass(frozen=True)
class Regression:
    """Weights of the last choice, of the last rewarded choices from the latest, and of the left."""

    alpha: float
    beta: tuple[float, ...]
    delta: float


def features(stack: Stack) -> Floats:
    """Give what is known before every trial, sessions x trials x 7; 0 where a session has no such history."""
    shape = (*stack.choice.shape, REWARDS + 2)
    known = np.zeros(shape)
    rewarded = stack.choice * stack.reward
    known[:, 1:, 0] = stack.choice[:, :-1]
    for back in range(1, min(REWARDS, stack.longest - 1) + 1):
        known[:, back:, back] = rewarded[:, :-back]
    known[..., -1] = 1.0
    return known


def log_odds(stack: Stack, model: Regression) -> Floats:
    """Weigh what is known: psi_{t+1} = alpha c_t + sum of beta_i c r of the i-th trial back + delta; psi_1 = 0."""
    psi = features(stack) @ np.array([model.alpha, *model.beta, model.delta])
    psi[:, :1] = 0.0
    return np.asarray(psi)


def fit(stack: Stack) -> Regression:
    """Maximise the penalised likelihood of trials 2 to the last of every session."""
    scored = stack.from_trial(2)
    known = features(stack)[scored]
    nowhere = [(-math.inf, math.inf)] * known.shape[1]
    found = maximise(lambda at: (known @ at, known), stack.choice[scored], [0.0] * len(nowhere), nowhere, PENALTY)
    alpha, *beta, delta = found.at
    return Regression(alpha, tuple(beta), delta)
