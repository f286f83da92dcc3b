"""Results of searches on grids: of each person, of each condition, and comparisons between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from protocols.searching.analysis.behavior import (
    MEASURES,
    Behavior,
    BinnedCurve,
    Curve,
    behavior,
    binned,
    curve,
    random_distance,
)
from protocols.searching.analysis.random_choices import over_rounds, random_outcome, random_reached, random_reward
from protocols.searching.analysis.rounds import GridPerson, GridRound
from rig.analysis.common.arrays import Floats
from rig.analysis.common.subjects import OverSubjects, PerSession, over_subjects, per_session

if TYPE_CHECKING:
    from protocols.searching.analysis.comparisons import Comparison
    from protocols.searching.analysis.fits import Fits, FitSettings
    from protocols.searching.analysis.recovery import Recovery
    from rig.analysis.common.mixed_logistic import MixedLogistic

Own = dict[str, dict[str, list[GridRound]]]
"""Rounds by condition and person."""


@dataclass(frozen=True)
class GridSettings:
    """Options of a report: whether to compute tests, which models to fit, and how many people to simulate for each."""

    risky: bool
    tests: bool = True
    fits: FitSettings | None = None
    recovered: int = 0
    seed: int = 1
    lam: float | None = None


@dataclass(frozen=True)
class PersonResults:
    """Results of one person's session, over all rounds and for each condition of rounds."""

    name: str
    subject: str
    payoff: str
    environments: str
    bonus: float
    behavior: Behavior
    by_condition: Mapping[str, Behavior]
    age: float


@dataclass(frozen=True)
class GridGroup:
    """Results of the rounds of one condition; ``over`` has the mean over people of each measure.

    ``random_distance`` is the mean distance of random choices, ``random_outcome`` the mean value of a random click,
    ``random_reward`` what such a click keeps of it, and ``random_reached`` the probability that random choices reach
    each click of the longest horizon. ``fits`` is None if none were asked for.
    """

    name: str
    people: int
    rounds: int
    clicks: int
    over: Mapping[str, OverSubjects]
    random_distance: float
    random_outcome: float
    random_reward: float
    random_reached: Floats
    curves: tuple[Curve, ...]
    binned: tuple[BinnedCurve, ...]
    fits: Fits | None


@dataclass(frozen=True)
class FittedRounds:
    """Rounds of the people to whom a model was fitted, and the same rounds as it plays them with their parameters."""

    people: GridGroup
    model: GridGroup


@dataclass(frozen=True)
class GridResults:
    """Results of all people; ``bonus`` is that of their sessions, without what everybody is paid.

    ``sets`` is the regression on the sets of SafeOpt, of risky sessions. ``fitted_rounds`` are rounds of the risky task
    by condition; empty where the model of `protocols.searching.analysis.fitted_play` was not fitted.
    """

    people: tuple[PersonResults, ...]
    bonus: PerSession
    groups: Mapping[str, GridGroup]
    comparisons: tuple[Comparison, ...]
    sets: MixedLogistic | None
    fits: Fits | None
    fitted_rounds: Mapping[str, FittedRounds]
    recovery: Recovery | None


def results(people: Sequence[GridPerson], settings: GridSettings) -> GridResults:
    """Return the results of people; fits and tests need scipy."""
    own = by_condition(people)
    fits = _fits(people, settings)
    fitted = _fitted_people(fits, people, settings)
    found = tuple(_person(person) for person in people)
    return GridResults(
        found,
        per_session([each.bonus for each in found]),
        {name: _group(name, rounds, people, fits) for name, rounds in own.items()},
        _comparisons(people, settings, fits, fitted) if settings.tests else (),
        _sets(people, settings) if settings.tests and settings.risky else None,
        fits,
        _fitted_rounds(own, by_condition(fitted)),
        _recovery(people, settings),
    )


def by_condition(people: Sequence[GridPerson]) -> Own:
    """Return the rounds that came to their end, by condition and by the person's name."""
    found: Own = {}
    for person in people:
        for each in person.rounds:
            if each.complete and each.clicks:
                found.setdefault(each.condition or "all", {}).setdefault(person.name, []).append(each)
    return {name: found[name] for name in sorted(found)}


def _person(person: GridPerson) -> PersonResults:
    conditions = dict.fromkeys(each.condition or "all" for each in person.rounds)
    return PersonResults(
        person.name,
        person.subject,
        person.payoff,
        person.environments,
        person.bonus,
        behavior(person.rounds),
        {name: behavior([each for each in person.rounds if (each.condition or "all") == name]) for name in conditions},
        person.age,
    )


def _group(
    name: str, rounds: Mapping[str, list[GridRound]], people: Sequence[GridPerson], fits: Fits | None
) -> GridGroup:
    each = [behavior(own) for own in rounds.values()]
    every = [one for own in rounds.values() for one in own]
    horizons = sorted({one.horizon for one in every})
    return GridGroup(
        name,
        len(each),
        len(every),
        sum(one.clicks for one in every),
        {measure: over_subjects([getattr(one, measure) for one in each]) for measure in MEASURES},
        float(np.mean([random_distance(one.grid) for one in every])),
        over_rounds(every, random_outcome),
        over_rounds(every, random_reward),
        np.mean([random_reached(one) for one in every if one.horizon == horizons[-1]], axis=0),
        tuple(curve(list(rounds.values()), horizon) for horizon in horizons),
        tuple(binned(list(rounds.values()), horizon) for horizon in horizons),
        _of_group(fits, {person.name for person in people if person.condition == name}),
    )


def _fits(people: Sequence[GridPerson], settings: GridSettings) -> Fits | None:
    if settings.fits is None:
        return None
    from protocols.searching.analysis.fits import fit_people, fits_of

    found = fit_people(people, settings.fits, risky=settings.risky)
    return fits_of(found) if found else None


def _fitted_people(fits: Fits | None, people: Sequence[GridPerson], settings: GridSettings) -> list[GridPerson]:
    """Return what a fitted model plays with the parameters of people, in the risky bandit."""
    if fits is None or not settings.risky:
        return []
    from protocols.searching.analysis.fitted_play import played

    return played(fits, people, settings.seed)


def _fitted_rounds(own: Own, fitted: Own) -> dict[str, FittedRounds]:
    """Return the groups of the fitted people by condition, with their own choices and with those of the model."""
    return {
        name: FittedRounds(
            _group(name, {person: own[name][person] for person in rounds}, (), None), _group(name, rounds, (), None)
        )
        for name, rounds in fitted.items()
    }


def _of_group(fits: Fits | None, names: set[str]) -> Fits | None:
    """Return the fits of the people whose rounds all have the group's condition."""
    if fits is None:
        return None
    from protocols.searching.analysis.fits import fits_of

    own = [each for each in fits.people if each.person in names]
    return fits_of(own) if own else None


def _comparisons(
    people: Sequence[GridPerson], settings: GridSettings, fits: Fits | None, fitted: Sequence[GridPerson]
) -> tuple[Comparison, ...]:
    from protocols.searching.analysis.comparisons import grid_comparisons
    from protocols.searching.analysis.fit_comparisons import fit_comparisons
    from protocols.searching.analysis.risky_comparisons import risky_comparisons
    from protocols.searching.analysis.risky_fit_comparisons import risky_fit_comparisons

    found = [*(risky_comparisons if settings.risky else grid_comparisons)(people)]
    if fits is not None:
        found += fit_comparisons(fits, people, risky=settings.risky)
        if settings.risky:
            found += risky_fit_comparisons(fits, people, fitted)
    return tuple(each for each in found if each.known)


def _sets(people: Sequence[GridPerson], settings: GridSettings) -> MixedLogistic | None:
    from protocols.searching.analysis.sets_regression import sets_regression

    return sets_regression(people, settings.lam)


def _recovery(people: Sequence[GridPerson], settings: GridSettings) -> Recovery | None:
    if not settings.recovered or settings.fits is None:
        return None
    from protocols.searching.analysis.recovery import recovery

    environments = next((person.environments for person in people if person.environments), "smooth")
    return recovery(settings.recovered, environments, settings.seed, settings.fits)
