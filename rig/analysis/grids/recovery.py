"""Model recovery: people simulated with one model, and the model that predicts them best. Needs scipy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rig.analysis.common.arrays import Floats, Ints
from rig.analysis.grids.fits import FitSettings, fit_people, fits_of
from rig.analysis.grids.models import MODELS, RANDOM, Model
from rig.analysis.grids.rounds import GridPerson, GridRound
from rig.grids.choice_rules import (
    draw_tile,
    local_search_values,
    near,
    nonnegative,
    scaled,
    softmax,
    strategy_values,
    win_stay_values,
)
from rig.grids.environments import draw_environment
from rig.grids.gaussian_process import beliefs_over_time
from rig.grids.kernels import KERNELS, Kernel
from rig.grids.places import Grid
from rig.grids.reward_scales import GRID

RECOVERED: dict[str, dict[str, float]] = {
    "gp_ucb": {"lambda": 0.5, "beta": 0.5, "tau": 0.01},
    "local_gp_ucb": {"lambda": 0.78, "beta": 0.48, "tau": 0.135},
    "local_search": {"tau": 0.22},
    "wsls": {},
    RANDOM: {},
}
"""Simulated models, with about the medians of the published fits (Wu et al. 2017)."""

HORIZONS = (20, 40, 20, 40, 20, 40, 20, 40)
GRID_SIZE = Grid(11, 11)
NOISE_SD = 1.0

Choose = Callable[[Sequence[int], Sequence[float]], Floats]
"""From the tiles and standardized rewards of a round so far to the probabilities of all tiles."""


@dataclass(frozen=True)
class Recovery:
    """How often people simulated with a model (rows) are predicted best by each (columns)."""

    models: tuple[str, ...]
    people: int
    counts: Ints

    @property
    def right(self) -> float:
        """Return the share of people whose own model predicts them best."""
        return float(np.trace(self.counts) / self.counts.sum())


def recovery(people: int, environments: str, seed: int, settings: FitSettings) -> Recovery:
    """Return how often each model predicts best the people who are simulated with each, so many for each."""
    names = tuple(RECOVERED)
    simulated = [
        simulated_person(name, number, environments, np.random.default_rng([seed, place, number]))
        for place, name in enumerate(names)
        for number in range(people)
    ]
    fitted = FitSettings(tuple(name for name in names if name != RANDOM), settings.processes, settings.file)
    found = fit_people(simulated, fitted, risky=False)
    counts = np.zeros((len(names), len(names)), np.int64)
    for person in simulated:
        own = fits_of([each for each in found if each.person == person.name])
        # A random choice predicts with R² 0: it is the best if no model does better in the rounds left out.
        r2 = {each.model: each.r2.mean for each in own.models} | {RANDOM: 0.0}
        best = max(names, key=lambda name: r2[name])
        counts[names.index(person.condition), names.index(best)] += 1
    return Recovery(names, people, counts)


def simulated_person(name: str, number: int, environments: str, draw: np.random.Generator) -> GridPerson:
    """Return the session of a person who chooses by a model, in environments of a class."""
    choose = choices(name, GRID_SIZE)
    rounds = tuple(
        simulated_round(place, horizon, name, KERNELS[environments], choose, draw)
        for place, horizon in enumerate(HORIZONS, 1)
    )
    return GridPerson(f"{name}-{number}", f"{name}-{number}", rounds, "average", environments)


def simulated_round(
    number: int, horizon: int, condition: str, kernel: Kernel, choose: Choose, draw: np.random.Generator
) -> GridRound:
    """Return a round in a new environment."""
    latent = 100 * draw_environment(kernel, GRID_SIZE, draw.random).ravel()
    tiles = [int(draw.integers(latent.size))]
    drawn = [float(round(latent[tiles[0]] + draw.normal(0, NOISE_SD)))]
    for _ in range(horizon):
        tiles.append(draw_tile(choose(tiles, [GRID.standard(value) for value in drawn]), draw.random()))
        drawn.append(float(round(latent[tiles[-1]] + draw.normal(0, NOISE_SD))))
    blank = np.full(horizon + 1, np.nan)
    return GridRound(
        number=number,
        grid=GRID_SIZE,
        condition=condition,
        horizon=horizon,
        tile=np.array(tiles),
        drawn=np.array(drawn),
        shown=blank,
        latent=latent[tiles],
        kept=np.ones(horizon + 1, bool),
        time_s=blank,
    )


def choices(name: str, grid: Grid) -> Choose:
    """Return the choice rule of a model with its parameters of `RECOVERED`."""
    if name == RANDOM:
        return lambda tiles, values: np.full(grid.count, 1 / grid.count)
    if name == "wsls":
        return lambda tiles, values: win_stay_values(grid, tiles, values)[-1]
    at = RECOVERED[name]
    if name == "local_search":
        return lambda tiles, values: softmax(local_search_values(grid, tiles[-1]), at["tau"])
    return _by_beliefs(MODELS[name], at, grid)


def _by_beliefs(model: Model, at: dict[str, float], grid: Grid) -> Choose:
    prior = Kernel.of("length", at["lambda"]).matrix(grid)

    def choose(tiles: Sequence[int], values: Sequence[float]) -> Floats:
        mean, sd = (each[-1] for each in beliefs_over_time(prior, tiles, values))
        valued = nonnegative(strategy_values(model.strategy, mean, sd, beta=at.get("beta", 0.0)))
        return softmax(scaled(near(valued, grid, tiles[-1]) if model.local else valued), at["tau"])

    return choose
