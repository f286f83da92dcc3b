"""From beliefs to choices: what a strategy values, and with which probability it chooses each tile.

The last axis of every array is the tiles; axes before it, such as trials, are free. Virtual participants and fits use
the same functions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from protocols.searching.grids.places import Floats, Grid

Strategy = Literal["vg", "mg", "ucb", "lcb", "pos", "poi"]
"""``vg`` variance-greedy, ``mg`` mean-greedy, ``ucb`` and ``lcb`` upper and lower confidence bound, ``pos``
probability of safety, ``poi`` probability of improvement (Wu et al. 2017; Schulz et al. 2018)."""
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

Neighborhood = Literal["manhattan", "moore"]
"""Tiles next to one and itself: at a Manhattan distance of 1 (the paper: 5), or the block of 3 x 3 (the code: 9)."""

SMALL_VALUE = 0.01
"""Replaces negative values of a strategy; the released code of Wu et al. (2017)."""

CumulativeNormal = Callable[[Floats], Floats]
"""The cumulative standard normal distribution, of every number of an array."""

_erfc = np.vectorize(math.erfc, otypes=[np.float64])


def cumulative_normal(scores: Floats) -> Floats:
    """Return the cumulative standard normal distribution; without scipy, and so slower than its ``ndtr``."""
    below: Floats = _erfc(-scores / math.sqrt(2))
    return below / 2


def strategy_values(
    strategy: Strategy,
    mean: Floats,
    sd: Floats,
    *,
    beta: float = 0.0,
    threshold: ArrayLike = 0.0,
    best: ArrayLike = 0.0,
    normal: CumulativeNormal = cumulative_normal,
) -> Floats:
    """Return what a strategy values each tile, from the mean and SD of the beliefs.

    ``beta`` is the weight of the SD (``ucb``, ``lcb``), ``threshold`` the smallest safe reward (``pos``) and ``best``
    the largest reward so far (``poi``), both with the shape of the axes before the tiles, and standardized.
    """
    match strategy:
        case "vg":
            return sd
        case "mg":
            return mean
        case "ucb":
            return mean + beta * sd
        case "lcb":
            return mean - beta * sd
        case "pos":
            return probability_above(mean, sd, threshold, normal)
        case "poi":
            return probability_above(mean, sd, best, normal)


def probability_above(
    mean: Floats, sd: Floats, level: ArrayLike, normal: CumulativeNormal = cumulative_normal
) -> Floats:
    """Return Phi((mean - level) / sd), the probability that a tile's mean reward is above a level.

    Without uncertainty it is 0 or 1, and 0.5 at the level.
    """
    above = mean - np.asarray(level, dtype=np.float64)[..., None]
    certain = np.where(above > 0, np.inf, np.where(above < 0, -np.inf, 0.0))
    score = np.divide(above, sd, out=certain, where=sd > 0)
    return normal(score)


def nonnegative(values: Floats) -> Floats:
    """Return values with 0.01 in place of negative ones, so that weights of nearness do not turn them round."""
    return np.where(values < 0, SMALL_VALUE, values)


def near(values: Floats, grid: Grid, last: ArrayLike) -> Floats:
    """Return the values times the inverse Manhattan distance from the ``last`` tile: the local variant of a strategy.

    ``last`` has the shape of the axes before the tiles.
    """
    return values * grid.inverse_manhattan[np.asarray(last, dtype=np.intp)]


def scaled(values: Floats, per: Literal["trial", "round"] = "trial") -> Floats:
    """Return values over their maximum: that of each trial, as in simulations, or of the last two axes, as in fits.

    Values whose maximum is not above 0 are returned unchanged.
    """
    largest = values.max(axis=-1 if per == "trial" else (-2, -1), keepdims=True)
    return values / np.where(largest > 0, largest, 1.0)


def softmax(values: Floats, tau: float) -> Floats:
    """Return the probabilities of choices, proportional to exp(value / tau)."""
    # Without the largest value, a small tau would overflow.
    weights: Floats = np.exp((values - values.max(axis=-1, keepdims=True)) / tau)
    probabilities: Floats = weights / weights.sum(axis=-1, keepdims=True)
    return probabilities


def local_search_values(grid: Grid, last: ArrayLike) -> Floats:
    """Return what local search values each tile: the inverse Manhattan distance from the last one."""
    return grid.inverse_manhattan[np.asarray(last, dtype=np.intp)]


def win_stay_values(
    grid: Grid, tiles: ArrayLike, rewards: ArrayLike, neighborhood: Neighborhood = "manhattan"
) -> Floats:
    """Return 1 for the tiles that win-stay lose-shift allows after each observation of a round, otherwise 0.

    ``tiles`` and ``rewards`` are those of one round, the revealed tile first; the result has the shape (observations,
    tiles). A reward that is at least the best before it is a win, and the first is one: the next tile is the same or a
    neighbor. After a loss it is any tile without a number, or any tile when there is none. All allowed tiles are
    equally probable; fits take the values through `softmax`.
    """
    where, got = np.asarray(tiles, dtype=np.intp), np.asarray(rewards, dtype=np.float64)
    best_before = np.concatenate([[-np.inf], np.maximum.accumulate(got)[:-1]])
    hidden = ~np.logical_or.accumulate(where[:, None] == np.arange(grid.count), axis=0)
    hidden |= ~hidden.any(axis=1, keepdims=True)
    won = (got >= best_before)[:, None]
    return np.where(won, _neighbors(grid, neighborhood)[where], hidden).astype(np.float64)


def draw_tile(probabilities: Floats, u: float) -> int:
    """Return the tile that a uniform number ``u`` in [0, 1) selects; ``probabilities`` has one axis."""
    passed = np.cumsum(probabilities)
    # Scaled, because the sum of rounded numbers is not quite 1.
    return int(min(np.searchsorted(passed, u * passed[-1], side="right"), len(passed) - 1))


def _neighbors(grid: Grid, neighborhood: Neighborhood) -> NDArray[np.bool_]:
    """Return which pairs of tiles are neighbors or one tile; shape (tiles, tiles)."""
    apart = grid.manhattan
    if neighborhood == "moore":
        apart = np.maximum(np.abs(grid.x[:, None] - grid.x), np.abs(grid.y[:, None] - grid.y))
    return np.asarray(apart <= 1, dtype=np.bool_)
