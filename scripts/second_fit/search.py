"""Second fit of a person: a scan of all parameters, Nelder-Mead from its best, and the rounds left out."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import linalg, optimize
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF

from scripts.second_fit.rounds import Floats, Round, Size, tiles_of

BOUND = 5.0
"""Logarithms of the parameters are -5 to 5."""
NOISE_VARIANCE = 1e-4
LEAST_P = 1e-5
LENGTHS = np.concatenate([np.arange(-2, 1.5, 0.1), np.arange(1.5, 5.01, 0.5)])
"""Logarithms of lambda for the scan. At the smallest a tile and its neighbor correlate by less than 1e-11."""
FINER = (-0.075, -0.05, -0.025, 0.025, 0.05, 0.075)
"""Steps of the logarithm of lambda around the best of the scan."""
BETAS = np.concatenate([np.arange(-5, -2, 0.5), np.arange(-2, 1, 0.075), np.arange(1, 5.01, 0.5)])
SLOPES = 2.0 ** np.arange(-1, 7.01, 0.5)
"""1 / tau for the scan, each twice the one before the last."""
STARTS = 3
"""Values of lambda from which the maximum is refined."""
MODELS = {
    "gp_ucb": ("lambda", "beta", "tau"),
    "local_gp_ucb": ("lambda", "beta", "tau"),
    "gp_mg": ("lambda", "tau"),
    "local_search": ("tau",),
}
VERSION = 1
"""Part of the key of a kept fit."""


class Work(NamedTuple):
    """What is fitted to a person."""

    model: str
    rules: str
    size: Size
    rounds: tuple[Round, ...]


def beliefs(own: Round, tiles: Floats, length: float) -> tuple[Floats, Floats]:
    """Return mean and SD of all tiles before each click, by scikit-learn; both have the shape (clicks, tiles)."""
    means, sds = [], []
    for count in range(1, len(own.places) + 1):
        process = GaussianProcessRegressor(RBF(length, "fixed"), alpha=NOISE_VARIANCE, optimizer=None)
        mean, sd = process.fit(own.places[:count], own.rewards[:count]).predict(tiles, return_std=True)
        means.append(mean)
        sds.append(sd)
    return np.array(means), np.array(sds)


def quick_beliefs(own: Round, tiles: Floats, length: float) -> tuple[Floats, Floats]:
    """Return what `beliefs` returns, by equations 2.25 and 2.26 of Rasmussen & Williams (2006): six times as fast."""
    kernel = RBF(length)
    at_places: Floats = kernel(own.places, tiles)
    among: Floats = kernel(own.places) + NOISE_VARIANCE * np.eye(len(own.places))
    means, sds = [], []
    for count in range(1, len(own.places) + 1):
        known = at_places[:count]
        solved = linalg.solve(among[:count, :count], np.column_stack([own.rewards[:count], known]), assume_a="pos")
        means.append(known.T @ solved[:, 0])
        sds.append(np.sqrt(np.maximum(1 - (known * solved[:, 1:]).sum(axis=0), 0)))
    return np.array(means), np.array(sds)


def wu_2017(values: Floats, near: Floats | None) -> Floats:
    """Return what the softmax gets: negative values become .01, and all are divided by the largest of the round."""
    positive: Floats = np.where(values < 0, 0.01, values) * (1.0 if near is None else near)
    largest: Floats = np.maximum(positive.max(axis=(-2, -1), keepdims=True), 1e-300)
    return positive / largest


def schulz_2019(values: Floats, near: Floats | None) -> Floats:
    """Return what the softmax gets: values are at least .0001 and at most 50, and not divided."""
    bounded: Floats = np.where(values <= 0, 0.0001, np.minimum(values, 50.0))
    return bounded if near is None else bounded * near


RULES: Mapping[str, Callable[[Floats, Floats | None], Floats]] = {"wu_2017": wu_2017, "schulz_2019": schulz_2019}


class SecondFit:
    """Likelihoods of a person's rounds, and the parameters that maximize them."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._tiles = tiles_of(work.size)
        self._near = [self._inverse_distances(own) for own in work.rounds]
        self._beliefs = functools.lru_cache(maxsize=None)(self._compute)
        parameters = MODELS[work.model]
        self._has_length, self._has_beta = "lambda" in parameters, "beta" in parameters
        self._lengths = LENGTHS if self._has_length else np.zeros(1)
        self._betas = BETAS if self._has_beta else np.zeros(1)

    def _compute(self, place: int, log_length: float) -> tuple[Floats, Floats]:
        return quick_beliefs(self._work.rounds[place], self._tiles, math.exp(log_length))

    def _inverse_distances(self, own: Round) -> Floats:
        apart: Floats = np.abs(own.places[:, None, :] - self._tiles[None]).sum(axis=2)
        return 1.0 / np.maximum(apart, 1.0)

    def _preferences(self, place: int, known: tuple[Floats, Floats] | None, log_betas: Floats) -> Floats:
        """Return what the softmax gets, minus the largest of the click; shape (betas, clicks, tiles)."""
        local = self._near[place] if self._work.model.startswith("local") else None
        if known is None:
            values = self._near[place][None]
        else:
            mean, sd = known
            raw = mean + np.exp(log_betas)[:, None, None] * sd if self._has_beta else mean[None]
            values = RULES[self._work.rules](raw, local)
        largest: Floats = values.max(axis=-1, keepdims=True)
        return values - largest

    def log_likelihood(
        self, place: int, log_length: float, log_beta: float, log_tau: float, *, by_sklearn: bool = False
    ) -> float:
        """Return the log-likelihood of a round."""
        known = self._beliefs(place, log_length) if self._has_length else None
        if known is not None and by_sklearn:
            known = beliefs(self._work.rounds[place], self._tiles, math.exp(log_length))
        preferences = self._preferences(place, known, np.array([log_beta]))
        return float(_log_p(np.exp(preferences / math.exp(log_tau)), self._work.rounds[place].chosen)[0])

    def scan(self) -> Floats:
        """Return the log-likelihoods of a grid of parameters; shape (rounds, lambdas, betas, taus)."""
        lls = np.empty((len(self._work.rounds), len(self._lengths), len(self._betas), len(SLOPES)))
        for place, at_length in np.ndindex(lls.shape[:2]):
            known = self._beliefs(place, float(self._lengths[at_length])) if self._has_length else None
            preferences = self._preferences(place, known, self._betas).astype(np.float32)
            weights = [np.exp(preferences * np.float32(slope)) for slope in SLOPES[:2]]
            for at_slope in range(len(SLOPES)):
                if at_slope > 1:
                    weights = [weights[1], weights[0] ** 2]
                weight = weights[min(at_slope, 1)]
                lls[place, at_length, :, at_slope] = _log_p(weight, self._work.rounds[place].chosen)
        return lls

    def maximum(self, lls: Floats, places: Sequence[int]) -> tuple[float, float, float]:
        """Return the logarithms of lambda, beta and tau with the largest likelihood of some rounds."""
        total = lls[list(places)].sum(axis=0)
        best = np.argsort(-total.max(axis=(1, 2)))[:STARTS]
        candidates: list[tuple[float, float, float, float]] = []
        for at_length in best:
            at_beta, at_slope = np.unravel_index(total[at_length].argmax(), total[at_length].shape)
            start = (float(self._betas[at_beta]), -math.log(SLOPES[at_slope]))
            candidates.append(self._refined(places, float(self._lengths[at_length]), *start))
        _, log_length, log_beta, log_tau = min(candidates)
        if self._has_length:
            lengths = [round(log_length + step, 3) for step in FINER]
            nearest = min(lengths, key=lambda length: self.loss(places, length, log_beta, log_tau))
            candidates.append(self._refined(places, nearest, log_beta, log_tau))
        return min(candidates)[1:]

    def loss(self, places: Sequence[int], log_length: float, log_beta: float, log_tau: float) -> float:
        """Return the negative log-likelihood of some rounds."""
        return -sum(self.log_likelihood(place, log_length, log_beta, log_tau) for place in places)

    def _refined(
        self, places: Sequence[int], log_length: float, log_beta: float, log_tau: float
    ) -> tuple[float, float, float, float]:
        """Return the smallest loss at a lambda, with its parameters."""
        beta_step = 0.05 if log_beta < 0 else -0.05
        tau_step = 0.2 if log_tau < 0 else -0.2
        simplex = [(log_beta, log_tau), (log_beta + beta_step, log_tau), (log_beta, log_tau + tau_step)]
        # Any: scipy's types know no options of a method.
        options: Any = {"initial_simplex": simplex, "xatol": 1e-3, "fatol": 1e-3}
        bounds = optimize.Bounds([-BOUND] * 2, [BOUND] * 2)

        def loss(at: object) -> float:
            values = np.asarray(at, float)
            return self.loss(places, log_length, float(values[0]), float(values[1]))

        found = optimize.minimize(
            loss, np.array([log_beta, log_tau]), method="Nelder-Mead", bounds=bounds, options=options
        )
        return float(found.fun), log_length, float(found.x[0]), float(found.x[1])


def _log_p(weights: Any, chosen: npt.NDArray[np.intp]) -> Any:
    """Return the log-likelihood of the clicks, for each leading axis of the weights."""
    p = weights[..., np.arange(len(chosen)), chosen] / weights.sum(axis=-1)
    return np.log(np.clip(p, LEAST_P, 1 - LEAST_P)).sum(axis=-1)


def fit_person(work: Work) -> dict[str, Any]:
    """Return the log-likelihood of each round that was left out, and the logarithms of lambda, beta and tau."""
    fit = SecondFit(work)
    lls = fit.scan()
    every = range(len(work.rounds))
    parameters = [fit.maximum(lls, [place for place in every if place != left_out]) for left_out in every]
    predicted = [fit.log_likelihood(place, *at, by_sklearn=True) for place, at in enumerate(parameters)]
    return {"ll": predicted, "log_parameters": parameters}
