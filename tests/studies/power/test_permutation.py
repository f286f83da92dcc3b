from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from rig.studies.power.permutation import (
    MOST_ENUMERATED,
    Grouping,
    drawn_rearrangements,
    least_p,
    p_values,
    rearrangements,
)

RNG = np.random.default_rng


def means(x: np.ndarray, y: np.ndarray, axis: int) -> np.ndarray:
    return x.mean(axis=axis) - y.mean(axis=axis)


@pytest.mark.parametrize(("grouping", "kind"), [("between", "independent"), ("within", "samples")])
@pytest.mark.parametrize("subjects", [2, 4, 5])
def test_few_subjects_are_rearranged_in_all_ways(grouping: Grouping, kind: str, subjects: int) -> None:
    first, second = RNG(subjects).normal(0, 1, (2, 6, subjects)) + np.array([0.0, 1.0])[:, None, None]
    found = p_values(first, second, grouping, 0.05, RNG(1))
    for p, x, y in zip(found, first, second, strict=True):
        expected = stats.permutation_test((x, y), means, permutation_type=kind, n_resamples=np.inf, vectorized=True)
        assert p == pytest.approx(expected.pvalue)


@pytest.mark.parametrize(("grouping", "subjects"), [("between", 9), ("within", 15)])
def test_drawn_rearrangements_agree_with_all(grouping: Grouping, subjects: int) -> None:
    assert rearrangements(grouping, subjects) > MOST_ENUMERATED
    first, second = RNG(3).normal(0, 1, (2, 8, subjects)) + np.array([0.0, 0.7])[:, None, None]
    drawn = drawn_rearrangements(0.05)
    for p, x, y in zip(p_values(first, second, grouping, 0.05, RNG(1)), first, second, strict=True):
        expected = _all(x, y, grouping)
        assert abs(p - expected) < 5 * np.sqrt(expected * (1 - expected) / drawn) + 1 / drawn


def _all(x: np.ndarray, y: np.ndarray, grouping: Grouping) -> float:
    """The p value of all rearrangements, each made by itself."""
    if grouping == "within":
        signs = 1 - 2 * (np.arange(2**x.size)[:, None] >> np.arange(x.size) & 1)
        sums = np.abs(signs @ (y - x))
        return float((sums >= sums[0] - 1e-9).mean())
    both = np.concatenate([y, x])
    chosen = np.array(list(combinations(range(both.size), x.size)))
    sums = np.abs(2 * both[chosen].sum(axis=1) - both.sum())
    return float((sums >= sums[0] - 1e-9).mean())


@pytest.mark.parametrize(
    ("grouping", "subjects", "p"),
    [
        ("between", 3, 0.1),
        ("between", 4, 2 / 70),
        ("within", 5, 1 / 16),
        ("within", 6, 1 / 32),
        ("between", 9, 1 / 2000),
    ],
)
def test_the_least_p_is_that_of_a_total_separation(grouping: Grouping, subjects: int, p: float) -> None:
    first = RNG(1).uniform(0, 1, (1, subjects))
    assert least_p(grouping, subjects, 0.05) == pytest.approx(p)
    found = p_values(first, first + 100, grouping, 0.05, RNG(1))[0]
    assert found >= p * (1 - 1e-12)
    if rearrangements(grouping, subjects) <= MOST_ENUMERATED:
        assert found == pytest.approx(p)


@pytest.mark.parametrize("grouping", ["between", "within"])
@pytest.mark.parametrize("subjects", [4, 20])
def test_equal_values_are_never_different(grouping: Grouping, subjects: int) -> None:
    same = np.full((3, subjects), 0.1)
    assert (p_values(same, same, grouping, 0.05, RNG(1)) == 1).all()


values = st.lists(st.integers(-3, 3), min_size=8, max_size=8)


@settings(max_examples=40)
@given(values, st.sampled_from(["between", "within"]), st.integers(-1000, 1000))
def test_p_is_the_same_after_a_shift_and_for_exchanged_conditions(
    numbers: list[int], grouping: Grouping, shift: int
) -> None:
    first, second = np.array(numbers, float).reshape(2, 1, 4)
    p = p_values(first, second, grouping, 0.05, RNG(1))
    assert 0 < p[0] <= 1
    assert p_values(second, first, grouping, 0.05, RNG(1)) == pytest.approx(p)
    assert p_values(first + shift / 7, second + shift / 7, grouping, 0.05, RNG(1)) == pytest.approx(p)


@settings(max_examples=20)
@given(values)
def test_of_all_ways_to_share_subjects_out_no_more_reject_than_the_level(numbers: list[int]) -> None:
    both = np.array(numbers, float)
    ways = np.array(list(combinations(range(8), 4)))
    others = np.array([np.setdiff1d(np.arange(8), way) for way in ways])
    found = p_values(both[ways], both[others], "between", 0.05, RNG(1))
    for level in (0.03, 0.05, 0.2, 0.5):
        assert (found <= level + 1e-9).mean() <= level + 1e-9
