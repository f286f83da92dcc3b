"""Likelihood of hidden Markov models over p, q and the temperature (Beron et al. 2022, HMM)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis import hmm
from protocols.two_armed_bandit.analysis.simulate import TaskCondition
from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats

# q is denser near 1, where the task's own q = .98 lies.
P = np.linspace(0.51, 0.99, 17)
Q = np.append(np.linspace(0.5, 0.95, 10), [0.965, 0.98, 0.99, 0.995])
TEMPERATURES = np.array([0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0])


@dataclass(frozen=True)
class Place:
    """A point of the surface and its log-likelihood per trial, trials 2 to the last."""

    p: float
    q: float
    temperature: float
    ll: float


@dataclass(frozen=True)
class Surface:
    """Log-likelihood per trial: temperatures x p x q. Temperature 1 is Thompson sampling.

    ``at_truth`` has the p and q of the task at every temperature.
    """

    p: Floats
    q: Floats
    temperature: Floats
    ll: Floats
    best: Place
    best_thompson: Place
    at_truth: tuple[Place, ...]


def surface(stack: Stack, world: TaskCondition) -> Surface:
    """Return the log-likelihood of all agents of the grid on all sessions."""
    policies = [hmm.softmax(float(each)) for each in TEMPERATURES]
    n = int(stack.from_trial(2).sum())
    p, q = (axis.ravel() for axis in np.meshgrid(P, Q, indexing="ij"))
    ll = (hmm.scores(stack, policies, p, q) / n).reshape(len(policies), len(P), len(Q))
    truth = hmm.scores(stack, policies, np.array([world.p_high]), np.array([world.q_stay]))[:, 0] / n
    thompson = TEMPERATURES == 1.0
    return Surface(
        P,
        Q,
        TEMPERATURES,
        ll,
        _best(ll, TEMPERATURES),
        _best(ll[thompson], TEMPERATURES[thompson]),
        tuple(Place(world.p_high, world.q_stay, float(t), float(v)) for t, v in zip(TEMPERATURES, truth, strict=True)),
    )


def _best(ll: Floats, temperatures: Floats) -> Place:
    t, p, q = np.unravel_index(int(np.argmax(ll)), ll.shape)
    return Place(float(P[p]), float(Q[q]), float(temperatures[t]), float(ll[t, p, q]))
