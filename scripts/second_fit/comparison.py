"""The program's fits beside the second ones, and both beside the published ones."""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from protocols.searching.analysis.fits import FitSettings, PersonFit, fit_people
from protocols.searching.analysis.public import of_file
from protocols.searching.grids.reward_scales import PERCENT
from rig.analysis.common.jobs import Job, run_jobs
from rig.analysis.common.progress import shown
from rig.core.errors import ConfigError
from scripts.second_fit.rounds import Published, digest_of, r_squared, read_people
from scripts.second_fit.search import VERSION, SecondFit, Work, fit_person

TOLERANCE = 0.02


class Comparison:
    """The rounds of some people of a table, fitted by the program and by the second fit."""

    def __init__(self, options: argparse.Namespace) -> None:
        """Read the table and draw the people. Raises ``ConfigError`` if the range of its rewards is in doubt."""
        self._options = options
        self._visit = of_file(options.table, options.range)
        if self._visit.doubt:
            raise ConfigError(self._visit.doubt)
        low, high = options.range or PERCENT
        self._size, everybody = read_people(options.table, low, high)
        if len({len(own.chosen) for rounds in everybody.values() for own in rounds}) > 1:
            raise ConfigError(f"{options.table}: has rounds of several lengths: wanted one, as all are fitted together")
        names = sorted(everybody)
        count = min(options.people or len(names), len(names))
        chosen = set(random.Random(options.seed).sample(names, count))
        self._people = {name: rounds for name, rounds in everybody.items() if name in chosen}
        tiles = " x ".join(map(str, self._size))
        self._heading = f"{count} of {len(names)} people, {tiles} tiles, rewards {low:g} to {high:g}"

    def lines(self, published: Mapping[str, Sequence[Published]] | None) -> Iterator[str]:
        """Yield all comparisons."""
        yield self._heading
        for model in self._options.models:
            yield from self._program_lines(model)
        if published is not None:
            yield from self._published_lines(published)

    def _program(self, model: str) -> dict[str, PersonFit]:
        """Return the fits of the program, by the person's id."""
        people = [person for person in self._visit.people if person.subject in self._people]
        subjects = {person.name: person.subject for person in people}
        settings = FitSettings((model,), self._options.jobs, self._options.fits)
        return {subjects[fit.person]: fit for fit in fit_people(people, settings, risky=False)}

    def _second(self, model: str, rules: str) -> dict[str, dict[str, Any]]:
        """Return the second fits, by the person's id."""
        names = {f"second {VERSION} {model} {rules} {digest_of(rounds)}": name for name, rounds in self._people.items()}
        jobs = [Job(key, Work(model, rules, self._size, self._people[name])) for key, name in names.items()]
        results = run_jobs(fit_person, jobs, self._options.jobs, self._options.fits)
        return {names[key]: kept for key, kept in shown(results, len(jobs), f"second fits of {model} by {rules}")}

    def _r2(self, fits: Mapping[str, Mapping[str, Any]]) -> dict[str, float]:
        """Return R² of each person."""
        return {name: r_squared(fit["ll"], self._people[name], self._size) for name, fit in fits.items()}

    def _program_lines(self, model: str) -> Iterator[str]:
        """Yield how the program and the second fit compare."""
        program, second = self._program(model), self._second(model, "wu_2017")
        of_program = {name: fit.r2 for name, fit in program.items()}
        yield difference(f"{model}: program, second fit", of_program, self._r2(second))
        gains = [gain for name, fit in program.items() for gain in self._gains(model, fit, name, second[name])]
        yield (
            f"{model}: training likelihood of {len(gains)} folds: by more than 1 larger in the second fit "
            f"{sum(gain > 1 for gain in gains)}, in the program {sum(gain < -1 for gain in gains)}"
        )

    def _gains(self, model: str, fit: PersonFit, name: str, second: Mapping[str, Any]) -> Iterator[float]:
        """Yield by how much the training likelihood of each fold is larger at the parameters of the second fit."""
        rounds = self._people[name]
        likelihood = SecondFit(Work(model, "wu_2017", self._size, rounds))
        for left_out, fold in enumerate(fit.folds):
            at = [math.log(fold.parameters.get(parameter, 1.0)) for parameter in ("lambda", "beta", "tau")]
            places = [place for place in range(len(rounds)) if place != left_out]
            yield likelihood.loss(places, *at) - likelihood.loss(places, *second["log_parameters"][left_out])

    def _published_lines(self, published: Mapping[str, Sequence[Published]]) -> Iterator[str]:
        """Yield how the second fit compares with the published folds of gp_ucb, by the rules of their code."""
        if missing := sorted(set(self._people) - set(published)):
            raise ConfigError(f"--published: has no person {', '.join(missing)}: wanted the fits of this table")
        theirs, again = {}, {}
        for name, rounds in self._people.items():
            likelihood = SecondFit(Work("gp_ucb", "schulz_2019", self._size, rounds))
            folds = published[name]
            theirs[name] = r_squared([fold.ll for fold in folds], rounds, self._size)
            lls = [likelihood.log_likelihood(place, *fold.at) for place, fold in enumerate(folds)]
            again[name] = r_squared(lls, rounds, self._size)
        own_rules, wu = self._r2(self._second("gp_ucb", "schulz_2019")), self._r2(self._second("gp_ucb", "wu_2017"))
        yield difference("published, at the published parameters", theirs, again)
        yield difference("published, second fit by their rules", theirs, own_rules)
        yield difference("second fit by their rules, by those of Wu 2017", own_rules, wu)
        yield difference("published, second fit by the rules of Wu 2017", theirs, wu)


def difference(name: str, first: Mapping[str, float], second: Mapping[str, float]) -> str:
    """Return a line that compares the R² of the same people."""
    both = np.array([(first[person], second[person]) for person in first])
    apart = both[:, 1] - both[:, 0]
    return (
        f"{name}: mean R² {both[:, 0].mean():.4f} and {both[:, 1].mean():.4f}, difference {apart.mean():+.4f} (SD "
        f"{apart.std():.4f}, largest {np.abs(apart).max():.4f}); within {TOLERANCE:g} in "
        f"{int((np.abs(apart) <= TOLERANCE).sum())} of {len(both)}"
    )
