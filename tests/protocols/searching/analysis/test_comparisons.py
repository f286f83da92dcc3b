"""Tests of the papers on made people."""

import pytest

from protocols.searching.analysis.comparisons import Comparison, grid_comparisons
from protocols.searching.analysis.rounds import GridPerson
from tests.protocols.searching.analysis.made import made_round, person


def named(people: list[GridPerson]) -> dict[str, Comparison]:
    return {each.name: each for each in grid_comparisons(people)}


def learner(number: int, gain: float) -> GridPerson:
    """A person who earns ``gain`` more in each round, and a little more than the person before."""
    rounds = (made_round([0, 1, 2], [5, 10 + number + gain * later, 10 + number + gain * later]) for later in range(8))
    return person(*rounds, name=f"P{number}")


def test_people_who_learn_over_rounds_have_a_slope() -> None:
    found = named([learner(number, 2 + 0.1 * number) for number in range(5)])
    slope = found["reward: slope over rounds"].t_test
    assert slope is not None
    assert (slope.n, slope.difference) == ((5,), pytest.approx(2.2))


def test_a_correlation_of_means_over_people_has_one_pair_for_each_trial() -> None:
    found = named([learner(number, 0) for number in range(5)])
    pairs, means = (found[name].correlation for name in ("reward and trial", "reward and trial, means over people"))
    assert pairs is not None
    assert means is not None
    assert (pairs.n, means.n) == (15, 3)
    assert means.r > pairs.r
