"""Simulated sessions of RFLR agents, as arrays without a rig or a board."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.stack import Stack
from rig.analysis.common.arrays import Floats

Q_STAY = 0.98
"""Probability per trial that the ports do not swap (Beron et al. 2022)."""

TRIALS = 744
"""Trials of a simulated session; the authors draw 650 to 849."""


@dataclass(frozen=True)
class TaskCondition:
    """Condition of a simulated task: reward probabilities of high and low port, and probability that they stay."""

    p_high: float
    p_low: float
    q_stay: float = Q_STAY


def simulate(
    alpha: Floats, beta: Floats, tau: Floats, world: TaskCondition, trials: int, seed: int, copies: int = 1
) -> Stack:
    """Run one session of each agent (Beron et al. 2022, equations 5 and 6); first choice and high side are random.

    The agents are ``copies`` equal parts in sequence. All parts use the same random numbers, so differences between
    parts are those of their parameters.
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
        # As in the task: the reward of a trial is drawn before the ports may swap.
        up = np.where(chance() < world.q_stay, up, -up)
    lengths = np.full(agents, trials, np.int64)
    return Stack(choice.T.copy(), reward.T.copy(), high.T.copy(), lengths, np.zeros(agents, np.int64))
