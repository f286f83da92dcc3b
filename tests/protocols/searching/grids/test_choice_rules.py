from statistics import NormalDist
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocols.searching.grids.choice_rules import (
    Neighborhood,
    draw_tile,
    local_search_values,
    near,
    nonnegative,
    probability_above,
    scaled,
    softmax,
    strategy_values,
    win_stay_values,
)
from protocols.searching.grids.places import Grid

GRID = Grid(3, 3)
MEAN, SD = np.array([0.5, -0.2, 0.0]), np.array([0.1, 1.0, 0.5])


def test_strategies_value_means_and_uncertainties() -> None:
    assert strategy_values("vg", MEAN, SD).tolist() == SD.tolist()
    assert strategy_values("mg", MEAN, SD).tolist() == MEAN.tolist()
    assert strategy_values("ucb", MEAN, SD, beta=2).tolist() == pytest.approx([0.7, 1.8, 1.0])
    assert strategy_values("lcb", MEAN, SD, beta=2).tolist() == pytest.approx([0.3, -2.2, -1.0])
    expected = [NormalDist(mean, sd).cdf(2 * mean - 0.1) for mean, sd in zip(MEAN, SD, strict=True)]
    assert strategy_values("pos", MEAN, SD, threshold=0.1).tolist() == pytest.approx(expected)
    assert strategy_values("poi", MEAN, SD, best=0.1).tolist() == pytest.approx(expected)


def test_a_certain_tile_is_above_a_level_or_not() -> None:
    assert probability_above(np.array([1.0, -1.0, 0.0]), np.zeros(3), 0.0).tolist() == [1, 0, 0.5]


def test_levels_of_trials_go_with_the_axis_before_the_tiles() -> None:
    mean, sd = np.stack([MEAN, MEAN]), np.stack([SD, SD])
    both = strategy_values("poi", mean, sd, best=[0.1, 0.4])
    assert both[1].tolist() == strategy_values("poi", MEAN, SD, best=0.4).tolist()


def test_negative_values_become_a_hundredth() -> None:
    assert nonnegative(np.array([-3.0, 0.0, 0.005, 2.0])).tolist() == [0.01, 0, 0.005, 2]


def test_near_tiles_keep_their_value() -> None:
    values = near(np.ones((2, 9)), GRID, [0, 4])
    assert values[0].tolist() == pytest.approx([1, 1, 1 / 2, 1, 1 / 2, 1 / 3, 1 / 2, 1 / 3, 1 / 4])
    assert values[1, 4] == values[1, 1] == 1
    assert np.array_equal(local_search_values(GRID, [0, 4]), values)


def test_values_are_scaled_by_trial_or_by_round() -> None:
    values = np.array([[1.0, 2.0], [4.0, 1.0]])
    assert scaled(values).tolist() == [[0.5, 1], [1, 0.25]]
    assert scaled(values, per="round").tolist() == [[0.25, 0.5], [1, 0.25]]


@settings(max_examples=30)
@given(st.lists(st.floats(-5, 0), min_size=1, max_size=5))
def test_values_without_a_positive_one_are_not_scaled(values: list[float]) -> None:
    assert scaled(np.array(values)).tolist() == values


@settings(max_examples=30)
@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.floats(1e-3, 100))
def test_probabilities_sum_to_one_and_follow_the_values(values: list[float], tau: float) -> None:
    chances = softmax(np.array(values), tau)
    assert chances.sum() == pytest.approx(1)
    order = np.argsort(values)
    assert np.all(np.diff(chances[order]) >= -1e-12)


def test_win_stay_lose_shift_stays_after_a_win_and_shifts_after_a_loss() -> None:
    allowed = win_stay_values(GRID, tiles=[4, 0, 8], rewards=[10, 5, 10])
    assert np.flatnonzero(allowed[0]).tolist() == [1, 3, 4, 5, 7]  # the first is a win
    assert np.flatnonzero(allowed[1]).tolist() == [1, 2, 3, 5, 6, 7, 8]  # a loss: all hidden tiles
    assert np.flatnonzero(allowed[2]).tolist() == [5, 7, 8]  # as good as the best: a win


@pytest.mark.parametrize(("neighborhood", "count"), list(zip(get_args(Neighborhood), (5, 9), strict=True)))
def test_the_paper_and_the_code_have_other_neighbors(neighborhood: Neighborhood, count: int) -> None:
    assert win_stay_values(GRID, [4], [1], neighborhood).sum() == count


def test_a_loss_with_no_hidden_tile_left_allows_all() -> None:
    assert win_stay_values(Grid(2), [0, 1], [2, 1])[1].tolist() == [1, 1]


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6).filter(lambda p: sum(p) > 1e-3), st.floats(0, 0.999999))
def test_a_tile_without_probability_is_not_drawn(weights: list[float], u: float) -> None:
    assert weights[draw_tile(np.array(weights), u)] > 0


def test_tiles_are_drawn_in_proportion() -> None:
    drawn = [draw_tile(np.array([0.2, 0.0, 0.8]), (number + 0.5) / 1000) for number in range(1000)]
    assert [drawn.count(tile) for tile in range(3)] == [200, 0, 800]
