"""Learners that believe: Bayes' rule, its bounds, stickiness, and the published rates."""

import math
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.two_armed_bandit.subjects.learners.base import Policy, greedy, softmax, stochastic
from protocols.two_armed_bandit.subjects.learners.hidden_markov import HiddenMarkov, StickyHiddenMarkov
from protocols.two_armed_bandit.subjects.learners.value_learning import RecursiveLogistic
from tests.protocols.two_armed_bandit.subjects.learners.histories import PASTS, Past, teach
from tests.sim_hardware.models.bandit import Tally

PS, QS = st.floats(0.5, 0.999), st.floats(0.5, 0.9999)


def bayes(p: float, q: float, past: Past) -> float:
    """Give the probability that left is high by Bayes' rule, in probabilities: Beron et al. (2022), methods."""
    b = 0.5
    for choice, reward in past:
        if_left = p if (choice == 1) == bool(reward) else 1 - p
        post = b * if_left / (b * if_left + (1 - b) * (1 - if_left))
        b = q * post + (1 - q) * (1 - post)
    return b


@given(PS, QS, PASTS)
def test_the_belief_is_bayes_rule(p: float, q: float, past: Past) -> None:
    learner = HiddenMarkov(p, q)
    teach(learner, past)
    assert learner.b == pytest.approx(bayes(p, q, past), abs=1e-9)


@given(PS, QS, PASTS)
def test_no_belief_is_surer_than_that_the_side_has_stayed(p: float, q: float, past: Past) -> None:
    assert abs(teach(HiddenMarkov(p, q), past)) <= math.log(q / (1 - q)) + 1e-9


@given(st.floats(-2, 2), st.floats(0.001, 0.01), st.floats(0.5, 3), PASTS)
def test_a_sticky_observer_of_weak_evidence_is_the_recursive_mouse(
    alpha: float, beta: float, tau: float, past: Past
) -> None:
    g = math.exp(-1 / tau)
    p = stochastic(beta / (2 * g))
    sticky = StickyHiddenMarkov(p, (1 + g) / 2, alpha, beta, tau)
    assert teach(sticky, past) == pytest.approx(teach(RecursiveLogistic(alpha, beta, tau), past), abs=1e-4)


@pytest.mark.parametrize(
    ("policy", "rewards"),
    [
        (greedy, {0.9: 0.856, 0.8: 0.745, 0.7: 0.639}),
        (stochastic, {0.9: 0.825, 0.8: 0.714, 0.7: 0.610}),
        (softmax(0.5), {0.9: 0.850, 0.8: 0.739, 0.7: 0.631}),
    ],
    ids=["greedy", "thompson", "softmax"],
)
def test_the_observer_has_the_published_reward_rates(policy: Policy, rewards: dict[float, float]) -> None:
    for p, reward in rewards.items():
        tally = Tally(partial(HiddenMarkov, p, 0.98, policy), 200 if p == 0.8 else 80, p)
        assert tally.reward == pytest.approx(reward, abs=0.008 if p == 0.8 else 0.012)


def test_thompson_sampling_has_its_published_rewards_per_switch() -> None:
    tally = Tally(partial(HiddenMarkov, 0.8, 0.98), 200)
    assert tally.rewards_per_switch == pytest.approx(4.5, abs=0.3)
    assert tally.p_switch >= 0.02


def test_the_greedy_observer_stays_after_every_reward() -> None:
    assert Tally(partial(HiddenMarkov, 0.8, 0.98, greedy), 40).after_reward < 0.001


def test_a_sticky_observer_that_knows_the_truth_changes_side_half_as_often_as_a_mouse() -> None:
    tally = Tally(partial(StickyHiddenMarkov, 0.8, 0.98, 0.78, 2.05, 1.43), 200)
    assert tally.reward == pytest.approx(0.726, abs=0.012)
    assert tally.p_switch == pytest.approx(0.032, abs=0.006)
