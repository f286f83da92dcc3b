"""The t tests against scipy's, and what has no test."""

import numpy as np
import pytest
from scipy import stats

from rig.analysis.common.t_tests import one_sample, paired, pearson, two_sample

A = np.array([1.0, 2.5, 3.0, 4.5, 2.0])
B = np.array([0.5, 2.0, 3.5, 1.0, 0.0])


def test_they_give_the_values_of_scipy() -> None:
    for found, expected in (
        (one_sample(A, 2.0), stats.ttest_1samp(A, 2.0)),
        (paired(A, B), stats.ttest_rel(A, B)),
        (two_sample(A, B[:4]), stats.ttest_ind(A, B[:4])),
    ):
        assert found is not None
        assert (found.t, found.p, found.df) == pytest.approx((expected.statistic, expected.pvalue, expected.df))


def test_the_effect_is_the_difference_in_standard_deviations() -> None:
    found = one_sample(A, 2.0)
    assert found is not None
    assert found.difference == pytest.approx(0.6)
    assert found.d == pytest.approx(0.6 / A.std(ddof=1))


def test_missing_values_are_left_out() -> None:
    holes = np.append(A, np.nan)
    assert paired(holes, np.append(B, 3.0)) == paired(A, B)
    assert pearson(holes, np.append(B, 3.0)) == pearson(A, B)


def test_few_or_equal_values_have_no_test() -> None:
    assert one_sample([1, 2], 0) is None
    assert one_sample([2, 2, 2], 0) is None
    assert two_sample([1, 2, 3], [1, 2]) is None
    assert two_sample([1, 1, 1], [2, 2, 2]) is None
    assert pearson([1, 2, 3], [5, 5, 5]) is None
