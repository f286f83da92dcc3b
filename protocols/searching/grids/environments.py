"""Environments: the values of all tiles, drawn from a Gaussian process and scaled to [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Floats, Grid
from rig import ConfigError

DECIMALS = 4
"""Values are rounded, so that a draw is the same with every numerical library."""
JITTER = 1e-8
"""Added to the variance along each side: the matrix of a smooth kernel is singular within rounding without it. It is
the variance of a noise of 1e-4 at most, and keeps errors of rounding below 1e-11."""


def draw_environment(kernel: Kernel, grid: Grid, random: Callable[[], float]) -> Floats:
    """Draw one environment; shape (height, width), values from 0 to 1, both reached.

    ``random`` returns numbers in [0, 1), as ``Stream.random`` does; two are taken for each tile. The kernel is a
    product of one in x and one in y, so that the draw is Ly Z Lxᵀ with the Cholesky factors of the two sides.
    Raises ``ConfigError`` for a grid of one tile, which cannot be scaled.
    """
    if grid.count < 2:
        raise ConfigError(f"a grid of {grid.width} x {grid.height}: wanted two tiles at least")
    noise = np.array([draw_normal(random) for _ in range(grid.count)]).reshape(grid.height, grid.width)
    drawn: Floats = _factor(kernel, grid.height, grid.step) @ noise @ _factor(kernel, grid.width, grid.step).T
    low, high = drawn.min(), drawn.max()
    values: Floats = np.round((drawn - low) / (high - low), DECIMALS)
    return values


def adjacent_correlation(environment: Floats) -> float:
    """Return the correlation of the values of adjacent tiles, over all pairs in a row and in a column.

    Each pair counts in both orders.
    """
    first = np.concatenate([environment[:, :-1].ravel(), environment[:-1].ravel()])
    second = np.concatenate([environment[:, 1:].ravel(), environment[1:].ravel()])
    both = np.concatenate([first, second]), np.concatenate([second, first])
    return float(np.corrcoef(*both)[0, 1])


def _factor(kernel: Kernel, count: int, step: float) -> Floats:
    """Return the Cholesky factor of the kernel along one side."""
    along = Grid(count, step=step)
    return np.asarray(np.linalg.cholesky(kernel.matrix(along) + JITTER * np.eye(count)), dtype=np.float64)


def draw_normal(random: Callable[[], float]) -> float:
    """Draw from the standard normal distribution (Box and Muller)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random()))
    return radius * math.cos(2.0 * math.pi * random())
