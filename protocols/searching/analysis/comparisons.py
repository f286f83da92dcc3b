"""Tests of Wu et al. 2017: between conditions and horizons, over trials and over rounds. Needs scipy.

A t test has one value for each person. A correlation over trials (or rounds) has one pair for each person and trial
(round): the person's mean over rounds (trials). One of "means over people" has one pair for each trial (round). Those
of Wu et al. 2017 are of this kind: r = .32 has p = .04 there, as of the 41 trials of a long round, and r = -.37 is not
significant, as of eight rounds. A slope over rounds has one value for each person: it finds what eight means hide.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from protocols.searching.analysis.behavior import behavior, by_trial, distances
from protocols.searching.analysis.rounds import GridPerson, GridRound
from rig.analysis.common.arrays import Floats, mean
from rig.analysis.common.sign_test import SignTest
from rig.analysis.common.t_tests import Pearson, TTest, one_sample, paired, pearson, two_sample

Filter = Callable[[GridRound], bool]


@dataclass(frozen=True)
class Comparison:
    """One test by its name: a t test, a correlation or a sign test. It is left out where there are too few people."""

    name: str
    t_test: TTest | None = None
    correlation: Pearson | None = None
    sign_test: SignTest | None = None

    @property
    def known(self) -> bool:
        """Whether there is a test."""
        return (self.t_test or self.correlation or self.sign_test) is not None


def grid_comparisons(people: Sequence[GridPerson]) -> Iterator[Comparison]:
    """Yield the tests of Wu et al. 2017."""
    yield from _correlations(people, ("reward", "largest"))
    for measure in ("reward", "largest"):
        yield from _t(f"{measure}: slope over rounds", one_sample([_slope(each, measure) for each in people], 0.0))
    payoffs = [[each for each in people if each.payoff == word] for word in ("average", "maximum")]
    for measure in ("variance", "reward", "largest", "unique"):
        yield from _t(f"{measure}: average - maximum", two_sample(*(values_of(each, measure) for each in payoffs)))
    classes = [[each for each in people if each.environments == word] for word in ("smooth", "rough")]
    for measure in ("reward", "largest"):
        yield from _t(f"{measure}: smooth - rough", two_sample(*(values_of(each, measure) for each in classes)))
    horizons = sorted({each.horizon for person in people for each in person.rounds})
    if len(horizons) > 1:
        long, short = (_with_horizon(horizon) for horizon in (horizons[-1], horizons[0]))
        for measure in ("reward", "largest"):
            tested = paired(values_of(people, measure, long), values_of(people, measure, short))
            yield from _t(f"{measure}: long - short horizon", tested)
        yield from _unpaired_horizons(people, long, short)


def _unpaired_horizons(people: Sequence[GridPerson], long: Filter, short: Filter) -> Iterator[Comparison]:
    """Yield the tests of horizons as Wu et al. 2017 print them, with rounds of one person in both of two groups.

    Its degrees of freedom say so: t(158) for 80 people, and t(80) for the 41 with the payoff average.
    """
    average = [each for each in people if each.payoff == "average"]
    for measure, own, of in (("reward", average, "payoff average, "), ("largest", people, "")):
        tested = two_sample(values_of(own, measure, long), values_of(own, measure, short))
        yield from _t(f"{measure}: long - short horizon, {of}as two groups", tested)


def _correlations(people: Sequence[GridPerson], measures: Sequence[str]) -> Iterator[Comparison]:
    horizon = max((each.horizon for person in people for each in person.rounds), default=0)
    ended = [[each for each in person.rounds if each.complete and each.clicks] for person in people]
    curves = [by_trial(rounds, horizon) for rounds in ended if rounds]
    for place, measure in enumerate(("reward", "largest")):
        if measure in measures:
            values = np.array([each[place] for each in curves])
            trials = np.broadcast_to(np.arange(1.0, horizon + 2), values.shape)
            yield from _both(f"{measure} and trial", trials.ravel(), values.ravel())
    for measure in measures:
        pairs = [(each.number, getattr(behavior([each]), measure)) for rounds in ended for each in rounds]
        yield from _both(f"{measure} and round", *np.array(pairs, float).reshape(-1, 2).T)
    steps = [(place, step) for rounds in ended for each in rounds for place, step in enumerate(distances(each))]
    yield from _r("distance and trial", pearson(*np.array(steps, float).reshape(-1, 2).T))


def _both(name: str, at: Floats, values: Floats) -> Iterator[Comparison]:
    """Yield the correlation of all pairs, and that of the means of all pairs at the same place."""
    yield from _r(name, pearson(at, values))
    places = np.unique(at)
    yield from _r(f"{name}, means over people", pearson(places, [mean(values[at == place]) for place in places]))


def _slope(person: GridPerson, measure: str) -> float:
    """Return how much a measure grows from one round to the next, by least squares; NaN with fewer than two rounds."""
    ended = [each for each in person.rounds if each.complete and each.clicks]
    if len(ended) < 2:
        return math.nan
    values = [getattr(behavior([each]), measure) for each in ended]
    return float(np.polyfit([each.number for each in ended], values, 1)[0])


def values_of(people: Sequence[GridPerson], measure: str, keep: Filter = lambda each: True) -> Floats:
    """Return one value for each person; NaN for a person without such rounds."""
    return np.array(
        [getattr(behavior([each for each in person.rounds if keep(each)]), measure) for person in people], float
    )


def _with_horizon(horizon: int) -> Filter:
    return lambda each: each.horizon == horizon


def _t(name: str, found: TTest | None) -> Iterator[Comparison]:
    if found is not None:
        yield Comparison(name, t_test=found)


def _r(name: str, found: Pearson | None) -> Iterator[Comparison]:
    if found is not None:
        yield Comparison(name, correlation=found)
