"""Cross-validated maximum likelihood of one model for one person. Needs scipy.

In each block (rounds of one horizon; risky or safe rounds) every round is left out once. The parameters are fitted to
the others by differential evolution, within exp(-5) and exp(5), and predict the clicks of the round left out (Wu et al.
2017, Schulz et al. 2018).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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

GENERATIONS = 100
"""``itermax`` of the released code of Wu et al. (2017)."""
POPULATION = 10
"""Members for each parameter; the default of the R package DEoptim, which the papers used."""
CONVERGED = 1e-4
POLISHING_STEPS = 200


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
    seed: int


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
            at = fit.maximum(training, problem.seed + place)
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
    at = fit.maximum(every, problem.seed)
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

    def maximum(self, rounds: Sequence[int], seed: int) -> Floats:
        """Return the logarithms of the parameters with the highest likelihood of some rounds."""
        from scipy import optimize

        def exactly(at: object) -> float:
            return -self.exact(np.atleast_1d(np.asarray(at, float)), rounds)

        # Any: scipy's types know no vectorized function, and no options of a method.
        def of_members(members: Floats) -> Any:
            return np.array([-self.near_node(at, rounds) for at in members.T])

        count = len(self.model.parameters)
        if count == 1:
            only = optimize.minimize_scalar(exactly, bounds=(-BOUND, BOUND), method="bounded")
            return np.array([only.x])
        bounds = optimize.Bounds([-BOUND] * count, [BOUND] * count)
        coarse = optimize.differential_evolution(
            of_members,
            bounds,
            maxiter=GENERATIONS,
            popsize=POPULATION,
            tol=CONVERGED,
            polish=False,
            seed=seed,
            vectorized=True,
            updating="deferred",
        )
        steps: Any = {"maxfev": POLISHING_STEPS, "xatol": 1e-3, "fatol": 1e-3}
        fine = optimize.minimize(exactly, coarse.x, method="Nelder-Mead", bounds=bounds, options=steps)
        return np.asarray(fine.x)
