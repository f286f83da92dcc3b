"""Measures of search without a model."""

import itertools

import numpy as np
import pytest

from protocols.searching.analysis.behavior import behavior, binned, by_trial, curve, distances, random_distance
from protocols.searching.grids.places import Grid
from tests.protocols.searching.analysis.made import made_round, risky_round


def test_the_measures_of_a_round_by_hand() -> None:
    # On 5 x 5: (0, 0) is revealed, then (1, 0), (1, 0) again, (4, 4) and (0, 0).
    found = behavior([made_round([0, 1, 1, 24, 0], [10, 20, 30, 5, 15])])
    assert (found.rounds, found.clicks, found.survived, found.full) == (1, 4, 4, 1)
    assert (found.reward, found.score, found.largest) == (17.5, 17.5, 30)
    assert (found.unique, found.repeats) == (3, 2)
    assert found.distance == pytest.approx((1 + 0 + 7 + 8) / 4)
    assert found.variance == pytest.approx(np.var([1, 1, 4, 0], ddof=1) + np.var([0, 0, 4, 0], ddof=1))
    assert found.interval_s == 1.5


def test_a_lost_click_counts_as_nothing_and_so_do_those_not_made() -> None:
    found = behavior([risky_round([10, 11, 12], [6, 8, 2], threshold=5.0)])
    assert found.reward == 4.0
    assert found.score == 0.8
    assert (found.survived, found.full) == (2, 0)
    assert found.largest == 8


def test_a_round_that_was_left_is_in_no_mean() -> None:
    found = behavior([made_round([0, 1], [10, 20]), made_round([0, 1], [10, 90], end="left")])
    assert (found.rounds, found.reward) == (1, 20)


@pytest.mark.parametrize("grid", [Grid(21), Grid(11, 11), Grid(3, 4)])
def test_the_distance_of_random_choices_is_the_mean_of_all_pairs(grid: Grid) -> None:
    pairs = itertools.product(range(grid.count), repeat=2)
    assert random_distance(grid) == pytest.approx(np.mean([grid.manhattan[pair] for pair in pairs]))


def test_trials_not_reached_are_left_out_of_the_curves() -> None:
    rounds = [
        risky_round([10, 11], [6, 2], 5.0, horizon=3),
        risky_round([10, 11, 12, 13], [8, 8, 8, 8], 5.0, horizon=3),
    ]
    reward, largest, reached = by_trial(rounds, 3)
    assert reward.tolist() == [7, 5, 8, 8]
    assert largest.tolist() == [7, 7, 8, 8]
    assert reached.tolist() == [1, 1, 0.5, 0.5]


def test_a_curve_has_the_means_over_people() -> None:
    people = [[made_round([0, 1, 2], [0, 10, 20])], [made_round([0, 1, 2], [0, 30, 20])]] * 2
    found = curve(people, 2)
    assert (found.people, found.trial.tolist()) == (4, [1, 2, 3])
    assert found.reward.tolist() == [0, 20, 20]
    assert found.largest.tolist() == [0, 20, 25]
    assert binned(people, 2).reward.tolist() == [20]
    assert distances(people[0][0]).tolist() == [1, 1]


def test_the_peak_of_a_curve_is_the_middle_of_its_best_bin() -> None:
    rising = [made_round(range(9), [0, 1, 2, 3, 4, 5, 6, 7, 8])]
    falling = [made_round(range(9), [8, 7, 6, 5, 4, 3, 2, 1, 0])]
    assert binned([rising], 8).peak == 7  # of the clicks 6, 7 and 8
    assert binned([falling], 8).peak == 3
