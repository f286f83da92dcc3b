"""Agents of the recursively formulated logistic regression at the task itself, cheaply: arrays, no rig."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.analysis.bandit.stack import Stack
from rig.analysis.common.arrays import Floats

Q_STAY = 0.98
"""Probability that the ports stay as they are (Beron et al. 2022)."""

TRIALS = 744
"""Length of a simulated session: the middle of the authors' 650 to 849."""


@dataclass(frozen=True)
class World:
    """A condition: the reward probabilities of the high and the low port, and how often they stay."""

    p_high: float
    p_low: float
    q_stay: float = Q_STAY


def simulate(alpha: Floats, beta: Floats, tau: Floats, world: World, trials: int, seed: int, copies: int = 1) -> Stack:
    """Run one session of each agent (Beron et al. 2022, equations 5 and 6); choices and worlds begin at random.

    The agents are ``copies`` equal parts, one after another, which all meet the same chance: their differences are
    then those of the agents.
    """
    draw = np.random.default_rng(seed)
    agents = len(alpha)

    def chance() -> Floats:
        return np.tile(draw.random(agents // copies), copies)

    choice, reward, high = np.empty((3, trials, agents))
    decay = np.exp(-1 / tau)
    phi, psi = np.zeros(agents), np.zeros(agents)
    up = np.where(chance() < 0.5, 1.0, -1.0)
    for trial in range(trials):
        choice[trial] = np.where(chance() < 1 / (1 + np.exp(-psi)), 1.0, -1.0)
        high[trial] = up
        pays = np.where(choice[trial] == up, world.p_high, world.p_low)
        reward[trial] = chance() < pays
        phi = decay * phi + beta * choice[trial] * reward[trial]
        psi = phi + alpha * choice[trial]
        up = np.where(chance() < world.q_stay, up, -up)
    lengths = np.full(agents, trials, np.int64)
    return Stack(choice.T.copy(), reward.T.copy(), high.T.copy(), lengths, np.zeros(agents, np.int64))
