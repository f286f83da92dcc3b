"""Cross-validated maximum likelihood of one model for one person. Needs scipy.

In each block (rounds of one horizon; risky or safe rounds) every round is left out once. The parameters are fitted to
the others, within exp(-5) and exp(5), and predict the clicks of the round left out (Wu et al. 2017, Schulz et al.
2018).

The papers search with differential evolution. Here the parameters are scanned instead. People who explore until they
find a large reward have a likelihood with a narrow ridge beside a broad hill: differential evolution missed the maximum
of 9 of 136 folds of Schulz, Wu, Ruggeri & Meder (2019), by up to 146.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np

from protocols.searching.analysis.beliefs import BlockBeliefs
from protocols.searching.analysis.models import (
    BOUND,
    Model,
    ModelRound,
    Rules,
    fixed_values,
    log_likelihood,
    strategy_of,
)
from protocols.searching.grids.gaussian_process import Beliefs
from protocols.searching.grids.places import Grid
from rig.analysis.common.arrays import Floats

LEARNER_AXIS = np.arange(-3.5, 3.51, 0.25)
BETA_AXIS = np.unique(np.concatenate([np.arange(-5, 5.01, 0.5), np.arange(-1.5, 0.51, 0.125)]))
TAU_AXIS = np.arange(-5, 1.01, 0.75)
"""Logarithms of the parameters that are scanned. The search may go beyond them."""
STARTS = 3
"""Values of the learner's parameter from which a maximum is searched."""
SEARCH_STEPS = 200
POLISHING_STEPS = 200
FIRST_STEP = 0.2


@dataclass(frozen=True)
class Fold:
    """One round left out: its log-likelihood ``ll``, and the parameters fitted to the others of its block."""

    block: str
    round: int
    clicks: int
    ll: float
    parameters: Mapping[str, float]


@dataclass(frozen=True)
class Problem:
    """What is fitted: the rounds of one person, as a model reads them; plain values that go to another process."""

    grid: Grid
    rules: Rules
    rounds: tuple[ModelRound, ...]
    numbers: tuple[int, ...]
    model: Model


def cross_validate(problem: Problem) -> tuple[Fold, ...]:
    """Return a fold for each round; none for a block with one round, of which nothing can be left out."""
    found: list[Fold] = []
    for block in dict.fromkeys(own.block for own in problem.rounds):
        places = [place for place, own in enumerate(problem.rounds) if own.block == block]
        if len(places) < 2:
            continue
        fit = _Block(problem, [problem.rounds[place] for place in places])
        for left_out, place in enumerate(places):
            training = [index for index in range(len(places)) if index != left_out]
            at = fit.maximum(training)
            found.append(
                Fold(
                    block,
                    problem.numbers[place],
                    len(problem.rounds[place].chosen),
                    fit.exact(at, [left_out]),
                    dict(zip(problem.model.parameters, np.exp(at).tolist(), strict=True)),
                )
            )
    return tuple(found)


def in_sample(problem: Problem) -> Fold:
    """Return the fit of all rounds together, with the log-likelihood of the same rounds."""
    fit = _Block(problem, problem.rounds)
    every = range(len(problem.rounds))
    at = fit.maximum(every)
    clicks = sum(len(own.chosen) for own in problem.rounds)
    parameters = dict(zip(problem.model.parameters, np.exp(at).tolist(), strict=True))
    return Fold("", 0, clicks, fit.exact(at, every), parameters)


class _Block:
    """Log-likelihood of the rounds of a block by the logarithms of the parameters, and its maximum."""

    def __init__(self, problem: Problem, rounds: Sequence[ModelRound]) -> None:
        self.rules, self.model, self.rounds = problem.rules, problem.model, rounds
        near = problem.grid.inverse_manhattan
        self.near = [near[own.seen] if problem.model.local else None for own in rounds]
        self.beliefs: BlockBeliefs | None = None
        self.values: list[Floats] = []
        if problem.model.learner:
            self.beliefs = BlockBeliefs(problem.grid, problem.rules, problem.model, rounds)
        else:
            self.values = [fixed_values(problem.model, problem.grid, own) for own in rounds]

    def exact(self, at: Floats, rounds: Sequence[int]) -> float:
        """Return the log-likelihood of some rounds."""
        return self._sum(at, rounds, None if self.beliefs is None else self.beliefs.at(float(at[0])))

    def near_node(self, at: Floats, rounds: Sequence[int]) -> float:
        """Return the log-likelihood with the nearest value of the learner's parameter that is computed once."""
        return self._sum(at, rounds, None if self.beliefs is None else self.beliefs.nearest(float(at[0])))

    def _sum(self, at: Floats, rounds: Sequence[int], beliefs: Sequence[Beliefs] | None) -> float:
        tau = math.exp(at[-1])
        beta = math.exp(at[-2]) if len(at) > 1 else 0.0
        total = 0.0
        for place in rounds:
            own = self.rounds[place]
            values = self.values[place] if beliefs is None else strategy_of(self.model, own, *beliefs[place], beta)
            total += log_likelihood(values, own, tau, self.rules, self.near[place])
        return total

    @cached_property
    def scanned(self) -> tuple[Floats, Floats]:
        """Return points of a grid of parameters, and the log-likelihood of each round there.

        The shapes are (learner's values, other values, parameters) and (rounds, learner's values, other values).
        """
        others = [BETA_AXIS, TAU_AXIS] if len(self.model.parameters) == 3 else [TAU_AXIS]
        points = np.array(list(product(LEARNER_AXIS, *others))).reshape(len(LEARNER_AXIS), -1, len(others) + 1)
        lls = [
            [[self.near_node(at, [place]) for at in of_learner] for of_learner in points]
            for place in range(len(self.rounds))
        ]
        return points, np.array(lls)

    def maximum(self, rounds: Sequence[int]) -> Floats:
        """Return the logarithms of the parameters with the highest likelihood of some rounds."""
        from scipy import optimize

        def exactly(at: object) -> float:
            return -self.exact(np.atleast_1d(np.asarray(at, float)), rounds)

        if len(self.model.parameters) == 1:
            only = optimize.minimize_scalar(exactly, bounds=(-BOUND, BOUND), method="bounded")
            return np.array([only.x])
        points, lls = self.scanned
        total = lls[list(rounds)].sum(axis=0)
        learner_values = np.argsort(-total.max(axis=1), kind="stable")[:STARTS]
        starts = [points[value, total[value].argmax()] for value in learner_values]
        hills = [self._uphill(lambda at: -self.near_node(at, rounds), at, SEARCH_STEPS) for at in starts]
        _, best = min(hills, key=lambda hill: hill[0])
        return self._uphill(exactly, best, POLISHING_STEPS)[1]

    def _uphill(self, loss: Callable[[Floats], float], start: Floats, steps: int) -> tuple[float, Floats]:
        """Return the smallest loss near a start, and where it is."""
        from scipy import optimize

        count = len(start)
        inwards = np.where(start < 0, FIRST_STEP, -FIRST_STEP)
        simplex = np.vstack([start, start + np.diag(inwards)])
        # Any: scipy's types know no options of a method.
        options: Any = {"maxfev": steps, "xatol": 1e-3, "fatol": 1e-3, "initial_simplex": simplex}
        bounds = optimize.Bounds([-BOUND] * count, [BOUND] * count)
        fine = optimize.minimize(loss, start, method="Nelder-Mead", bounds=bounds, options=options)
        return float(fine.fun), np.asarray(fine.x, float)
