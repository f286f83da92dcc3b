import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.regression import REWARDS, Regression, features, fit, log_odds
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from tests.protocols.two_armed_bandit.made import stack


def test_a_trial_is_predicted_from_the_last_choice_and_five_rewarded_ones() -> None:
    known = features(stack("LrRlLLr"))[0]
    assert known[6].tolist() == [1, 1, 1, 0, -1, 0, 1]
    assert known[0].tolist() == [0] * 6 + [1]
    assert known[1].tolist() == [1, 1, 0, 0, 0, 0, 1]


def test_a_short_session_has_as_much_history_as_it_has() -> None:
    assert features(stack("L")).shape == (1, 1, REWARDS + 2)


def test_the_first_choice_is_even_whatever_the_bias() -> None:
    psi = log_odds(stack("LL"), Regression(1.0, (2.0, 0, 0, 0, 0), 0.5))
    assert psi.tolist() == [[0.0, 3.5]]


def test_the_regression_of_a_recursive_agent_is_its_exponential() -> None:
    made = simulate(np.full(120, 0.78), np.full(120, 2.05), np.full(120, 1.43), TaskCondition(0.8, 0.2), 600, 5)
    found = fit(made)
    assert found.beta == pytest.approx(2.05 * np.exp(-np.arange(REWARDS) / 1.43), abs=0.15)
    assert found.alpha == pytest.approx(0.78, abs=0.1)
    assert found.delta == pytest.approx(0, abs=0.05)
