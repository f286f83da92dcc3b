import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.analysis.blocks import (
    around_flip,
    block_trial,
    by_block_trial,
    observed,
    recovery,
    since_flip,
    tau,
    until_flip,
)
from protocols.two_armed_bandit.analysis.rates import resamples
from protocols.two_armed_bandit.analysis.stack import Stack
from tests.protocols.two_armed_bandit.made import session, stack


def test_trials_are_counted_from_the_last_swap_and_to_the_next() -> None:
    made = stack("L" * 7, high=["LLRRRLL"])
    assert since_flip(made)[0][2:].tolist() == [0, 1, 2, 0, 1]
    assert (since_flip(made)[0][:2] < -1000).all()
    assert until_flip(made)[0][:5].tolist() == [-2, -1, -3, -2, -1]
    assert (until_flip(made)[0][5:] < -1000).all()


def test_positions_never_leave_their_session() -> None:
    made = stack("LLL", "LLLL", high=["LRR", "LLLL"])
    assert since_flip(made)[0].tolist()[1:3] == [0, 1]
    assert since_flip(made)[0][3] < -1000
    assert (since_flip(made)[1] < -1000).all()


def test_the_authors_count_the_first_block_from_1_and_see_it_from_trial_11() -> None:
    made = stack("L" * 14, high=["L" * 12 + "RR"])
    assert [value for value in block_trial(made)[0] if value >= 0] == [11, 12, 0, 1]


def test_the_authors_count_does_not_depend_on_dropped_trials() -> None:
    whole = session("L" * 14, "L" * 12 + "RR")
    cut = Stack.of([whole.without_first(10)])
    assert block_trial(cut)[0].tolist() == [11, 12, 0, 1]


def test_the_errors_of_a_curve_are_those_of_resampled_sessions() -> None:
    made = stack("LLLLL", "LLLRR", "LLLLL", "LLLRR", high=["LLRRR"] * 4)
    curve = around_flip(made, observed(made), resamples(4, seed=1, count=4000))
    # At the second trial after the swap half of the sessions chose the high port: a binomial error of four.
    after = curve.position.tolist().index(1)
    assert curve.p_high[after] == 0.5
    assert curve.p_high_se[after] == pytest.approx(0.25, rel=0.05)


def test_a_curve_of_two_sessions_has_no_errors() -> None:
    made = stack("LLLLL", "LLLRR", high=["LLRRR"] * 2)
    assert np.isnan(around_flip(made, observed(made), resamples(2, seed=1)).p_high_se).all()


def test_a_curve_has_what_happened_at_every_position() -> None:
    made = stack("LLLrL", high=["LLRRL"])
    curve = around_flip(made, observed(made), resamples(made.sessions, 1))
    found = dict(zip(curve.position.tolist(), zip(curve.n, curve.p_high, curve.p_switch, strict=True), strict=True))
    assert found[-2][:2] == (2, 0.5)
    assert found[0][:2] == (2, 0.5)
    assert found[0][2] == 0.5
    assert found[1] == (1, 1.0, 1.0)
    assert found[-10][0] == 0
    assert math.isnan(found[-10][1])
    assert by_block_trial(made, observed(made), resamples(made.sessions, 1)).n.tolist()[:3] == [2, 1, 0]


@given(st.floats(0.5, 20), st.floats(0.3, 0.9), st.floats(0.1, 0.7))
def test_the_time_constant_of_an_exponential_is_found(true: float, asymptote: float, fall: float) -> None:
    curve = asymptote - fall * np.exp(-np.arange(21) / true)
    assert recovery(curve, asymptote) == pytest.approx(true, rel=1e-5)
    assert recovery(curve) == pytest.approx(true, rel=1e-3)


def test_positions_without_trials_are_passed_over() -> None:
    curve = 0.8 - 0.6 * np.exp(-np.arange(21) / 3.0)
    curve[[4, 19]] = np.nan
    assert recovery(curve, 0.8) == pytest.approx(3.0, rel=1e-5)


def test_a_curve_that_does_not_settle_has_no_time_constant() -> None:
    assert math.isnan(recovery(np.full(21, 0.5), 0.5))
    assert math.isnan(recovery(np.array([0.1, 0.2, np.nan]), 0.5))


def test_with_fewer_than_five_swaps_tau_is_empty() -> None:
    few = tau(stack("L" * 50, high=[("L" * 10 + "R" * 10) * 2 + "L" * 10]))
    assert few.flips == 4
    assert all(math.isnan(value) for value in (few.overall, few.before_flips, few.free))
