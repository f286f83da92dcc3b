"""Simulated rounds at the sizes of the papers, and what simulations of the papers' models gave there."""

import random
from typing import NamedTuple

import numpy as np

from protocols.searching.grids.choice_rules import Strategy
from protocols.searching.grids.environments import draw_environment
from protocols.searching.grids.kernels import KERNELS, Kernel
from protocols.searching.grids.places import Grid
from protocols.searching.grids.policies import LocalSearchPolicy, Policy, RandomPolicy, ValuePolicy, process_learner
from protocols.searching.grids.reward_scales import GRID, RISKY_GRID, RISKY_LINE, RewardScale
from protocols.searching.grids.simulation import simulate_round

TILES = Grid(11, 11)
CLICKS, RISKY_CLICKS = 40, 10


def ucb(length: float, beta: float, tau: float, *, local: bool = False) -> Policy:
    learner = process_learner(Kernel.of("length", length), GRID.noise_variance)
    return ValuePolicy(learner, "ucb", tau=tau, beta=beta, local=local)


# The three rows of fitted parameters that the released simulations use.
POLICIES: dict[str, list[Policy]] = {
    "random": [RandomPolicy()],
    "local search": [LocalSearchPolicy(0.22)],
    "GP-UCB": [ucb(0.390, 0.513, 0.0067), ucb(0.670, 0.429, 0.060), ucb(0.374, 0.540, 0.0068)],
    "Local GP-UCB": [
        ucb(0.778, 0.422, 0.187, local=True),
        ucb(1.029, 0.402, 0.200, local=True),
        ucb(0.858, 0.598, 0.181, local=True),
    ],
}


class Curves(NamedTuple):
    """Mean reward and mean largest reward by trial, trial 1 first, and the mean number of other tiles at the end."""

    mean: np.ndarray
    largest: np.ndarray
    unique: float


def curves(name: str, rounds: int, environment: str = "smooth") -> Curves:
    """Simulate a model at new environments, without noise."""
    stream = random.Random(f"{name} {environment}")
    rewards, unique = [], []
    for _ in range(rounds):
        values = 100 * draw_environment(KERNELS[environment], TILES, stream.random).ravel()
        policy = stream.choice(POLICIES[name])
        first = stream.randrange(TILES.count)
        played = simulate_round(policy, TILES, values, GRID, first=first, clicks=CLICKS, random=stream.random)
        rewards.append(played.rewards)
        unique.append(len(set(played.tiles)))
    got = np.array(rewards)
    return Curves(got.mean(axis=0), np.maximum.accumulate(got, axis=1).mean(axis=0), float(np.mean(unique)))


class Experiment(NamedTuple):
    """One experiment of Schulz et al. (2018)."""

    grid: Grid
    kernel: Kernel
    scale: RewardScale
    noise_sd: float
    below: float | None
    """Share of points below the line; None for a line at the middle of the rewards."""


LINE = Experiment(Grid(21, step=0.5), Kernel.of("lambda", 1.0), RISKY_LINE, 0.1, 0.65)
RISKY_TILES = Experiment(TILES, Kernel.of("length", 2.0), RISKY_GRID, 1.0, None)


class Risky(NamedTuple):
    """Means over rounds: score (mean over the planned clicks), clicks, share of full rounds, mean kept reward."""

    score: float
    clicks: float
    full: float
    kept: float


def risky(
    strategy: Strategy | None, rounds: int, experiment: Experiment = LINE, *, tau: float = 0.1, beta: float = 0.0
) -> Risky:
    """Simulate a strategy that has the kernel of the task; without one, random clicks."""
    grid, kernel, scale = experiment.grid, experiment.kernel, experiment.scale
    stream = random.Random(f"{strategy} {tau}")
    learner = process_learner(kernel, scale.noise_variance)
    policy: Policy = (
        RandomPolicy() if strategy is None else ValuePolicy(learner, strategy, tau=tau, beta=beta, as_they_are=True)
    )
    found = []
    for _ in range(rounds):
        values = draw_environment(kernel, grid, stream.random).ravel()
        values = values * (9 + stream.random() if scale is RISKY_LINE else 100)
        threshold = scale.center
        if experiment.below is not None:
            below = round(experiment.below * grid.count)
            threshold = float(np.mean(np.sort(values)[below - 1 : below + 1]))
        played = simulate_round(
            policy,
            grid,
            values,
            scale,
            first=int(stream.choice(np.flatnonzero(values > threshold))),
            clicks=RISKY_CLICKS,
            random=stream.random,
            noise_sd=experiment.noise_sd,
            threshold=threshold,
        )
        kept = played.rewards[1:-1] if played.lost else played.rewards[1:]
        mean = np.mean(kept) if kept else np.nan
        found.append((sum(kept) / RISKY_CLICKS, len(played.tiles) - 1, not played.lost, mean))
    return Risky(*np.nanmean(found, axis=0))
