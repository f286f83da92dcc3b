import numpy as np
import pytest

from protocols.searching.grids.kernels import Kernel
from protocols.searching.grids.places import Grid
from protocols.searching.grids.policies import (
    LearnerOf,
    LocalSearchPolicy,
    Policy,
    RandomPolicy,
    ValuePolicy,
    WinStayPolicy,
    option_learner,
    process_learner,
)

GRID = Grid(5, 5)
MIDDLE = GRID.tile(2, 2)
PROCESS = process_learner(Kernel.of("length", 1.0), 1e-4)
OPTIONS = option_learner(1.0)


def after(policy: Policy, *seen: tuple[int, float], threshold: float = 0.0) -> np.ndarray:
    """The probabilities after some observations."""
    policy.start_round(GRID)
    for tile, reward in seen:
        policy.observe(tile, reward)
    return policy.probabilities(threshold)


def test_random_prefers_no_tile() -> None:
    assert np.allclose(after(RandomPolicy(), (3, 1.0)), 1 / 25)


def test_win_stay_lose_shift_chooses_only_allowed_tiles() -> None:
    won = after(WinStayPolicy("manhattan"), (MIDDLE, 0.2))
    assert np.count_nonzero(won) == 5
    assert won[MIDDLE] == pytest.approx(1 / 5)


def test_local_search_prefers_what_is_near() -> None:
    near = after(LocalSearchPolicy(0.2), (0, -1.0), (MIDDLE, -1.0))
    assert near[MIDDLE] == pytest.approx(near[GRID.tile(2, 1)])
    assert near[MIDDLE] > near[GRID.tile(1, 1)] > near[GRID.tile(0, 0)]


@pytest.mark.parametrize("learner", [PROCESS, OPTIONS])
def test_a_mean_greedy_policy_returns_to_the_best_tile(learner: LearnerOf) -> None:
    chances = after(ValuePolicy(learner, "mg", tau=0.05), (MIDDLE, 0.4), (0, -0.4))
    assert chances.argmax() == MIDDLE


def test_only_a_process_expects_the_same_of_neighbors() -> None:
    seen = (MIDDLE, 0.4)
    spread = after(ValuePolicy(PROCESS, "mg", tau=0.1), seen)
    alone = after(ValuePolicy(OPTIONS, "mg", tau=0.1), seen)
    assert spread[GRID.tile(2, 1)] > 2 * spread[0]
    assert alone[GRID.tile(2, 1)] == alone[0]


def test_a_variance_greedy_policy_goes_where_it_knows_least() -> None:
    chances = after(ValuePolicy(PROCESS, "vg", tau=0.05), (0, 0.4))
    assert chances.argmin() == 0
    assert chances[GRID.tile(4, 4)] > chances[GRID.tile(1, 0)]


def test_values_that_are_taken_as_they_are_have_a_local_variant_too() -> None:
    policies = (ValuePolicy(PROCESS, "pos", tau=0.1, local=on, as_they_are=True) for on in (False, True))
    everywhere, local = (after(policy, (0, 1.0), (12, 1.0)) for policy in policies)
    assert everywhere[0] == pytest.approx(everywhere[12])
    assert local[12] > 3 * local[0]


def test_the_local_variant_stays_near() -> None:
    far, here = GRID.tile(4, 4), GRID.tile(1, 0)
    seen = ((far, 0.4), (0, 0.0))
    everywhere, local = (after(ValuePolicy(PROCESS, "ucb", tau=0.1, beta=0.5, local=on), *seen) for on in (False, True))
    assert local[here] / local[far] > 3 * everywhere[here] / everywhere[far]


def test_safety_counts_only_with_a_line_to_fear() -> None:
    seen = ((MIDDLE, 0.4), (0, -0.4))
    policy = ValuePolicy(PROCESS, "pos", tau=0.1, as_they_are=True)
    assert after(policy, *seen, threshold=0.3)[MIDDLE] > 5 / 25
    assert np.allclose(after(policy, *seen, threshold=-np.inf), 1 / 25)


@pytest.mark.parametrize(
    "policy", [WinStayPolicy("moore"), LocalSearchPolicy(0.1), ValuePolicy(OPTIONS, "poi", tau=0.1)]
)
def test_before_the_first_observation_all_tiles_are_equal(policy: Policy) -> None:
    assert np.allclose(after(policy), 1 / 25)


def test_a_new_round_begins_with_nothing_seen() -> None:
    policy = ValuePolicy(PROCESS, "mg", tau=0.1)
    first = after(policy, (MIDDLE, 0.4))
    after(policy, (0, -0.4))
    assert np.array_equal(after(policy, (MIDDLE, 0.4)), first)
