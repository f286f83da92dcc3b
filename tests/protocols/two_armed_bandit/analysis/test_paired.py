import math

import numpy as np
import pytest
from scipy import stats

from protocols.two_armed_bandit.analysis.paired import paired


def test_a_model_is_compared_with_the_regression_session_by_session() -> None:
    rflr, other = np.array([-0.2, -0.1, -0.3, -0.2]), np.array([-0.1, -0.05, -0.35, -0.1])
    (found,) = paired(["rflr", "other"], [rflr, other])
    assert (found.name, found.n, found.better) == ("other", 4, 3)
    assert found.mean == pytest.approx(0.05)
    assert found.se == pytest.approx(np.std(other - rflr, ddof=1) / 2)
    assert found.p == pytest.approx(stats.wilcoxon(other - rflr).pvalue)


def test_two_sessions_have_neither_error_nor_test() -> None:
    (found,) = paired(["rflr", "other"], [np.array([-0.2, -0.1]), np.array([-0.1, -0.2])])
    assert found.n == 2
    assert math.isnan(found.se)
    assert math.isnan(found.p)


def test_models_that_are_the_same_do_not_differ() -> None:
    values = np.array([-0.2, -0.1, -0.3])
    (found,) = paired(["rflr", "fq"], [values, values + 1e-15])
    assert found.p == 1


def test_without_the_regression_there_is_nothing_to_compare_with() -> None:
    assert paired(["random"], [np.zeros(3)]) == ()
