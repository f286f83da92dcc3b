"""Rounds as a fitted model plays them, with each person's own parameters and environments (Schulz et al. 2018).

The paper draws such rounds beside those of people, for the probability of safety (figures 6 and 11).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from protocols.searching.analysis.fit_problems import model_round, risky_rules
from protocols.searching.analysis.fits import Fits, PersonFit
from protocols.searching.analysis.models import MODELS, Model, Rules
from protocols.searching.analysis.rounds import GridPerson, GridRound
from protocols.searching.grids.kernels import Kernel, with_step
from protocols.searching.grids.policies import Policy, ValuePolicy, process_learner
from protocols.searching.grids.simulation import simulate_round
from rig.analysis.common.arrays import Floats

PLAYED = "gp_pos"
"""The model of the paper's figures."""
REPEATS = 10
"""Rounds that the model plays for each round of a person: its curves are then smoother than those of people."""


def played(fits: Fits, people: Sequence[GridPerson], seed: int) -> list[GridPerson]:
    """Return people who play the rounds of the given ones as `PLAYED`; without those whose environments are unknown.

    Each parameter is the median over the folds of the round's block.
    """
    of_person = {each.person: each for each in fits.of(PLAYED)}
    found = []
    for number, person in enumerate(people):
        if person.name in of_person:
            draw = np.random.default_rng([seed, number])
            rounds = tuple(_rounds(person.rounds, of_person[person.name], draw))
            if rounds:
                found.append(replace(person, rounds=rounds))
    return found


def _rounds(rounds: Sequence[GridRound], fit: PersonFit, draw: np.random.Generator) -> Iterator[GridRound]:
    """Yield what the model makes of a person's rounds that came to their end."""
    for each in rounds:
        if not each.complete or not each.clicks or each.values is None or each.values.size != each.grid.count:
            continue
        rules = risky_rules(with_step(each.grid))
        policy = fitted_policy(MODELS[fit.model], fit.of_block(model_round(each, rules, risky=True).block), rules)
        for _ in range(REPEATS):
            yield _played(each, each.values, policy, rules, draw)


def fitted_policy(model: Model, at: Mapping[str, float], rules: Rules) -> Policy:
    """Return how a person chooses whom a Gaussian process with these parameters predicts."""
    learner = process_learner(Kernel.of(rules.convention, at["lambda"]), rules.scale.noise_variance)
    beta = at.get("beta", 0.0)
    return ValuePolicy(
        learner, model.strategy, tau=at["tau"], beta=beta, local=model.local, as_they_are=not rules.scaled_values
    )


def _played(each: GridRound, values: Floats, policy: Policy, rules: Rules, draw: np.random.Generator) -> GridRound:
    """Return a round at the environment of another one, from its revealed tile."""
    level = -math.inf if each.level is None else each.level
    noise = each.drawn - each.latent
    rewards = simulate_round(
        policy,
        with_step(each.grid),
        values,
        rules.scale,
        first=int(each.tile[0]),
        clicks=each.horizon,
        random=draw.random,
        noise_sd=float(np.sqrt(np.nanmean(noise**2))),
        threshold=level,
        safe=not each.risky,
    )
    count = len(rewards.tiles)
    drawn = np.array(rewards.rewards)
    blank = np.full(count, np.nan)
    kept = np.full(count, True)
    kept[-1] = not rewards.lost
    return replace(
        each,
        tile=np.array(rewards.tiles),
        drawn=drawn,
        shown=drawn,
        latent=blank,
        kept=kept,
        time_s=blank,
        end="below" if rewards.lost else "all_clicks",
        bonus=None,
    )
