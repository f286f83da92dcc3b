"""Bayesian agent of a hidden Markov model, and its policies (Beron et al. 2022, HMM).

``p`` is the agent's reward probability of the high port, 1 - p that of the low port; ``q`` is its probability per trial
that the ports stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from protocols.two_armed_bandit.analysis.history_words import CLIP
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Flags, Floats

# Grid search over p and q as the authors do. A coarser grid finds p = .65, q = .97 on the public 80-20 sessions; this
# one finds p = .63, q = .975.
P_STEP, Q_STEP = 0.01, 0.005
P_RANGE, Q_RANGE = (0.51, 0.99), (0.5, 0.995)
_COARSE = 5
_LOG_EVERY = 32
"""Probabilities multiplied before one logarithm: 32 factors of at least 1e-4 stay above the smallest double."""

Policy: TypeAlias = Callable[[Floats], Floats]
"""Function from beliefs P(left is high) to P(choose left); not applied to the first trial of a session."""


@dataclass(frozen=True)
class Hmm:
    """Task parameters assumed by the agent."""

    p: float
    q: float


def beliefs(stack: Stack, p: Floats, q: Floats) -> Iterator[Floats]:
    """Yield P(left is high) before every trial: agents x sessions, one agent for each ``p`` and ``q``.

    The posterior is b L1 / (b L1 + (1-b) L0). L1 is p for a reward on the left or none on the right, else 1-p; L0 is
    the reverse. Then b <- q b + (1-q)(1-b). The first belief is one half.
    """
    p, q = p[:, None], q[:, None]
    toward_left = np.ascontiguousarray((stack.choice * (2 * stack.reward - 1) > 0).T)
    belief = np.full((len(p), stack.sessions), 0.5)
    for here in toward_left:
        yield belief
        belief = updated(belief, here, p, q)


def updated(belief: Floats, toward_left: Flags, p: Floats | float, q: Floats | float) -> Floats:
    """Return the belief that left is high after a trial; ``toward_left`` marks evidence for the left port."""
    likely = np.where(toward_left, p, 1 - p)
    left = np.asarray(belief * likely)
    after = np.asarray(left + (1 - belief) * (1 - likely))
    np.divide(left, after, out=after)
    # q b + (1 - q)(1 - b) = (2 q - 1) b + 1 - q, in place: the grid search calls this for every trial of every session.
    after *= 2 * q - 1
    after += 1 - q
    return after


def thompson(belief: Floats) -> Floats:
    """Return P(choose left) equal to the belief, clipped (Thompson sampling)."""
    return np.clip(belief, CLIP, 1 - CLIP)


def greedy(belief: Floats) -> Floats:
    """Return P(choose left) of the greedy policy: left at a belief of one half or more, as in Beron et al. 2022."""
    # Without clipping one choice against the belief would make the log-likelihood minus infinity.
    return np.where(belief >= 0.5, 1 - CLIP, CLIP)


def softmax(temperature: float) -> Policy:
    """Return the policy that chooses left with log-odds logit(b) / T (Beron et al. 2022): T = 1 is Thompson's."""

    def policy(belief: Floats) -> Floats:
        left = 1 / (1 + ((1 - belief) / belief) ** (1 / temperature))
        return np.clip(left, CLIP, 1 - CLIP)

    return policy


def log_odds(stack: Stack, model: Hmm, policy: Policy) -> Floats:
    """Return the log-odds of left, sessions x trials; a session's first choice is random."""
    walk = beliefs(stack, np.array([model.p]), np.array([model.q]))
    left = np.array([policy(belief)[0] for belief in walk]).T
    left[:, :1] = 0.5
    return np.asarray(np.log(left / (1 - left)))


def fit(stack: Stack, policies: Sequence[Policy]) -> list[Hmm]:
    """Return, for every policy, the p and q of the grid with the best likelihood of trials 2 to the last.

    The search takes every fifth point first, then all points near the best.
    """
    p, q = _axis(P_RANGE, P_STEP), _axis(Q_RANGE, Q_STEP)
    rough = _best(stack, policies, p[::_COARSE], q[::_COARSE])
    return [_refined(stack, policy, p, q, near) for policy, near in zip(policies, rough, strict=True)]


def _refined(stack: Stack, policy: Policy, p: Floats, q: Floats, near: tuple[float, float]) -> Hmm:
    near_p = p[np.abs(p - near[0]) < (_COARSE - 0.5) * P_STEP]
    near_q = q[np.abs(q - near[1]) < (_COARSE - 0.5) * Q_STEP]
    ((best_p, best_q),) = _best(stack, [policy], near_p, near_q)
    return Hmm(round(best_p, 6), round(best_q, 6))


def _axis(ends: tuple[float, float], step: float) -> Floats:
    return np.linspace(*ends, round((ends[1] - ends[0]) / step) + 1)


def _best(stack: Stack, policies: Sequence[Policy], p: Floats, q: Floats) -> list[tuple[float, float]]:
    all_p, all_q = (axis.ravel() for axis in np.meshgrid(p, q, indexing="ij"))
    places = scores(stack, policies, all_p, all_q).argmax(axis=1)
    return [(float(all_p[place]), float(all_q[place])) for place in places]


def scores(stack: Stack, policies: Sequence[Policy], p: Floats, q: Floats) -> Floats:
    """Return the log-likelihood of each agent under each policy, trials 2 to the last: policies x agents."""
    to_left, scored = (np.ascontiguousarray(each.T) for each in (stack.choice > 0, stack.from_trial(2)))
    summed = np.zeros((len(policies), len(p)))
    chances = np.ones((len(policies), len(p), stack.sessions))
    for trial, belief in enumerate(beliefs(stack, p, q)):
        for chance, policy in zip(chances, policies, strict=True):
            left = policy(belief)
            np.multiply(chance, np.where(to_left[trial], left, 1 - left), out=chance, where=scored[trial])
        if trial % _LOG_EVERY == _LOG_EVERY - 1 or trial == stack.longest - 1:
            summed += np.log(chances).sum(axis=2)
            chances[:] = 1.0
    return summed
