"""Models without a linear recursion: the full Q-learner, the sticky HMM and the softmax HMM. Needs scipy.

Each model runs through all sessions in parallel, trial by trial. A fit evaluates its parameters and one small step of
each parameter in the same run, so the gradient costs little more than one run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from protocols.two_armed_bandit.analysis.filters import filtered
from protocols.two_armed_bandit.analysis.hmm import beliefs
from protocols.two_armed_bandit.analysis.rflr import Rflr
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import maximize

Agent: TypeAlias = Callable[[Stack, Floats], Floats]
"""Function from parameter sets (sets x parameters) to log-odds of left (trials x sets x sessions)."""

# Step of the forward differences that give the gradient, in units of the fitted (log or logit) parameters.
_STEP = 1e-5
_LOG_TAU = (-3.0, 5.0)


@dataclass(frozen=True)
class FullQFit:
    """Full Q-learner: both values decay, the chosen one moves toward its reward.

    ``gain`` is beta/T, the change of log-odds by one reward.
    """

    alpha: float
    beta: float
    tau: float
    gain: float


@dataclass(frozen=True)
class StickyHmm:
    """Belief of a hidden Markov model plus a decaying weight of past choices."""

    # Not a second form of the RFLR: the two agree only for the linearized HMM with p and q of its own. On the public
    # 80-20 sessions the true p and q (.8, .98) give -.227 per trial, five free parameters -.1845, the RFLR -.1885.

    alpha: float
    beta: float
    tau: float
    p: float
    q: float


@dataclass(frozen=True)
class SoftmaxHmm:
    """Belief of a hidden Markov model with a softmax temperature; temperature 1 is Thompson sampling."""

    p: float
    q: float
    temperature: float


def full_q(stack: Stack, at: Floats) -> Floats:
    """Return log-odds of full Q-learners (Beron et al. 2022). Parameters: alpha, beta, log tau, gain.

    Q <- exp(-1/tau) Q + beta (r - Q) of the chosen port, Q <- exp(-1/tau) Q of the other, from 0; psi =
    (Q_left - Q_right)/T + alpha c. Here Q is in units of beta, so that beta = 0 is the forgetting Q-learner itself.
    """
    choice, reward = (np.ascontiguousarray(each.T) for each in (stack.choice, stack.reward))
    alpha, beta, keep, gain = (column[:, None] for column in _columns(at))
    found = np.zeros((stack.longest, len(at), stack.sessions))
    left, right = np.zeros((2, len(at), stack.sessions))
    for trial in range(stack.longest - 1):
        on_left = choice[trial] > 0
        left = np.where(on_left, keep - beta, keep) * left + on_left * reward[trial]
        right = np.where(on_left, keep, keep - beta) * right + ~on_left * reward[trial]
        found[trial + 1] = gain * (left - right) + alpha * choice[trial]
    return found


def _columns(at: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    return at[:, 0], at[:, 1], np.exp(-np.exp(-at[:, 2])), at[:, 3]


def sticky_hmm(stack: Stack, at: Floats) -> Floats:
    """Return log-odds of sticky HMMs (Beron et al. 2022). Parameters: alpha, beta, log tau, logit p, logit q.

    psi = logit(b) + delta, delta_{t+1} = g delta_t + (alpha + beta/2) c_t - alpha g c_{t-1}, g = exp(-1/tau).
    """
    p, q = (1 / (1 + np.exp(-at[:, place])) for place in (3, 4))
    belief = np.array(list(beliefs(stack, p, q)))
    psi = np.asarray(np.log(belief / (1 - belief)))
    choice = np.ascontiguousarray(stack.choice.T)
    for place, (alpha, beta, log_tau, *_) in enumerate(at):
        g = math.exp(-math.exp(-log_tau))
        psi[1:, place] += filtered([alpha + beta / 2, -alpha * g], [1.0, -g], choice, axis=0)[:-1]
    return psi


def fit_full_q(stack: Stack, start: Rflr) -> FullQFit:
    """Fit the full Q-learner to trials 2 to the last, starting close to the forgetting Q-learner."""
    # beta = 0 is the forgetting Q-learner, which equals the RFLR: the fit cannot end below the model it extends.
    bounds = ((-10.0, 10.0), (0.0, 1.0), _LOG_TAU, (-20.0, 20.0))
    alpha, beta, log_tau, gain = _fit(full_q, stack, (start.alpha, 0.05, math.log(start.tau), start.beta), bounds)
    return FullQFit(alpha, beta, math.exp(log_tau), gain)


def fit_sticky_hmm(stack: Stack) -> StickyHmm:
    """Fit the sticky HMM to trials 2 to the last, starting near a fit to the public sessions."""
    # The fit to all public 80-20 sessions of Beron et al. 2022: alpha 1.86, beta .34, tau 7.3, p .877, q .860.
    begin = (1.86, 0.34, math.log(7.3), 1.96, 1.82)
    bounds = ((-10.0, 10.0), (-20.0, 20.0), _LOG_TAU, (0.02, 6.0), (0.02, 6.0))
    alpha, beta, log_tau, p, q = _fit(sticky_hmm, stack, begin, bounds)
    return StickyHmm(alpha, beta, math.exp(log_tau), 1 / (1 + math.exp(-p)), 1 / (1 + math.exp(-q)))


def softmax_hmm(stack: Stack, at: Floats) -> Floats:
    """Return log-odds of softmax HMMs (Beron et al. 2022, HMM). Parameters: logit p, logit q, log T.

    psi = logit(b) / T.
    """
    p, q = (1 / (1 + np.exp(-at[:, place])) for place in (0, 1))
    belief = np.array(list(beliefs(stack, p, q)))
    return np.asarray(np.log(belief / (1 - belief)) / np.exp(at[:, 2])[:, None])


def fit_softmax_hmm(stack: Stack) -> SoftmaxHmm:
    """Fit the softmax HMM to trials 2 to the last, starting near the fit of Thompson sampling (p .65, q .97, T 1)."""
    p, q, log_t = _fit(softmax_hmm, stack, (0.6, 3.5, 0.0), ((0.02, 6.0), (0.02, 6.0), (-4.0, 4.0)))
    return SoftmaxHmm(1 / (1 + math.exp(-p)), 1 / (1 + math.exp(-q)), math.exp(log_t))


def softmax_hmm_log_odds(stack: Stack, model: SoftmaxHmm) -> Floats:
    """Return the log-odds of left of a fitted softmax HMM: sessions x trials."""
    odds = [math.log(chance / (1 - chance)) for chance in (model.p, model.q)]
    return softmax_hmm(stack, np.array([[*odds, math.log(model.temperature)]]))[:, 0].T


def full_q_log_odds(stack: Stack, model: FullQFit) -> Floats:
    """Return the log-odds of left of a fitted full Q-learner: sessions x trials."""
    return full_q(stack, np.array([[model.alpha, model.beta, math.log(model.tau), model.gain]]))[:, 0].T


def sticky_hmm_log_odds(stack: Stack, model: StickyHmm) -> Floats:
    """Return the log-odds of left of a fitted sticky HMM: sessions x trials."""
    odds = [math.log(chance / (1 - chance)) for chance in (model.p, model.q)]
    return sticky_hmm(stack, np.array([[model.alpha, model.beta, math.log(model.tau), *odds]]))[:, 0].T


def _fit(
    agent: Agent, stack: Stack, begin: Sequence[float], bounds: Sequence[tuple[float, float]]
) -> tuple[float, ...]:
    scored = stack.from_trial(2).T

    def walk(at: Floats) -> tuple[Floats, Floats]:
        moved = np.vstack([at, at + _STEP * np.eye(len(at))])
        psi = agent(stack, moved).transpose(0, 2, 1)[scored]
        return psi[:, 0], (psi[:, 1:] - psi[:, :1]) / _STEP

    return maximize(walk, stack.choice.T[scored], begin, bounds).at
