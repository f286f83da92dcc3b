"""Learners that weigh the recent past: the formulas, their equivalences, and the published rates."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.subjects.learners.value_learning import ForgettingQ, FullQ, Logistic, RecursiveLogistic
from protocols.two_armed_bandit.subjects.named import SETS
from tests.protocols.two_armed_bandit.subjects.learners.histories import PASTS, Past, teach
from tests.sim_hardware.models.bandit import Tally


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.2, 20), PASTS)
def test_the_recursion_is_the_sum_over_the_whole_past(alpha: float, beta: float, tau: float, past: Past) -> None:
    evidence = sum(beta * choice * reward * math.exp(-age / tau) for age, (choice, reward) in enumerate(reversed(past)))
    expected = alpha * past[-1][0] + evidence if past else 0.0
    assert teach(RecursiveLogistic(alpha, beta, tau), past) == pytest.approx(expected, abs=1e-9)


@given(st.floats(-3, 3), st.floats(0.05, 5), st.floats(0.2, 20), PASTS)
def test_forgetting_q_learning_is_the_same_mouse(alpha: float, beta: float, tau: float, past: Past) -> None:
    k = 1 - math.exp(-1 / tau)
    one, other = RecursiveLogistic(alpha, beta, tau), ForgettingQ(k, k / beta, alpha)
    for length in range(len(past) + 1):
        assert other.psi() == pytest.approx(one.psi(), abs=1e-9)
        if length < len(past):
            teach(one, past[length : length + 1])
            teach(other, past[length : length + 1])


@given(st.floats(-3, 3), st.floats(-3, 3), st.floats(0.2, 20), PASTS)
def test_a_regression_on_the_last_five_trials_is_the_recursion_that_began_five_trials_ago(
    alpha: float, beta: float, tau: float, past: Past
) -> None:
    weights = [beta * math.exp(-age / tau) for age in range(5)]
    expected = teach(RecursiveLogistic(alpha, beta, tau), past[-5:])
    assert teach(Logistic((alpha,), weights, ()), past) == pytest.approx(expected, abs=1e-9)


def test_the_latest_trial_has_the_first_weight_of_each_list() -> None:
    past = [(1, 1), (-1, 0), (-1, 1)]
    learner = Logistic((1.0, 10.0, 100.0), (0.1, 0.01, 0.001), (7.0,), bias=0.5)
    assert teach(learner, past) == pytest.approx(-1 - 10 + 100 - 0.1 + 0.001 + 7 + 0.5)


def test_full_q_learning_corrects_the_chosen_value_and_lets_both_decay() -> None:
    learner = FullQ(alpha=0.5, beta=0.25, tau=1 / math.log(2), temperature=0.1)
    assert teach(learner, [(1, 1)]) == pytest.approx(0.25 / 0.1 + 0.5)
    assert teach(learner, [(1, 1)]) == pytest.approx((0.125 + 0.25 * 0.75) / 0.1 + 0.5)
    assert teach(learner, [(-1, 0)]) == pytest.approx(0.15625 / 0.1 - 0.5)


@given(PASTS)
def test_full_q_learning_at_a_small_rate_is_the_recursion(past: Past) -> None:
    rate = 1e-6
    nearly = FullQ(0.78, rate, 1.43, rate / 2.05)
    assert teach(nearly, past) == pytest.approx(teach(RecursiveLogistic(0.78, 2.05, 1.43), past), abs=1e-4)


@pytest.mark.parametrize("beta", [1e3, 1e6, -1e6])
def test_overwhelming_evidence_makes_certain_and_does_not_overflow(beta: float) -> None:
    for side, certain in (("left", 1.0), ("right", 0.0)):
        learner = RecursiveLogistic(0.78, beta, 1.43)
        learner.observe(side, True)
        assert learner.p_left() == pytest.approx(certain if beta > 0 else 1.0 - certain)


def test_the_mouse_of_80_20_has_the_published_rates() -> None:
    tally = Tally(lambda: RecursiveLogistic(*SETS["80-20"][:3]), 400)
    assert tally.reward == pytest.approx(0.686, abs=0.008)
    assert tally.p_high == pytest.approx(0.811, abs=0.015)
    assert tally.p_switch == pytest.approx(0.069, abs=0.006)
    assert tally.after_reward == pytest.approx(0.018, abs=0.005)
    assert tally.after_none == pytest.approx(0.181, abs=0.015)
    assert tally.rewards_per_switch == pytest.approx(9.9, abs=0.6)


@pytest.mark.parametrize(("condition", "p", "reward"), [("90-10", 0.9, 0.781), ("70-30", 0.7, 0.588)])
def test_the_mice_of_the_other_conditions_have_their_published_reward_rates(
    condition: str, p: float, reward: float
) -> None:
    assert Tally(lambda: RecursiveLogistic(*SETS[condition][:3]), 200, p).reward == pytest.approx(reward, abs=0.012)


def test_a_mouse_that_is_always_sure_never_leaves() -> None:
    tally = Tally(lambda: RecursiveLogistic(*SETS["80-20"][:3], policy=lambda psi: float(psi >= 0)), 40)
    assert tally.p_switch < 0.001
