"""The Bayesian agent of a hidden Markov model, and its policies (Beron et al. 2022, HMM).

``p`` is the reward probability it ascribes to the high port, ``q`` the probability that the ports stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rig.analysis.bandit.stack import Stack
from rig.analysis.bandit.words import CLIP
from rig.analysis.common.arrays import Flags, Floats

P_STEP, Q_STEP = 0.01, 0.005
P_RANGE, Q_RANGE = (0.51, 0.99), (0.5, 0.995)
_COARSE = 5
_LOG_EVERY = 32
"""So many probabilities are multiplied before their logarithm is taken; clipped, they stay far from 0."""

Policy: TypeAlias = Callable[[Floats], Floats]
"""Beliefs, but for the first of a session, to the probability of choosing left."""


@dataclass(frozen=True)
class Hmm:
    """What the agent believes of the task."""

    p: float
    q: float


def beliefs(stack: Stack, p: Floats, q: Floats) -> Iterator[Floats]:
    """Follow P(left is high) before every trial: agents x sessions, one agent for each ``p`` and ``q``.

    The posterior b L1 / (b L1 + (1-b) L0), L1 = p for a reward on the left or none on the right and else 1-p, L0 the
    other way round; then b <- q b + (1-q)(1-b). It begins at one half.
    """
    p, q = p[:, None], q[:, None]
    towards_left = np.ascontiguousarray((stack.choice * (2 * stack.reward - 1) > 0).T)
    belief = np.full((len(p), stack.sessions), 0.5)
    for here in towards_left:
        yield belief
        belief = updated(belief, here, p, q)


def updated(belief: Floats, towards_left: Flags, p: Floats | float, q: Floats | float) -> Floats:
    """Return the belief that left is high after a trial, which spoke for the left or for the right."""
    likely = np.where(towards_left, p, 1 - p)
    left = np.asarray(belief * likely)
    after = np.asarray(left + (1 - belief) * (1 - likely))
    np.divide(left, after, out=after)
    after *= 2 * q - 1
    after += 1 - q
    return after


def thompson(belief: Floats) -> Floats:
    """Choose left as often as it is believed to be high."""
    return np.clip(belief, CLIP, 1 - CLIP)


def greedy(belief: Floats) -> Floats:
    """Choose what is believed to be high, left at one half; clipped, so that it can be scored."""
    return np.where(belief >= 0.5, 1 - CLIP, CLIP)


def softmax(temperature: float) -> Policy:
    """Return the policy that chooses left with log-odds logit(b) / T (Beron et al. 2022): T = 1 is Thompson's."""

    def policy(belief: Floats) -> Floats:
        left = 1 / (1 + ((1 - belief) / belief) ** (1 / temperature))
        return np.clip(left, CLIP, 1 - CLIP)

    return policy


def log_odds(stack: Stack, model: Hmm, policy: Policy) -> Floats:
    """Walk through the sessions; a session's first choice is random."""
    walk = beliefs(stack, np.array([model.p]), np.array([model.q]))
    left = np.array([policy(belief)[0] for belief in walk]).T
    left[:, :1] = 0.5
    return np.asarray(np.log(left / (1 - left)))


def fit(stack: Stack, policies: Sequence[Policy]) -> list[Hmm]:
    """Search the grid of p and q, for every policy, for the best likelihood of trials 2 to the last.

    First coarsely, then around the best.
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
    """Sum the log-likelihood of each agent under each policy: policies x agents."""
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
