import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.rates import COUNTS, RESAMPLES, count, rates, rates_of, resamples
from rig.analysis.common.subjects import over_subjects
from tests.protocols.two_armed_bandit.made import histories, stack, swapped


def counted(*rows: str, high: list[str] | None = None) -> dict[str, int]:
    return dict(zip(COUNTS, count(stack(*rows, high=high)).sum(axis=0).tolist(), strict=True))


def test_a_session_is_counted() -> None:
    found = counted("LLrrL", high=["LLLRR"])
    assert found == {
        "trials": 5,
        "rewards": 3,
        "high": 3,
        "high_known": 5,
        "rewards_high": 2,
        "left": 3,
        "pairs": 4,
        "switches": 2,
        "after_reward": 2,
        "switches_after_reward": 1,
        "after_none": 2,
        "switches_after_none": 1,
        "flips": 1,
    }


def test_rates_are_pooled_within_sessions() -> None:
    found = counted("Lr", "RRl")
    assert (found["pairs"], found["switches"]) == (3, 2)


def test_where_both_ports_pay_alike_there_is_no_high_port() -> None:
    assert counted("LrL", high=["---"])["high_known"] == 0
    values = rates_of(count(stack("LrL", high=["---"]))[0])
    assert math.isnan(values["p_high"])


@given(histories)
def test_only_the_left_fraction_knows_left_from_right(rows: list[str]) -> None:
    high = ["LR"[place % 2] * len(row) for place, row in enumerate(rows)]
    mine = counted(*rows, high=high)
    theirs = counted(*map(swapped, rows), high=[swapped(row) for row in high])
    left = mine.pop("left")
    assert theirs.pop("left") == mine["trials"] - left
    assert mine == theirs


def test_every_resample_has_as_many_sessions_and_the_same_seed_the_same_ones() -> None:
    drawn = resamples(7, seed=3)
    assert drawn.shape == (RESAMPLES, 7)
    assert set(drawn.sum(axis=1).tolist()) == {7}
    np.testing.assert_array_equal(drawn, resamples(7, seed=3))
    assert (drawn != resamples(7, seed=4)).any()


@given(st.integers(0, 100))
def test_resampled_rates_lie_around_the_rate(seed: int) -> None:
    draw = np.random.default_rng(seed)
    rows = ["".join(draw.choice(list("LLLlRr"), 40)) for _ in range(12)]
    found = rates(count(stack(*rows)), ["m"] * 12, resamples(12, seed))["reward_rate"]
    assert found.low <= found.value <= found.high
    assert found.low < found.value - found.se / 4
    drawn = rates_of(resamples(12, seed) @ count(stack(*rows)))["reward_rate"]
    assert drawn.mean() == pytest.approx(found.value, abs=5 * found.se / math.sqrt(RESAMPLES))
    assert drawn.std(ddof=1) == pytest.approx(found.se)


def test_one_session_has_no_spread() -> None:
    found = rates(count(stack("LLr")), ["m"], resamples(1, 1))["reward_rate"]
    assert found.value == pytest.approx(2 / 3)
    assert all(math.isnan(value) for value in (found.se, found.low, found.high, found.by_subject.sem))


def test_a_subjects_rate_is_over_all_its_trials() -> None:
    found = rates(count(stack("LLLL", "l", "ll", "L")), ["a", "a", "b", "c"], resamples(4, 1))["reward_rate"]
    assert found.by_subject.n == 3
    assert found.by_subject.mean == pytest.approx((0.8 + 0 + 1) / 3)
    assert found.by_subject.sem == pytest.approx(np.std([0.8, 0, 1], ddof=1) / math.sqrt(3))


def test_two_sessions_have_no_error() -> None:
    found = rates(count(stack("LLLL", "l")), ["a", "b"], resamples(2, 1))["reward_rate"]
    assert found.value == pytest.approx(0.8)
    assert all(math.isnan(value) for value in (found.se, found.low, found.high, found.by_subject.sem))


def test_sessions_spread_by_their_own_rates_however_many_trials_they_have() -> None:
    found = rates(count(stack("LLLL", "l", "Ll")), ["a", "a", "a"], resamples(3, 1))["reward_rate"]
    assert found.value == pytest.approx(5 / 7)
    assert (found.by_session.mean, found.by_session.sd) == (0.5, 0.5)


def test_subjects_of_whom_nothing_is_known_are_not_counted() -> None:
    found = over_subjects([1.0, math.nan, 3.0, 2.0])
    assert (found.n, found.mean, found.sem) == (3, 2.0, pytest.approx(1 / math.sqrt(3)))
    assert (found.least, found.most) == (1.0, 3.0)
    assert math.isnan(over_subjects([math.nan]).least)
