"""From rounds to what models are fitted to: standardized rewards, and the blocks of a cross-validation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from protocols.searching.analysis.cross_validation import Problem
from protocols.searching.analysis.degenerate import why_unfit
from protocols.searching.analysis.models import MODELS, ModelRound, Rules
from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.kernels import with_step
from protocols.searching.grids.places import Grid
from protocols.searching.grids.reward_scales import GRID, RISKY_GRID, RISKY_LINE

GRID_RULES = Rules(GRID, "length", scaled_values=True)


def risky_rules(grid: Grid) -> Rules:
    """Return the rules of the risky task on a line or a grid."""
    return Rules(RISKY_LINE if grid.height == 1 else RISKY_GRID, "lambda", scaled_values=False)


def problems(person: GridPerson, models: Sequence[str], *, risky: bool) -> Iterator[Problem]:
    """Yield what each of the models is fitted to; none for a person without choices or known rewards."""
    rounds = [each for each in person.rounds if each.clicks and knows_rewards(each)]
    if not rounds or why_unfit(person):
        return
    grid = with_step(rounds[0].grid) if risky else rounds[0].grid
    rules = risky_rules(grid) if risky else GRID_RULES
    own = tuple(model_round(each, rules, risky=risky) for each in rounds)
    numbers = tuple(each.number for each in rounds)
    for name in models:
        yield Problem(grid, rules, own, numbers, MODELS[name])


def knows_rewards(each: GridRound) -> bool:
    """Whether the reward before every click is known: a model learns from all of them."""
    return bool(np.isfinite(each.drawn[:-1]).all())


def model_round(each: GridRound, rules: Rules, *, risky: bool) -> ModelRound:
    """Return a round as models read it."""
    drawn = each.drawn if risky else each.range.percent(each.drawn)
    values = (drawn - rules.scale.center) / rules.scale.spread
    # In a safe round the strategies have the line of the risky ones, although nothing is lost below it.
    line = each.threshold if each.level is None else each.level
    threshold = np.nan if line is None else rules.scale.standard(line)
    block = ("risky" if each.risky else "safe") if risky else str(each.horizon)
    return ModelRound(block, each.tile[:-1], values[:-1], each.tile[1:], threshold)
