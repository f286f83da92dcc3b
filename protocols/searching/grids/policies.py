"""Policies of virtual participants: from what a round has shown to the probability of each tile.

A policy sees tiles and standardized rewards; it serves virtual participants on a screen and simulations without one.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol

import numpy as np

from protocols.searching.grids.choice_rules import (
    Neighborhood,
    Strategy,
    local_search_values,
    near,
    nonnegative,
    scaled,
    softmax,
    strategy_values,
    win_stay_values,
)
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.option_learning import OptionLearning
from protocols.searching.grids.places import Floats, Grid
from rig import ConfigError

INSTALL = "pip install 'behavior-rig[analysis]'"


class Learner(Protocol):
    """Beliefs about all tiles: a Gaussian process, or option learning."""

    @property
    def mean(self) -> Floats:
        """Return the mean of the belief about each tile."""

    @property
    def sd(self) -> Floats:
        """Return the SD of the belief about each tile."""

    def observe(self, tile: int, value: float) -> None:
        """Update with a standardized reward of a tile."""


LearnerOf = Callable[[Grid], Learner]


def option_learner(error_sd: float) -> LearnerOf:
    """Return what makes a new option learner for a grid."""
    return lambda grid: OptionLearning(grid.count, error_sd)


def process_learner(kernel: Kernel, noise_variance: float) -> LearnerOf:
    """Return what makes a new Gaussian process for a grid. Raises ``ConfigError`` without scipy."""
    try:
        from protocols.searching.grids.gaussian_process import GaussianProcess
    except ImportError as error:
        raise ConfigError(f"a Gaussian process needs scipy, which is not installed: {INSTALL}") from error
    return lambda grid: GaussianProcess(kernel.matrix(grid), noise_variance)


class Policy(ABC):
    """The base of policies; without a memory of its own it has that of the round."""

    def start_round(self, grid: Grid) -> None:
        """Start a round with nothing seen."""
        self.grid = grid
        self.tiles: list[int] = []
        self.rewards: list[float] = []

    def observe(self, tile: int, reward: float) -> None:
        """Add what a tile gave, as a standardized reward."""
        self.tiles.append(tile)
        self.rewards.append(reward)

    def probabilities(self, threshold: float) -> Floats:
        """Return the probability of each tile; ``threshold`` is the smallest safe reward, standardized.

        Before the first observation all tiles are equally probable.
        """
        return self._choose(threshold) if self.tiles else np.full(self.grid.count, 1 / self.grid.count)

    @abstractmethod
    def _choose(self, threshold: float) -> Floats:
        """Return the probabilities after one observation at least."""


class RandomPolicy(Policy):
    """Chooses any tile."""

    def _choose(self, threshold: float) -> Floats:
        """Return equal probabilities."""
        return np.full(self.grid.count, 1 / self.grid.count)


class WinStayPolicy(Policy):
    """Win-stay lose-shift."""

    def __init__(self, neighborhood: Neighborhood) -> None:
        self._neighborhood: Neighborhood = neighborhood

    def _choose(self, threshold: float) -> Floats:
        """Return equal probabilities of the tiles that the last reward allows."""
        allowed = win_stay_values(self.grid, self.tiles, self.rewards, self._neighborhood)[-1]
        return np.asarray(allowed / allowed.sum(), dtype=np.float64)


class LocalSearchPolicy(Policy):
    """Chooses tiles near the last one."""

    def __init__(self, tau: float) -> None:
        self._tau = tau

    def _choose(self, threshold: float) -> Floats:
        """Return probabilities that fall with the distance."""
        return softmax(local_search_values(self.grid, self.tiles[-1]), self._tau)


class ValuePolicy(Policy):
    """Learns, and chooses by the values of a strategy.

    ``local`` prefers tiles near the last one. On the grid values are divided by their maximum (Wu et al. 2017). On the
    risky tasks they are taken as they are (``as_they_are``; Schulz et al. 2018).
    """

    def __init__(
        self,
        learner_of: LearnerOf,
        strategy: Strategy,
        *,
        tau: float,
        beta: float = 0.0,
        local: bool = False,
        as_they_are: bool = False,
    ) -> None:
        self._learner_of = learner_of
        self._strategy: Strategy = strategy
        self._tau, self._beta, self._local, self._as_they_are = tau, beta, local, as_they_are

    def start_round(self, grid: Grid) -> None:
        """Start a round with the beliefs of the prior."""
        super().start_round(grid)
        self._learner = self._learner_of(grid)

    def observe(self, tile: int, reward: float) -> None:
        """Update the beliefs."""
        super().observe(tile, reward)
        self._learner.observe(tile, reward)

    def _choose(self, threshold: float) -> Floats:
        """Return the softmax of the values."""
        values = strategy_values(
            self._strategy,
            self._learner.mean,
            self._learner.sd,
            beta=self._beta,
            threshold=threshold,
            best=max(self.rewards),
        )
        if not self._as_they_are:
            values = nonnegative(values)
        if self._local:
            values = near(values, self.grid, self.tiles[-1])
        return softmax(values if self._as_they_are else scaled(values), self._tau)
