"""Model recovery: people simulated with one model, and the model that predicts them best. Needs scipy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from protocols.searching.analysis.fits import FitSettings, fit_people, fits_of
from protocols.searching.analysis.models import RANDOM
from protocols.searching.analysis.played import played_session, policy_of
from protocols.searching.analysis.rounds import GridPerson
from protocols.searching.grids.places import Grid
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
    """Return the session of a person who chooses by a model, with its parameters of `RECOVERED`."""
    policy = policy_of(name, RECOVERED[name])
    return played_session(policy, f"{name}-{number}", GRID_SIZE, HORIZONS, environments, draw, condition=name)
