import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from rig.analysis.common.intervals import bars, wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_is_that_of_wilson(made: tuple[int, int]) -> None:
    successes, n = made
    wanted = binomtest(successes, n).proportion_ci(method="wilson")
    low, high = wilson(successes / n, n)
    assert (float(low), float(high)) == pytest.approx((wanted.low, wanted.high), abs=1e-12)


def test_nothing_in_ten_is_not_certain() -> None:
    below, above = bars(np.array([0.0, 1.0]), np.array([10, 10]))
    assert below.tolist() == pytest.approx([0, 0.2775], abs=1e-3)
    assert above.tolist() == pytest.approx([0.2775, 0], abs=1e-3)


def test_nothing_of_none_is_unknown() -> None:
    assert all(np.isnan(end) for end in wilson(np.nan, 0))
    assert bars(np.array([np.nan]), np.array([0])).tolist() == [[0], [0]]
