"""Model recovery: people simulated with one model, and the model that predicts them best. Needs scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.searching.analysis.fits import FitSettings, fit_people, fits_of
from protocols.searching.analysis.models import MODELS, RANDOM
from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.environments import draw_environment
from protocols.searching.grids.kernels import KERNELS, Kernel
from protocols.searching.grids.places import Grid
from protocols.searching.grids.policies import (
    LocalSearchPolicy,
    Policy,
    RandomPolicy,
    ValuePolicy,
    WinStayPolicy,
    process_learner,
)
from protocols.searching.grids.reward_scales import GRID
from protocols.searching.grids.simulation import simulate_round
from rig.analysis.common.arrays import Ints

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
    """Return how often each model predicts best the people who are simulated with each; ``people`` for each."""
    names = tuple(RECOVERED)
    simulated = [
        simulated_person(name, number, environments, np.random.default_rng([seed, place, number]))
        for place, name in enumerate(names)
        for number in range(people)
    ]
    fitted = FitSettings(
        tuple(name for name in names if name != RANDOM), settings.processes, settings.file, settings.seed
    )
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
    policy = policy_of(name)
    rounds = tuple(
        _simulated_round(place, horizon, name, KERNELS[environments], policy, draw)
        for place, horizon in enumerate(HORIZONS, 1)
    )
    return GridPerson(f"{name}-{number}", f"{name}-{number}", rounds, "average", environments)


def _simulated_round(
    number: int, horizon: int, condition: str, kernel: Kernel, policy: Policy, draw: np.random.Generator
) -> GridRound:
    latent = 100 * draw_environment(kernel, GRID_SIZE, draw.random).ravel()
    first = int(draw.integers(GRID_SIZE.count))
    played = simulate_round(
        policy, GRID_SIZE, latent, GRID, first=first, clicks=horizon, random=draw.random, noise_sd=NOISE_SD
    )
    blank = np.full(horizon + 1, np.nan)
    return GridRound(
        number=number,
        grid=GRID_SIZE,
        condition=condition,
        horizon=horizon,
        tile=np.array(played.tiles),
        drawn=np.round(played.rewards),
        shown=blank,
        latent=latent[played.tiles],
        kept=np.ones(horizon + 1, bool),
        time_s=blank,
    )


def policy_of(name: str) -> Policy:
    """Return how people of a model choose, with its parameters of `RECOVERED`."""
    at = RECOVERED[name]
    if name == RANDOM:
        return RandomPolicy()
    if name == "wsls":
        return WinStayPolicy("manhattan")
    if name == "local_search":
        return LocalSearchPolicy(at["tau"])
    model = MODELS[name]
    learner = process_learner(Kernel.of("length", at["lambda"]), GRID.noise_variance)
    return ValuePolicy(learner, model.strategy, tau=at["tau"], beta=at["beta"], local=model.local)
