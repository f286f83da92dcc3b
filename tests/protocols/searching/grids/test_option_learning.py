import numpy as np
import pytest

from protocols.searching.grids.option_learning import OptionLearning, options_over_time


def test_only_the_tile_that_was_chosen_is_learned() -> None:
    learner = OptionLearning(4, error_sd=1.0)
    learner.observe(2, 0.6)
    assert learner.mean.tolist() == pytest.approx([0, 0, 0.6 * 5 / 6, 0])
    assert (learner.sd**2).tolist() == pytest.approx([5, 5, 5 / 6, 5])


def test_repeated_observations_have_the_precision_of_their_number() -> None:
    learner = OptionLearning(1, error_sd=2.0)
    for value in (1.0, 2.0, 3.0):
        learner.observe(0, value)
    precision = 1 / 5 + 3 / 4
    assert learner.sd[0] ** 2 == pytest.approx(1 / precision)
    assert learner.mean[0] == pytest.approx(6 / 4 / precision)


def test_beliefs_over_time_are_those_of_the_learner() -> None:
    mean, sd = options_over_time(3, [0, 2, 0], [1.0, -1.0, 0.5], error_sd=0.5)
    learner = OptionLearning(3, error_sd=0.5)
    assert np.array_equal(mean[0], learner.mean)
    for number, (tile, value) in enumerate([(0, 1.0), (2, -1.0), (0, 0.5)], 1):
        learner.observe(tile, value)
        assert np.array_equal(mean[number], learner.mean)
        assert np.array_equal(sd[number], learner.sd)
