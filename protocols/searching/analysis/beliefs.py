"""Beliefs of a learner about all tiles before each click, for any value of its parameter. Needs scipy.

A search over parameters asks for thousands of kernels. They are taken from 201 values, evenly spaced in the logarithm,
and the beliefs for each are computed once for all rounds of a block: all folds of a cross-validation share them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from protocols.searching.analysis.models import BOUND, Model, ModelRound, Rules
from protocols.searching.grids.gaussian_process import Beliefs, beliefs_over_time
from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.option_learning import options_over_time
from protocols.searching.grids.places import Grid

NODES = 200
"""Steps of the search from exp(-5) to exp(5): 5 % each."""


class BlockBeliefs:
    """Beliefs of one learner about the rounds of one block."""

    def __init__(self, grid: Grid, rules: Rules, model: Model, rounds: Sequence[ModelRound]) -> None:
        self._grid, self._rules, self._model, self._rounds = grid, rules, model, rounds
        self._known: dict[int, list[Beliefs]] = {}

    def nearest(self, log_value: float) -> list[Beliefs]:
        """Return the beliefs of all rounds for the nearest of the 201 values of the parameter, given its logarithm."""
        node = round((log_value + BOUND) / (2 * BOUND) * NODES)
        if node not in self._known:
            self._known[node] = self.at(node / NODES * 2 * BOUND - BOUND)
        return self._known[node]

    def at(self, log_value: float) -> list[Beliefs]:
        """Return the beliefs of all rounds for exactly this logarithm of the parameter."""
        value = math.exp(log_value)
        if self._model.learner == "option":
            found = (
                options_over_time(self._grid.count, each.seen.tolist(), each.values.tolist(), value)
                for each in self._rounds
            )
        else:
            prior = Kernel.of(self._rules.convention, value).matrix(self._grid)
            noise = self._rules.scale.noise_variance
            found = (beliefs_over_time(prior, each.seen.tolist(), each.values.tolist(), noise) for each in self._rounds)
        # Without the prior: every click follows an observation.
        return [Beliefs(mean[1:], sd[1:]) for mean, sd in found]
