"""The sign test."""

import math

import pytest

from rig.analysis.common.sign_test import sign_test


def test_the_larger_firsts_are_counted_against_a_half() -> None:
    found = sign_test([2.0] * 51 + [1.0] * 29, [1.5] * 80)
    assert found is not None
    assert (found.n, found.larger) == (80, 51)
    assert found.p == pytest.approx(0.0184, abs=1e-4)


def test_equal_and_missing_pairs_are_left_out() -> None:
    found = sign_test([1.0, 2.0, math.nan], [1.0, 1.0, 0.0])
    assert found is not None
    assert (found.n, found.larger, found.p) == (1, 1, 1.0)


def test_without_a_pair_there_is_no_test() -> None:
    assert sign_test([], []) is None
    assert sign_test([1.0], [1.0]) is None
