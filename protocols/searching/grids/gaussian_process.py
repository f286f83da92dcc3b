"""Gaussian process regression over the tiles of a grid: exact, by Cholesky. This module needs scipy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from protocols.searching.grids.places import Floats

NOISE_VARIANCE = 1e-4
"""The released code of Wu et al. (2017)."""


class Beliefs(NamedTuple):
    """Beliefs about all tiles after 0, 1, 2, ... observations; both have the shape (observations + 1, tiles)."""

    mean: Floats
    sd: Floats


class GaussianProcess:
    """Beliefs about all tiles, updated with each observation; the prior mean is 0.

    With K the covariances of the observed tiles, s the noise variance and k those with a tile,
    mean = kᵀ (K + s I)⁻¹ y and variance = k(0) - kᵀ (K + s I)⁻¹ k. Both are sums over the rows of L⁻¹ k, where L is
    the Cholesky factor of K + s I. An observation adds one row to L, and so one term to each sum.
    """

    def __init__(self, prior: Floats, noise_variance: float = NOISE_VARIANCE) -> None:
        """Start with no observation; ``prior`` holds the covariances of all pairs of tiles."""
        self._prior = prior
        self._noise_variance = noise_variance
        self._tiles: list[int] = []
        self._factor = np.zeros((0, 0))
        self._rows = np.zeros((0, len(prior)))
        self._scores = np.zeros(0)
        self.mean: Floats = np.zeros(len(prior))
        self._variance: Floats = prior.diagonal().copy()

    @property
    def sd(self) -> Floats:
        """Return the SD of the belief about each tile's mean reward."""
        return np.sqrt(np.maximum(self._variance, 0.0))

    def observe(self, tile: int, value: float) -> None:
        """Update with a standardized reward of a tile."""
        prior, size = self._prior, len(self._tiles)
        known = prior[self._tiles, tile]
        row = solve_triangular(self._factor, known, lower=True, check_finite=False) if size else known
        pivot = float(np.sqrt(prior[tile, tile] + self._noise_variance - row @ row))
        factor = np.zeros((size + 1, size + 1))
        factor[:size, :size], factor[size, :size], factor[size, size] = self._factor, row, pivot
        new_row = (prior[tile] - row @ self._rows) / pivot
        score = (value - row @ self._scores) / pivot
        self.mean = self.mean + score * new_row
        self._variance = self._variance - new_row**2
        self._factor, self._rows = factor, np.vstack([self._rows, new_row])
        self._scores = np.append(self._scores, score)
        self._tiles.append(tile)


def belief_covariances(prior: Floats, tiles: Sequence[int], noise_variance: float = NOISE_VARIANCE) -> Floats:
    """Return the covariances of the beliefs about all pairs of tiles, after observations of ``tiles``.

    They do not depend on the observed values: K - kᵀ (K + s I)⁻¹ k.
    """
    where = np.asarray(tiles, dtype=np.intp)
    observed = prior[np.ix_(where, where)] + noise_variance * np.eye(len(where))
    factor = cholesky(observed, lower=True, check_finite=False)
    rows = solve_triangular(factor, prior[where], lower=True, check_finite=False)
    return np.asarray(prior - rows.T @ rows, dtype=np.float64)


def beliefs_over_time(
    prior: Floats, tiles: Sequence[int], values: Sequence[float], noise_variance: float = NOISE_VARIANCE
) -> Beliefs:
    """Return the beliefs before the first observation and after each, with one factorization for all of them.

    They equal those of `GaussianProcess`: the factor of the first observations is a corner of the factor of all.
    """
    count = len(prior)
    where = np.asarray(tiles, dtype=np.intp)
    covariances = prior[np.ix_(where, where)] + noise_variance * np.eye(len(where))
    if not len(where):
        return Beliefs(np.zeros((1, count)), np.sqrt(prior.diagonal())[None])
    factor = cholesky(covariances, lower=True, check_finite=False)
    both = np.column_stack([prior[where], np.asarray(values, dtype=np.float64)])
    solved = solve_triangular(factor, both, lower=True, check_finite=False)
    rows, scores = solved[:, :count], solved[:, count:]
    mean = np.vstack([np.zeros(count), np.cumsum(scores * rows, axis=0)])
    variance = prior.diagonal() - np.vstack([np.zeros(count), np.cumsum(rows**2, axis=0)])
    return Beliefs(mean, np.sqrt(np.maximum(variance, 0.0)))
