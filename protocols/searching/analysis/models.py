"""Models of search that are fitted: what each learns, what it values, and its parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from protocols.searching.grids.choice_rules import (
    SMALL_VALUE,
    Strategy,
    local_search_values,
    strategy_values,
    win_stay_values,
)
from protocols.searching.grids.kernels import Convention
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import RewardScale
from rig.analysis.common.arrays import Floats, Ints

BOUND = 5.0
"""Every parameter is within exp(-5) and exp(5) (both papers)."""
LEAST_P = 1e-5
"""The probability of a choice is at least this and at most 1 minus this; the released code of Wu et al. (2017)."""

Learner = Literal["gp", "option", ""]
WITH_BETA: tuple[Strategy, ...] = ("ucb", "lcb")
RANDOM = "random"


@dataclass(frozen=True)
class Model:
    """A learner with a strategy, or one of the models without a belief: ``wsls``, ``local_search``."""

    name: str
    learner: Learner = ""
    strategy: Strategy = "mg"
    local: bool = False

    @property
    def parameters(self) -> tuple[str, ...]:
        """Return the names of the parameters, tau last."""
        learned = {"gp": ("lambda",), "option": ("error_sd",), "": ()}[self.learner]
        return (*learned, *(("beta",) if self.learner and self.strategy in WITH_BETA else ()), "tau")


class Rules(NamedTuple):
    """How a task's models read rewards and turn values into choices.

    With ``scaled_values`` negative values become 0.01 and all are divided by the largest of their round (Wu et al.
    2017); without, values go into the softmax as they are (Schulz et al. 2018).
    """

    scale: RewardScale
    convention: Convention
    scaled_values: bool


class ModelRound(NamedTuple):
    """One round as models read it; index i of all arrays is click i + 1.

    ``seen`` and ``values`` are the tile and the standardized reward that came last before the click. ``block`` names
    the rounds that are cross-validated together.
    """

    block: str
    seen: Ints
    values: Floats
    chosen: Ints
    threshold: float

    @property
    def best(self) -> Floats:
        """Return the largest standardized reward before each click."""
        return np.maximum.accumulate(self.values)


def _models() -> dict[str, Model]:
    found = [Model("wsls"), Model("local_search")]
    strategies: Sequence[Strategy] = ("vg", "mg", "ucb")
    found += [Model(f"gp_{each}", "gp", each) for each in strategies]
    found += [Model(f"local_gp_{each}", "gp", each, local=True) for each in strategies]
    risky: Sequence[Strategy] = ("pos", "poi", "lcb")
    found += [Model(f"gp_{each}", "gp", each) for each in risky]
    found += [Model(f"option_{each}", "option", each) for each in (*strategies, *risky)]
    return {model.name: model for model in found}


MODELS = _models()
GRID_MODELS = ("local_search", "gp_vg", "gp_mg", "gp_ucb", "local_gp_vg", "local_gp_mg", "local_gp_ucb", "wsls")
"""Those of Wu et al. (2017)."""
RISKY_LEARNERS: tuple[Learner, ...] = ("gp", "option")
RISKY_STRATEGIES: tuple[Strategy, ...] = ("ucb", "poi", "pos", "lcb")
RISKY_MODELS = tuple(f"{learner}_{strategy}" for learner in RISKY_LEARNERS for strategy in RISKY_STRATEGIES)
"""Those of Schulz et al. (2018)."""


def strategy_of(model: Model, own: ModelRound, mean: Floats, sd: Floats, beta: float) -> Floats:
    """Return what the model's strategy values each tile; shape (clicks, tiles)."""
    from scipy.special import ndtr

    return strategy_values(model.strategy, mean, sd, beta=beta, threshold=own.threshold, best=own.best, normal=ndtr)


def fixed_values(model: Model, grid: Grid, own: ModelRound) -> Floats:
    """Return the values of a model without a belief; shape (clicks, tiles)."""
    if model.name == "wsls":
        return win_stay_values(grid, own.seen, own.values)
    return local_search_values(grid, own.seen)


def log_likelihood(values: Floats, own: ModelRound, tau: float, rules: Rules, near: Floats | None) -> float:
    """Return the log-likelihood of a round's clicks; ``near`` weighs the values, in local variants.

    The softmax of `protocols.searching.grids.choice_rules`, for the chosen tiles alone.
    """
    if rules.scaled_values:
        values = np.where(values < 0, SMALL_VALUE, values)
    if near is not None:
        values = values * near
    largest_of_click = values.max(axis=1)
    if rules.scaled_values and (largest := float(largest_of_click.max())) > 0:
        tau = tau * largest
    weights = values - largest_of_click[:, None]
    weights /= tau
    np.exp(weights, out=weights)
    p = weights[np.arange(len(own.chosen)), own.chosen] / weights.sum(axis=1)
    return float(np.log(np.clip(p, LEAST_P, 1 - LEAST_P)).sum())
