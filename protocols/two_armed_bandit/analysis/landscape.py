"""Reward landscape: reward rates of agents with other parameters (Beron et al. 2022, figure 7A and B)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.two_armed_bandit.analysis.rflr import Rflr
from protocols.two_armed_bandit.analysis.simulate import TRIALS, TaskCondition, simulate
from rig.analysis.common.arrays import Floats

ALPHAS = np.linspace(0.0, 3.0, 13)
BETAS = np.linspace(0.0, 6.0, 13)
TAUS = np.geomspace(0.3, 12.0, 13)
SESSIONS = 40
NEAR = 0.01
"""Rewards per trial that count as no loss: less than the standard error of one session, .017 in 744 trials."""


@dataclass(frozen=True)
class Landscape:
    """Rewards per trial over ``alpha`` x ``beta`` at one tau, and over ``tau`` at one alpha and beta.

    ``se`` is the mean standard error of a point of the plane; ``at_fit`` is the reward rate of the fitted agent, and
    ``lost`` what it misses of the best of the plane. ``plateau`` is the share of the plane within ``NEAR`` of its best.
    """

    world: TaskCondition
    model: Rflr
    sessions: int
    alpha: Floats
    beta: Floats
    plane: Floats
    tau: Floats
    line: Floats
    se: float
    at_fit: float
    lost: float
    plateau: float


def landscape(model: Rflr, world: TaskCondition, seed: int) -> Landscape:
    """Return the reward landscape around a fitted model, found by simulation."""
    alpha, beta = (axis.ravel() for axis in np.meshgrid(ALPHAS, BETAS, indexing="ij"))
    plane = _earned(alpha, beta, np.full(alpha.shape, model.tau), world, seed)
    line = _earned(np.full(TAUS.shape, model.alpha), np.full(TAUS.shape, model.beta), TAUS, world, seed)
    fitted = (np.array([value]) for value in (model.alpha, model.beta, model.tau))
    alone = _earned(next(fitted), next(fitted), next(fitted), world, seed)
    # One standard error for the plane: points differ little in it, and 40 sessions estimate it poorly for one point.
    spread = float(plane.std(axis=1, ddof=1).mean()) / SESSIONS**0.5
    square, at_fit = plane.mean(axis=1).reshape(len(ALPHAS), len(BETAS)), float(alone.mean())
    lost, plateau = float(square.max()) - at_fit, float((square > square.max() - NEAR).mean())
    axes = (ALPHAS, BETAS, square, TAUS, line.mean(axis=1))
    return Landscape(world, model, SESSIONS, *axes, spread, at_fit, lost, plateau)


def _earned(alpha: Floats, beta: Floats, tau: Floats, world: TaskCondition, seed: int) -> Floats:
    """Return the reward rate of every simulated session: agents x sessions."""
    # ``copies`` gives all agents the same random numbers, so the plane is smooth although a point has few sessions.
    alphas, betas, taus = (np.repeat(values, SESSIONS) for values in (alpha, beta, tau))
    reward = simulate(alphas, betas, taus, world, TRIALS, seed, copies=len(alpha)).reward
    return np.asarray(reward.mean(axis=1)).reshape(len(alpha), SESSIONS)
