"""The recursively formulated logistic regression, and the forgetting Q-learner that is the same model.

Log-odds of left; choices are +1 for left and -1 for right, rewards 1 or 0. Needs scipy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.signal import lfilter

from rig.analysis.bandit.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximise

START = (0.78, 2.05, 1.43)
"""Where a fit begins: the first author's published set for 80-20 sessions."""

BOUNDS = ((-10.0, 10.0), (-20.0, 20.0), (math.log(0.05), math.log(200.0)))


@dataclass(frozen=True)
class Rflr:
    """Its three numbers: how much the last choice is repeated, how much a reward weighs, and for how many trials."""

    alpha: float
    beta: float
    tau: float


@dataclass(frozen=True)
class Fit:
    """A maximum of the likelihood, its mean log-likelihood (natural logarithm) per scored trial, and how many.

    ``at_bound`` says that the likelihood still grew where the search had to end. The standard errors are those of the
    likelihood, trials taken as independent; that of tau is that of its logarithm, times tau.
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
        """Return the parameters alone."""
        return Rflr(self.alpha, self.beta, self.tau)


def shifted(values: Floats) -> Floats:
    """Move what is known after a trial to the next one, which it predicts; nothing is known before the first."""
    moved = np.zeros(values.shape)
    moved[..., 1:] = values[..., :-1]
    return moved


def evidence(stack: Stack, decay: float) -> Floats:
    """Sum rewards to the left minus rewards to the right, each trial's weight ``decay`` times the next one's."""
    return np.asarray(lfilter([1.0], [1.0, -decay], stack.choice * stack.reward, axis=1))


def log_odds(stack: Stack, model: Rflr) -> Floats:
    """Walk through the sessions (Beron et al. 2022, equations 5 and 6).

    phi_t = beta c_t r_t + exp(-1/tau) phi_{t-1} and psi_{t+1} = phi_t + alpha c_t; psi_1 = 0.
    """
    phi = model.beta * evidence(stack, math.exp(-1 / model.tau))
    return shifted(phi + model.alpha * stack.choice)


@dataclass(frozen=True)
class Fq:
    """The forgetting Q-learner: rate of learning and forgetting, temperature, and how much a choice is repeated."""

    k: float
    temperature: float
    alpha: float

    @classmethod
    def like(cls, model: Rflr) -> Fq:
        """Translate exactly: k = 1 - exp(-1/tau), T = k/beta (Beron et al. 2022, F-Q model)."""
        k = 1 - math.exp(-1 / model.tau)
        return cls(k, k / model.beta if model.beta else math.inf, model.alpha)


def fq_log_odds(stack: Stack, model: Fq) -> Floats:
    """Walk through the sessions (Beron et al. 2022, F-Q model).

    Q <- (1-k) Q + k r of the chosen port, Q <- (1-k) Q of the other, from 0; psi = (Q_left - Q_right)/T + alpha c.
    """
    values = []
    for side in (1, -1):
        gained = model.k * stack.reward * (stack.choice == side)
        values.append(np.asarray(lfilter([1.0], [1.0, model.k - 1], gained, axis=1)))
    left, right = values
    return shifted((left - right) / model.temperature + model.alpha * stack.choice)


def can_fit(stack: Stack) -> bool:
    """Whether the likelihood has a maximum to look for: both repeats and switches, rewards and their absence."""
    scored = stack.from_trial(2)
    switches = int(stack.switched.sum())
    before = shifted(stack.reward)[scored]
    return 0 < switches < scored.sum() and bool(before.any()) and not before.all()


def fit(stack: Stack, start: Rflr | None = None) -> Fit | None:
    """Maximise the likelihood of trials 2 to the last of every session; None when there is no maximum to look for."""
    if not can_fit(stack):
        return None
    scored = stack.from_trial(2)
    before, choice = shifted(stack.choice)[scored], stack.choice[scored]

    def walk(at: Floats) -> tuple[Floats, Floats]:
        alpha, beta, tau = at[0], at[1], math.exp(at[2])
        decay = math.exp(-1 / tau)
        phi = evidence(stack, decay)
        faded = np.asarray(lfilter([0.0, 1.0], [1.0, -decay], phi, axis=1))  # how phi changes with the decay
        phi, faded = shifted(phi)[scored], shifted(faded)[scored]
        return beta * phi + alpha * before, np.stack([before, phi, beta * decay / tau * faded], axis=1)

    begin = START if start is None else (start.alpha, start.beta, start.tau)
    found = maximise(walk, choice, (*begin[:2], math.log(begin[2])), BOUNDS)
    alpha, beta, log_tau = found.at
    alpha_se, beta_se, log_tau_se = found.se
    tau = math.exp(log_tau)
    return Fit(alpha, beta, tau, found.ll, len(choice), found.at_bound, alpha_se, beta_se, tau * log_tau_se)
