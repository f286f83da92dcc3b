"""Recursively formulated logistic regression (RFLR) and the equivalent forgetting Q-learner (F-Q).

Log-odds are of left; choices are +1 for left and -1 for right, rewards 1 or 0. Needs scipy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.filters import filtered
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximize

START = (0.78, 2.05, 1.43)
"""Start of a fit (alpha, beta, tau): the first author's published set for 80-20 sessions."""

# tau is fitted as its logarithm. Below .05 trials the last reward is forgotten by the next trial; 200 trials are four
# mean blocks of 50.
BOUNDS = ((-10.0, 10.0), (-20.0, 20.0), (math.log(0.05), math.log(200.0)))


@dataclass(frozen=True)
class Rflr:
    """Parameters: weight of the last choice (alpha), weight of a reward (beta), decay of rewards in trials (tau)."""

    alpha: float
    beta: float
    tau: float


@dataclass(frozen=True)
class RflrFit:
    """Maximum of the likelihood, with its mean log-likelihood per scored trial (natural logarithm) and their number.

    ``at_bound`` is true if the likelihood still grew at a bound of the search. The standard errors are from the
    curvature of the likelihood, with trials as independent; that of tau is the one of log tau, times tau.
    """

    alpha: float
    beta: float
    tau: float
    ll: float
    n: int
    at_bound: bool
    alpha_se: float = math.nan
    beta_se: float = math.nan
    tau_se: float = math.nan

    @property
    def model(self) -> Rflr:
        """Return the parameters without the statistics of the fit."""
        return Rflr(self.alpha, self.beta, self.tau)


def shifted(values: Floats) -> Floats:
    """Return values moved to the next trial, which they predict; the first trial is 0."""
    moved = np.zeros(values.shape)
    moved[..., 1:] = values[..., :-1]
    return moved


def evidence(stack: Stack, decay: float) -> Floats:
    """Return the sum of rewards left minus right up to each trial; ``decay`` is the factor per trial back."""
    return filtered([1.0], [1.0, -decay], stack.choice * stack.reward, axis=1)


def log_odds(stack: Stack, model: Rflr) -> Floats:
    """Return log-odds of left, sessions x trials (Beron et al. 2022, equations 5 and 6).

    phi_t = beta c_t r_t + exp(-1/tau) phi_{t-1} and psi_{t+1} = phi_t + alpha c_t; psi_1 = 0.
    """
    phi = model.beta * evidence(stack, math.exp(-1 / model.tau))
    return shifted(phi + model.alpha * stack.choice)


@dataclass(frozen=True)
class Fq:
    """Parameters of the F-Q model: rate of learning and forgetting, temperature, weight of the last choice."""

    k: float
    temperature: float
    alpha: float

    @classmethod
    def like(cls, model: Rflr) -> Fq:
        """Convert an RFLR exactly: k = 1 - exp(-1/tau), T = k/beta (Beron et al. 2022, F-Q model)."""
        k = 1 - math.exp(-1 / model.tau)
        return cls(k, k / model.beta if model.beta else math.inf, model.alpha)


def fq_log_odds(stack: Stack, model: Fq) -> Floats:
    """Return log-odds of left, sessions x trials (Beron et al. 2022, F-Q model).

    Q <- (1-k) Q + k r of the chosen port, Q <- (1-k) Q of the other, from 0; psi = (Q_left - Q_right)/T + alpha c.
    """
    values = []
    for side in (1, -1):
        gained = model.k * stack.reward * (stack.choice == side)
        values.append(filtered([1.0], [1.0, model.k - 1], gained, axis=1))
    left, right = values
    return shifted((left - right) / model.temperature + model.alpha * stack.choice)


def can_fit(stack: Stack) -> bool:
    """Whether the likelihood has a maximum: the trials hold repeats and switches, rewarded and unrewarded choices."""
    scored = stack.from_trial(2)
    switches = int(stack.switched.sum())
    before = shifted(stack.reward)[scored]
    return 0 < switches < scored.sum() and bool(before.any()) and not before.all()


def fit(stack: Stack, start: Rflr | None = None) -> RflrFit | None:
    """Fit the RFLR to trials 2 to the last of every session; None if the likelihood has no maximum (``can_fit``)."""
    if not can_fit(stack):
        return None
    scored = stack.from_trial(2)
    before, choice = shifted(stack.choice)[scored], stack.choice[scored]

    def walk(at: Floats) -> tuple[Floats, Floats]:
        alpha, beta, tau = at[0], at[1], math.exp(at[2])
        decay = math.exp(-1 / tau)
        phi = evidence(stack, decay)
        slope = filtered([0.0, 1.0], [1.0, -decay], phi, axis=1)  # derivative of phi by the decay
        phi, slope = shifted(phi)[scored], shifted(slope)[scored]
        return beta * phi + alpha * before, np.stack([before, phi, beta * decay / tau * slope], axis=1)

    begin = START if start is None else (start.alpha, start.beta, start.tau)
    found = maximize(walk, choice, (*begin[:2], math.log(begin[2])), BOUNDS)
    alpha, beta, log_tau = found.at
    alpha_se, beta_se, log_tau_se = found.se
    tau = math.exp(log_tau)
    return RflrFit(alpha, beta, tau, found.ll, len(choice), found.at_bound, alpha_se, beta_se, tau * log_tau_se)
