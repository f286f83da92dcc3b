import numpy as np
from hypothesis import given

from protocols.two_armed_bandit.analysis.confusion import of_sides, of_switches, table
from tests.protocols.two_armed_bandit.made import histories, stack


def test_words_are_crossed_by_how_often_they_came() -> None:
    found = table(np.array([10, 30, 0]), np.array([0.5, 0.1, np.nan]), np.array([0.4, 0.2, np.nan]))
    raw = np.array([[10 * 0.5 * 0.6 + 30 * 0.9 * 0.8, 10 * 0.5 * 0.4 + 30 * 0.9 * 0.2], [0, 0]])
    raw[1] = [10 * 0.5 * 0.6 + 30 * 0.1 * 0.8, 10 * 0.5 * 0.4 + 30 * 0.1 * 0.2]
    np.testing.assert_allclose(found, raw / raw.sum(axis=1, keepdims=True))


@given(histories)
def test_a_model_with_the_animals_own_probabilities_is_what_is_expected(rows: list[str]) -> None:
    made = stack(*rows)
    found = of_switches(made, made.switched.astype(float))
    np.testing.assert_array_equal(found.matrix, found.expected)
    sums = found.matrix.sum(axis=1)
    assert np.all(np.isnan(sums) | np.isclose(sums, 1))


def test_a_model_of_one_side_predicts_that_side() -> None:
    made = stack("LRLLRLrRlRLLRrLR")
    found = of_sides(made, np.ones(made.choice.shape))
    assert found.labels == ("right", "left")
    np.testing.assert_allclose(found.matrix, [[0, 1], [0, 1]])
