"""Fits of models to people: McFadden's R² of cross-validated predictions, and the parameters. Needs scipy."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from protocols.searching.analysis.cross_validation import Fold, Problem, cross_validate
from protocols.searching.analysis.fit_problems import problems
from protocols.searching.analysis.rounds import GridPerson
from rig.analysis.common.arrays import Floats, mean
from rig.analysis.common.jobs import Job, Kept, run_jobs
from rig.analysis.common.progress import shown
from rig.analysis.common.subjects import OverSubjects, over_subjects
from rig.analysis.common.t_tests import TTest, paired
from rig.core.errors import ConfigError

VERSION = 2
"""Part of the key of a kept fit; to be raised when the same data would get another result."""


@dataclass(frozen=True)
class FitSettings:
    """Which models are fitted, in how many processes (0: in this one), and the file that keeps the results."""

    models: tuple[str, ...]
    processes: int = 0
    file: Path | None = None


@dataclass(frozen=True)
class PersonFit:
    """One model for one person: ``r2`` = 1 - LL / LL of random choices, over the predicted clicks.

    ``parameters`` are the medians over the folds.
    """

    person: str
    model: str
    clicks: int
    ll: float
    r2: float
    r2_of_block: Mapping[str, float]
    parameters: Mapping[str, float]
    folds: tuple[Fold, ...]

    def of_block(self, block: str) -> Mapping[str, float]:
        """Return the medians over the folds of a block; over all folds if it has none."""
        own = [fold for fold in self.folds if fold.block == block] or self.folds
        return {name: _median([fold.parameters[name] for fold in own]) for name in self.parameters}


@dataclass(frozen=True)
class ModelFit:
    """One model over people; ``best`` counts those whom it predicts best of all models that were fitted."""

    model: str
    r2: OverSubjects
    best: int
    medians: Mapping[str, float]
    against_best: TTest | None


@dataclass(frozen=True)
class Fits:
    """The fits of the people of a group; ``order`` names the models, the best first."""

    models: tuple[ModelFit, ...]
    people: tuple[PersonFit, ...]

    def of(self, model: str) -> list[PersonFit]:
        """Return the fits of one model."""
        return [each for each in self.people if each.model == model]


def fit_people(people: Sequence[GridPerson], settings: FitSettings, *, risky: bool) -> list[PersonFit]:
    """Fit all models to all people; a fit that the file has is taken from there."""
    named: dict[str, tuple[str, Problem]] = {}
    for person in people:
        for problem in problems(person, settings.models, risky=risky):
            named[_key(person, problem)] = (person.name, problem)
    work = [Job(key, problem) for key, (_, problem) in named.items()]
    done = shown(run_jobs(_fit, work, settings.processes, settings.file), len(work), "fits of models to people")
    results = dict(done)
    return [found for key, (name, problem) in named.items() if (found := _person_fit(name, problem, results[key]))]


def _fit(problem: Problem) -> Kept:
    return {"folds": [asdict(fold) for fold in cross_validate(problem)]}


def _key(person: GridPerson, problem: Problem) -> str:
    """Return the model's name with a digest of all that decides the fit."""
    digest = hashlib.sha256(f"{VERSION} {problem.grid} {problem.rules} {person.name}".encode())
    for own in problem.rounds:
        digest.update(f"{own.block} {own.threshold}".encode())
        for values in (own.seen, own.values, own.chosen):
            digest.update(np.ascontiguousarray(values, float).tobytes())
    return f"{problem.model.name} {digest.hexdigest()[:32]}"


def _person_fit(name: str, problem: Problem, kept: Kept) -> PersonFit | None:
    folds = _folds(name, problem, kept)
    if not folds:
        return None
    tiles, clicks = problem.grid.count, sum(fold.clicks for fold in folds)
    ll = sum(fold.ll for fold in folds)
    blocks = dict.fromkeys(fold.block for fold in folds)
    return PersonFit(
        name,
        problem.model.name,
        clicks,
        ll,
        r_squared(ll, clicks, tiles),
        {
            block: r_squared(
                sum(fold.ll for fold in folds if fold.block == block),
                sum(fold.clicks for fold in folds if fold.block == block),
                tiles,
            )
            for block in blocks
        },
        {each: _median([fold.parameters[each] for fold in folds]) for each in problem.model.parameters},
        folds,
    )


def _folds(name: str, problem: Problem, kept: Kept) -> tuple[Fold, ...]:
    """Return the folds of a fit, which may come from a file that a person changed. Raises ``ConfigError``."""
    try:
        folds = tuple(Fold(**fold) for fold in kept["folds"])
        for fold in folds:
            numbers = (fold.clicks, fold.ll, *(fold.parameters[each] for each in problem.model.parameters))
            if not all(isinstance(number, int | float) for number in numbers):
                raise TypeError
    except (TypeError, KeyError):
        raise ConfigError(
            f"--fits: the fit of {problem.model.name} to {name} is not one of this program: wanted another file"
        ) from None
    return folds


def r_squared(ll: float, clicks: int, tiles: int) -> float:
    """Return McFadden's R²: 1 - LL / LL of a random choice among all tiles; NaN without a choice."""
    return 1 - ll / (-clicks * math.log(tiles)) if clicks and tiles > 1 else math.nan


def fits_of(found: Sequence[PersonFit]) -> Fits:
    """Return the fits of a group of people, with the models in order of their mean R²."""
    names = list(dict.fromkeys(each.model for each in found))
    people = list(dict.fromkeys(each.person for each in found))
    by_key = {(each.person, each.model): each for each in found}
    r2 = {
        model: np.array([by_key[person, model].r2 if (person, model) in by_key else math.nan for person in people])
        for model in names
    }
    order = sorted(names, key=lambda model: -mean(r2[model]))
    winners = [max(names, key=lambda model: _rank(r2[model][place])) for place in range(len(people))]
    models = tuple(
        ModelFit(
            model,
            over_subjects(r2[model]),
            winners.count(model),
            dict(_medians([each for each in found if each.model == model])),
            paired(r2[order[0]], r2[model]) if model != order[0] else None,
        )
        for model in order
    )
    return Fits(models, tuple(found))


def _rank(value: float) -> float:
    return value if math.isfinite(value) else -math.inf


def _medians(found: Sequence[PersonFit]) -> Iterator[tuple[str, float]]:
    for name in found[0].parameters:
        yield name, _median([each.parameters[name] for each in found])


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


def parameter(found: Sequence[PersonFit], name: str) -> Floats:
    """Return one parameter of all people."""
    return np.array([each.parameters[name] for each in found])


def plain_fit(each: PersonFit) -> dict[str, object]:
    """Return a fit as data for JSON."""
    return asdict(each)
