import numpy as np
import pytest

from protocols.two_armed_bandit.analysis.landscape import ALPHAS, BETAS, TAUS, landscape
from protocols.two_armed_bandit.analysis.rates import count, rates_of
from protocols.two_armed_bandit.analysis.rflr import Rflr
from protocols.two_armed_bandit.analysis.simulate import TRIALS, TaskCondition, simulate


def test_default_agents_do_as_the_published_ones() -> None:
    each = (np.full(400, value) for value in (0.78, 2.05, 1.43))
    made = simulate(*each, TaskCondition(0.8, 0.2), TRIALS, seed=1)
    found = rates_of(count(made).sum(axis=0))
    assert found["reward_rate"] == pytest.approx(0.687, abs=0.006)
    assert found["p_high"] == pytest.approx(0.811, abs=0.012)
    assert found["p_switch"] == pytest.approx(0.069, abs=0.004)
    assert found["rewards_per_switch"] == pytest.approx(9.95, abs=0.6)
    assert found["flip_rate"] == pytest.approx(0.02, abs=0.002)


def test_the_same_seed_is_the_same_sessions() -> None:
    one = np.ones(2)
    first, again, other = (simulate(one, one, one, TaskCondition(0.8, 0.2), 50, seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.choice, again.choice)
    assert (first.choice != other.choice).any()


@pytest.mark.campaign
def test_reward_is_a_plateau_above_chance_with_a_best_memory_in_between() -> None:
    found = landscape(Rflr(0.78, 2.05, 1.43), TaskCondition(0.8, 0.2), seed=1)
    assert found.plane.shape == (len(ALPHAS), len(BETAS))
    assert found.plane[:, 0] == pytest.approx(0.5, abs=0.05)
    assert 0.69 < found.plane.max() < 0.75
    assert 0 < int(found.line.argmax()) < len(TAUS) - 1
    assert found.lost == pytest.approx(found.plane.max() - found.at_fit)
    assert 0 < found.lost < 0.05
    assert 0 < found.plateau < 0.5


def test_parts_that_are_alike_meet_the_same_chance() -> None:
    one = np.ones(6)
    made = simulate(one, one, one, TaskCondition(0.8, 0.2), 50, seed=1, copies=2)
    np.testing.assert_array_equal(made.choice[:3], made.choice[3:])
    assert (made.choice[0] != made.choice[1]).any()
