"""Tests of Schulz et al. 2018: against random choices, between risky and safe rounds, over trials. Needs scipy.

The score of a round is its mean reward per planned click, and pays: a reward below the line counts as 0, and so do the
clicks that are lost with the round. The *gain* of a round is the mean reward of the clicks that were kept. The two
differ in risky rounds alone. The paper calls both a score. Its tests of experiment 2 must be of gains: people who lose
as many clicks as its people do cannot have higher scores in risky grids than in safe ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from protocols.searching.analysis.behavior import distances, random_distance
from protocols.searching.analysis.comparisons import Comparison, values_of
from protocols.searching.analysis.random_choices import (
    over_rounds,
    random_clicks,
    random_outcome,
    random_reward,
    share_below,
)
from protocols.searching.analysis.rounds import GridPerson, GridRound
from rig.analysis.common.arrays import Floats, mean
from rig.analysis.common.t_tests import one_sample, paired, pearson

OfRound = Callable[[GridRound], float]
OfClicks = Callable[[GridRound], Floats]


def risky_comparisons(people: Sequence[GridPerson]) -> Iterator[Comparison]:
    """Yield the tests of the paper that need no fit."""
    risky, safe = ([_ended(person, risky=kind) for person in people] for kind in (True, False))
    every = [[*first, *second] for first, second in zip(risky, safe, strict=True)]
    yield from _against_random_choices(people, every, risky)
    yield from _between_kinds(risky, safe)
    yield from _first_clicks(risky, safe)
    yield from _with_risk(risky)
    for name, of_clicks in (("reward", _values), ("distance", distances)):
        for kind, rounds in (("", every), (", risky rounds", risky), (", safe rounds", safe)):
            own = [_correlation(each, of_clicks) for each in rounds]
            yield Comparison(f"{name} and trial, r of each person{kind}", t_test=one_sample(own, 0.0))


def _values(each: GridRound) -> Floats:
    """Return the values of the clicks, forgone or not; shape (clicks,)."""
    return each.drawn[1:]


def _gain(each: GridRound) -> float:
    """Return the mean reward of the clicks that were kept; NaN without one."""
    return mean(each.drawn[1:][each.kept[1:]])


def _against_random_choices(
    people: Sequence[GridPerson], every: Sequence[Sequence[GridRound]], risky: Sequence[Sequence[GridRound]]
) -> Iterator[Comparison]:
    """Yield tests of score, gain, distance and clicks; the first two against a single random click."""
    scores = values_of(people, "score")
    yield Comparison("score: people - a random click", t_test=paired(scores, _means(every, random_reward)))
    chance = _means(every, random_outcome)
    yield Comparison("gain: people - a random click", t_test=paired(_means(every, _gain), chance))
    away = values_of(people, "distance") - np.array([random_distance(person.rounds[0].grid) for person in people])
    yield Comparison("distance: people - random choices", t_test=one_sample(away, 0.0))
    clicks = paired(_means(risky, _clicks), _means(risky, random_clicks))
    yield Comparison("clicks of risky rounds: people - random choices", t_test=clicks)


def _between_kinds(risky: Sequence[Sequence[GridRound]], safe: Sequence[Sequence[GridRound]]) -> Iterator[Comparison]:
    measures: tuple[tuple[str, OfRound], ...] = (("score", _score), ("gain", _gain), ("distance", _distance))
    for name, of_round in measures:
        tested = paired(_means(risky, of_round), _means(safe, of_round))
        yield Comparison(f"{name}: risky - safe rounds", t_test=tested)


def _first_clicks(risky: Sequence[Sequence[GridRound]], safe: Sequence[Sequence[GridRound]]) -> Iterator[Comparison]:
    """Yield tests of the value of the first click against that of the revealed tile."""
    for kind, rounds in (("risky", risky), ("safe", safe)):
        change = _means(rounds, lambda each: float(each.drawn[1] - each.drawn[0]))
        yield Comparison(f"value: first click - revealed tile, {kind} rounds", t_test=one_sample(change, 0.0))


def _with_risk(risky: Sequence[Sequence[GridRound]]) -> Iterator[Comparison]:
    """Yield the correlations of score and distance with the share of tiles below the line, over people."""
    risk = _means(risky, share_below)
    for name, of_round in (("score", _score), ("distance", _distance)):
        found = pearson(risk, _means(risky, of_round))
        yield Comparison(f"{name} and share of tiles below the line", correlation=found)


def _ended(person: GridPerson, *, risky: bool) -> list[GridRound]:
    """Return the rounds of one kind that came to their end."""
    return [each for each in person.rounds if each.risky == risky and each.complete and each.clicks]


def _means(rounds: Sequence[Sequence[GridRound]], of_round: OfRound) -> Floats:
    """Return the mean over each person's rounds; NaN for a person without."""
    return np.array([over_rounds(own, of_round) for own in rounds])


def _correlation(rounds: Sequence[GridRound], of_clicks: OfClicks) -> float:
    """Return a person's own r with the trial, over all clicks of the rounds; NaN where there is none."""
    if not rounds:
        return float("nan")
    trials = np.concatenate([np.arange(1, each.clicks + 1) for each in rounds])
    found = pearson(trials, np.concatenate([of_clicks(each) for each in rounds]))
    return float("nan") if found is None else found.r


def _score(each: GridRound) -> float:
    return float(each.reward.sum()) / each.horizon


def _distance(each: GridRound) -> float:
    return float(distances(each).mean())


def _clicks(each: GridRound) -> float:
    return float(each.clicks)
