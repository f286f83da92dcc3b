"""The Bayesian agent of a hidden Markov model, and its policies (Beron et al. 2022, equations 7 to 10 and Methods).

``p`` is the reward probability it ascribes to the high port, ``q`` the probability that the ports stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rig.analysis.arrays import Floats
from rig.analysis.stack import Stack
from rig.analysis.words import CLIP

P_STEP, Q_STEP = 0.01, 0.005
P_RANGE, Q_RANGE = (0.51, 0.99), (0.5, 0.995)
_COARSE = 5
_AT_ONCE = 2_000_000

Policy: TypeAlias = Callable[[Floats], Floats]
"""Beliefs (trials first) to the probability of choosing left."""


@dataclass(frozen=True)
class Hmm:
    """What the agent believes of the task."""

    p: float
    q: float


def beliefs(stack: Stack, p: Floats, q: Floats) -> Floats:
    """Follow P(left is high) before every trial: trials x agents x sessions, one agent for each ``p`` and ``q``.

    The posterior b L1 / (b L1 + (1-b) L0), L1 = p for a reward on the left or none on the right and else 1-p, L0 the
    other way round; then b <- q b + (1-q)(1-b). It begins at one half.
    """
    p, q = p[:, None], q[:, None]
    towards_left = np.ascontiguousarray((stack.choice * (2 * stack.reward - 1) > 0).T)
    found = np.empty((stack.longest, len(p), stack.sessions))
    belief = np.full(found.shape[1:], 0.5)
    for trial in range(stack.longest):
        found[trial] = belief
        likely = np.where(towards_left[trial], p, 1 - p)
        left = belief * likely
        belief = (1 - q) + (2 * q - 1) * (left / (left + (1 - belief) * (1 - likely)))
    return found


def thompson(belief: Floats) -> Floats:
    """Choose left as often as it is believed to be high."""
    return np.clip(belief, CLIP, 1 - CLIP)


def greedy(belief: Floats) -> Floats:
    """Choose what is believed to be high, left at one half; only a first choice is random. Clipped, to be scored."""
    chosen = np.where(belief >= 0.5, 1 - CLIP, CLIP)
    chosen[0] = 0.5
    return chosen


def log_odds(stack: Stack, model: Hmm, policy: Policy) -> Floats:
    """Walk through the sessions."""
    left = policy(beliefs(stack, np.array([model.p]), np.array([model.q]))[:, 0]).T
    return np.log(left / (1 - left))


def fit(stack: Stack, policy: Policy) -> Hmm:
    """Search the grid of p and q for the best likelihood of trials 2 to the last: coarsely, then around the best."""
    p, q = _axis(P_RANGE, P_STEP), _axis(Q_RANGE, Q_STEP)
    best_p, best_q = _best(stack, policy, p[::_COARSE], q[::_COARSE])
    near_p = p[np.abs(p - best_p) < (_COARSE - 0.5) * P_STEP]
    near_q = q[np.abs(q - best_q) < (_COARSE - 0.5) * Q_STEP]
    best_p, best_q = _best(stack, policy, near_p, near_q)
    return Hmm(round(best_p, 6), round(best_q, 6))


def _axis(ends: tuple[float, float], step: float) -> Floats:
    return np.linspace(*ends, round((ends[1] - ends[0]) / step) + 1)


def _best(stack: Stack, policy: Policy, p: Floats, q: Floats) -> tuple[float, float]:
    all_p, all_q = (axis.ravel() for axis in np.meshgrid(p, q, indexing="ij"))
    scores = np.concatenate(list(_scores(stack, policy, all_p, all_q)))
    best = int(np.argmax(scores))
    return float(all_p[best]), float(all_q[best])


def _scores(stack: Stack, policy: Policy, p: Floats, q: Floats) -> Iterator[Floats]:
    """Sum the log-likelihood of each agent; a few agents at once, so that memory does not depend on their number."""
    to_left, scored = (np.ascontiguousarray(each.T)[:, None] for each in (stack.choice > 0, stack.from_trial(2)))
    at_once = max(1, _AT_ONCE // max(1, stack.choice.size))
    for first in range(0, len(p), at_once):
        left = policy(beliefs(stack, p[first : first + at_once], q[first : first + at_once]))
        chosen = np.where(scored, np.where(to_left, left, 1 - left), 1.0)
        yield np.asarray(np.log(chosen).sum(axis=(0, 2)))
