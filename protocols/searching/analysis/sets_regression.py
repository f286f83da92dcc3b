"""Whether people choose tiles that are safe, may be the best, or may show more to be safe (Schulz et al. 2018).

The model is ``chosen ~ S + M + G + (1 | participant)``, with a row for every tile before every click. With safe rounds
too it has the term S x no risk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from protocols.searching.analysis.fit_problems import model_round, risky_rules
from protocols.searching.analysis.rounds import GridPerson
from protocols.searching.analysis.safe_sets import safe_sets_after
from protocols.searching.grids.kernels import Kernel, with_step
from rig.analysis.common.mixed_logistic import MixedLogistic, mixed_logistic

NAMES = ("intercept", "safe", "maximizer", "expander")
INTERACTION = "safe x no risk"

Cell = tuple[int, bool, bool, bool, bool]
"""Participant, S, M, G, and whether the round had no risk."""


def sets_regression(people: Sequence[GridPerson], lam: float | None = None) -> MixedLogistic | None:
    """Fit the model to all clicks; ``lam`` is lambda of the kernel exp(-d² / lambda), by default that of each session.

    None if the people's tiles do not differ in S, M and G.
    """
    chosen: Counter[Cell] = Counter()
    tiles: Counter[Cell] = Counter()
    for number, person in enumerate(people):
        _count(number, person, lam or person.lam, chosen, tiles)
    cells = sorted(tiles)
    if not cells:
        return None
    table = np.array(cells, float)
    x = np.column_stack([np.ones(len(cells)), table[:, 1:4]])
    names: tuple[str, ...] = NAMES
    if np.ptp(table[:, 4]) > 0:
        x, names = np.column_stack([x, table[:, 1] * table[:, 4]]), (*NAMES, INTERACTION)
    # A set without a tile, or with all tiles, says nothing.
    varied = np.array([True, *(np.ptp(x[:, 1:], axis=0) > 0)])
    subject = np.unique(table[:, 0], return_inverse=True)[1]
    return mixed_logistic(
        [name for name, kept in zip(names, varied, strict=True) if kept],
        x[:, varied],
        [chosen[cell] for cell in cells],
        [tiles[cell] for cell in cells],
        subject,
    )


def _count(number: int, person: GridPerson, lam: float | None, chosen: Counter[Cell], tiles: Counter[Cell]) -> None:
    """Add the tiles of all kinds before each click of a person, and the chosen ones."""
    rounds = [each for each in person.rounds if each.clicks]
    if not any(each.level is not None for each in rounds):
        return
    grid = with_step(rounds[0].grid)
    rules = risky_rules(grid)
    prior = Kernel.of("lambda", lam or default_lambda(grid.height)).matrix(grid)
    noise = rules.scale.noise_variance
    for each in rounds:
        own = model_round(each, rules, risky=True)
        if each.level is None:
            continue
        # In a safe round the line is there too, although nothing is lost below it.
        threshold = rules.scale.standard(each.level)
        for click, tile in enumerate(own.chosen.tolist()):
            seen, values = own.seen[: click + 1].tolist(), own.values[: click + 1].tolist()
            sets = np.column_stack(safe_sets_after(prior, seen, values, threshold, noise))
            kinds: list[Cell] = [(number, *flags, not each.risky) for flags in map(_three, sets.tolist())]
            tiles.update(kinds)
            chosen[kinds[tile]] += 1


def _three(flags: Sequence[bool]) -> tuple[bool, bool, bool]:
    safe, maximizer, expander = flags
    return safe, maximizer, expander


def default_lambda(height: int) -> float:
    """Return lambda of the paper: 1 on the line, 2 on the grid (the reading of footnote 2)."""
    return 1.0 if height == 1 else 2.0
