"""Models that play the grid bandit without a rig: with chosen parameters, or with those of each person. Needs scipy.

In simulations the values of a strategy are divided by their largest one of the trial, in fits by that of the round: so
does the released code (Wu et al. 2017).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from protocols.searching.analysis.behavior import Curve, curve
from protocols.searching.analysis.fits import Fits
from protocols.searching.analysis.models import GRID_MODELS, MODELS, RANDOM
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
from protocols.searching.grids.reward_scales import GRID, PERCENT
from protocols.searching.grids.simulation import simulate_round

NOISE_SD = 1.0


@dataclass(frozen=True)
class PlayedModel:
    """What a model earns with each person's own fitted parameters, in new environments of the person's class."""

    model: str
    people: int
    curves: tuple[Curve, ...]


def played_models(people: Sequence[GridPerson], fits: Fits, seed: int) -> tuple[PlayedModel, ...]:
    """Return the models of the grid task, each played once for every person whose environments can be drawn again."""
    known = {person.name: person for person in people if can_be_played(person)}
    played = []
    for place, model in enumerate(each.model for each in fits.models if each.model in GRID_MODELS):
        own = [
            _as_person(known[fit.person], policy_of(model, fit.parameters), np.random.default_rng([seed, place, index]))
            for index, fit in enumerate(fits.of(model))
            if fit.person in known
        ]
        if own:
            horizons = sorted({each.horizon for person in own for each in person.rounds})
            curves = tuple(curve([person.rounds for person in own], horizon) for horizon in horizons)
            played.append(PlayedModel(model, len(own), curves))
    return tuple(played)


def can_be_played(person: GridPerson) -> bool:
    """Whether environments like the person's can be drawn: their kernel is known, and rewards are 0 to 100."""
    known = person.kernels_known and person.environments in KERNELS
    return known and all(each.range == PERCENT for each in person.rounds)


def _as_person(person: GridPerson, policy: Policy, draw: np.random.Generator) -> GridPerson:
    """Return a session of a policy with the conditions of a person's session."""
    horizons = [each.horizon for each in person.rounds]
    return played_session(policy, person.name, person.rounds[0].grid, horizons, person.environments, draw)


def policy_of(model: str, parameters: Mapping[str, float]) -> Policy:
    """Return how people of a model of the grid task choose, with parameters named as in fits."""
    if model == RANDOM:
        return RandomPolicy()
    if model == "wsls":
        return WinStayPolicy("manhattan")
    if model == "local_search":
        return LocalSearchPolicy(parameters["tau"])
    found = MODELS[model]
    learner = process_learner(Kernel.of("length", parameters["lambda"]), GRID.noise_variance)
    beta = parameters.get("beta", 0.0)
    return ValuePolicy(learner, found.strategy, tau=parameters["tau"], beta=beta, local=found.local)


def played_session(
    policy: Policy,
    name: str,
    grid: Grid,
    horizons: Sequence[int],
    environments: str,
    draw: np.random.Generator,
    *,
    condition: str = "",
) -> GridPerson:
    """Return a session with a round for each horizon, in new environments of a class."""
    rounds = tuple(
        _played_round(number, horizon, condition, grid, KERNELS[environments], policy, draw)
        for number, horizon in enumerate(horizons, 1)
    )
    return GridPerson(name, name, rounds, "average", environments)


def _played_round(
    number: int,
    horizon: int,
    condition: str,
    grid: Grid,
    kernel: Kernel,
    policy: Policy,
    draw: np.random.Generator,
) -> GridRound:
    latent = 100 * draw_environment(kernel, grid, draw.random).ravel()
    first = int(draw.integers(grid.count))
    played = simulate_round(
        policy, grid, latent, GRID, first=first, clicks=horizon, random=draw.random, noise_sd=NOISE_SD
    )
    blank = np.full(horizon + 1, np.nan)
    return GridRound(
        number=number,
        grid=grid,
        condition=condition,
        horizon=horizon,
        tile=np.array(played.tiles),
        drawn=np.round(played.rewards),
        shown=blank,
        latent=latent[played.tiles],
        kept=np.ones(horizon + 1, bool),
        time_s=blank,
    )
