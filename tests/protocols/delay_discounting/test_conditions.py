"""Delay discounting's conditions: every one once, both sides as often, and nothing taken by a session that crashed."""

import random
from collections import Counter
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.delay_discounting.conditions import (
    Condition,
    conditions,
    counterbalanced,
    draw_condition,
    other,
)
from protocols.delay_discounting.params import Params
from rig.core.errors import ConfigError
from rig.core.task.random_streams import Stream

EXP1 = {"pool": {"name": "exp1", "ratios": (1, 2, 3, 4, 5), "delays_s": (1, 2, 5, 10, 20, 30)}}
seeds = st.integers(0, 2**32)


def seeded(seed: int | str) -> Stream:
    return Stream(random.Random(seed).random)


def days(params: Params, count: int, seed: int, carried_over: dict[str, Any]) -> tuple[list[Condition], dict[str, Any]]:
    """Draw the conditions of some days in a row, each with a seed of its own."""
    drawn = []
    for day in range(count):
        condition, carried_over = draw_condition(params, carried_over, seeded(f"{seed}/{day}"), seeded(day))
        drawn.append(condition)
    return drawn, carried_over


@given(seeds)
def test_thirty_sessions_begin_with_every_delay_once_and_each_side_fifteen_times(seed: int) -> None:
    drawn, _ = days(Params(), 30, seed, {})
    assert sorted(condition.initial_delay_s for condition in drawn) == list(range(1, 31))
    assert Counter(condition.delayed_side for condition in drawn) == {"left": 15, "right": 15}
    assert {condition.large_pellets for condition in drawn} == {3}


@given(seeds)
def test_experiment_1_is_a_full_factorial_of_ratios_and_delays(seed: int) -> None:
    drawn, _ = days(Params.model_validate(EXP1), 30, seed, {})
    assert len({(condition.large_pellets, condition.initial_delay_s) for condition in drawn}) == 30


@given(seeds, st.integers(1, 12))
def test_a_session_that_crashed_returns_its_draw(seed: int, crashes: int) -> None:
    _, carried_over = days(Params(), 12, seed, {})
    before = repr(carried_over)
    days(Params(), 1, seed + crashes, carried_over)  # and its state is never written
    assert repr(carried_over) == before
    drawn, _ = days(Params(), 18, seed + crashes, carried_over)
    assert len({condition.initial_delay_s for condition in drawn}) == 18


@given(seeds)
def test_a_renewed_pool_is_a_new_permutation(seed: int) -> None:
    params = Params.model_validate({"pool": {"renew": True}})
    drawn, _ = days(params, 60, seed, {})
    halves = [[condition.initial_delay_s for condition in drawn[start : start + 30]] for start in (0, 30)]
    assert sorted(halves[0]) == sorted(halves[1]) == list(range(1, 31))


@given(seeds, st.integers(1, 60), st.integers(1, 5))
def test_sides_are_balanced_and_never_the_same_too_often_in_a_row(seed: int, count: int, run_max: int) -> None:
    sides = counterbalanced(seeded(seed), count, run_max)
    assert len(sides) == count
    assert abs(sides.count("left") - sides.count("right")) == count % 2
    assert max(len(list(run)) for _, run in groupby(sides)) <= run_max


def test_sides_differ_from_seed_to_seed_and_begin_with_either() -> None:
    drawn = [tuple(counterbalanced(seeded(seed), 30, 3)) for seed in range(200)]
    assert len(set(drawn)) > 190
    assert 60 < sum(sides[0] == "left" for sides in drawn) < 140


def test_pools_of_other_names_are_kept_apart() -> None:
    _, carried_over = days(Params(), 3, 1, {"mood": "good"})
    _, carried_over = days(Params.model_validate(EXP1), 2, 1, carried_over)
    assert [len(pool["had"]) for pool in carried_over["pools"].values()] == [3, 2]
    assert carried_over["mood"] == "good"


def test_a_pool_that_has_changed_gives_what_is_new_in_it() -> None:
    small = Params.model_validate({"pool": {"delays_s": (1, 2)}})
    _, carried_over = days(small, 2, 1, {})
    with pytest.raises(ConfigError, match="the subject has had all 2 conditions of the pool 'main'"):
        days(small, 1, 1, carried_over)
    (drawn,), _ = days(Params.model_validate({"pool": {"delays_s": (1, 2, 9)}}), 1, 1, carried_over)
    assert drawn.initial_delay_s == 9


def test_a_delay_that_is_given_takes_nothing_from_the_pool() -> None:
    (drawn,), carried_over = days(Params(initial_delay_s=7, delayed_side="right"), 1, 1, {})
    assert drawn == Condition(3, 7, "right")
    assert carried_over["pools"] == {"main": {}}


def test_conditions_are_the_large_reward_with_every_delay() -> None:
    assert conditions(Params.model_validate({"large_pellets": 2, "pool": {"delays_s": (1, 5)}})) == [(2, 1), (2, 5)]


def test_the_blocked_side_is_the_one_asked_for_or_the_other_than_last_time() -> None:
    (fixed,), _ = days(Params(blocked="left"), 1, 1, {})
    assert fixed == Condition(1, 1, "left", "left")
    drawn, carried_over = days(Params(blocked="alternate"), 4, 1, {})
    sides = [condition.blocked for condition in drawn]
    assert sides == [sides[0], other(sides[0])] * 2
    assert carried_over["blocked_side"] == sides[-1]
