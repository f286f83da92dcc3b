import numpy as np

from tests.protocols.two_armed_bandit.made import stack


def test_sessions_stand_side_by_side_and_are_0_beyond_their_end() -> None:
    made = stack("Lr", "RRl")
    np.testing.assert_array_equal(made.choice, [[1, -1, 0], [-1, -1, 1]])
    np.testing.assert_array_equal(made.reward, [[1, 0, 0], [1, 1, 0]])
    assert made.from_trial(2).tolist() == [[False, True, False], [False, True, True]]


def test_a_switch_is_never_between_two_sessions_or_at_a_sessions_end() -> None:
    made = stack("Lr", "RRl")
    assert made.switched.tolist() == [[False, True, False], [False, False, True]]


def test_a_flip_is_the_first_trial_with_the_other_port_high() -> None:
    assert stack("LLLL", high=["LLRL"]).flipped.tolist() == [[False, False, True, True]]
    assert not stack("LL", high=["-L"]).flipped.any()


def test_some_of_the_sessions_are_as_long_as_the_longest_of_them() -> None:
    some = stack("Lr", "RRl", "l").rows(np.array([2, 0]))
    assert some.longest == 2
    np.testing.assert_array_equal(some.choice, [[1, 0], [1, -1]])
