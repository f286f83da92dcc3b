import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.analysis.common.arrays import Floats
from rig.analysis.common.maximum import log_likelihood, maximize

NOWHERE = [(-math.inf, math.inf)]


def constant(n: int) -> object:
    def walk(at: Floats) -> tuple[Floats, Floats]:
        return np.full(n, at[0]), np.ones((n, 1))

    return walk


def choices(lefts: int, rights: int) -> Floats:
    return np.array([1.0] * lefts + [-1.0] * rights)


def test_the_logarithm_of_a_probability_never_overflows() -> None:
    found = log_likelihood(np.array([0.0, 1e4, -1e4]))
    np.testing.assert_allclose(found, [-math.log(2), 0, -1e4])


@given(st.integers(1, 50), st.integers(1, 50))
def test_a_constant_model_finds_the_share(lefts: int, rights: int) -> None:
    found = maximize(constant(lefts + rights), choices(lefts, rights), [0.0], NOWHERE)
    assert found.at[0] == pytest.approx(math.log(lefts / rights), abs=1e-6)
    assert not found.at_bound


def test_a_likelihood_that_grows_for_ever_ends_at_the_bound_and_says_so() -> None:
    found = maximize(constant(9), choices(9, 0), [0.0], [(-3.0, 3.0)])
    assert found.at == (3.0,)
    assert found.at_bound


def test_a_ridge_holds_what_would_grow_for_ever() -> None:
    found = maximize(constant(9), choices(9, 0), [0.0], NOWHERE, ridge=1.0)
    (at,) = found.at
    assert 9 / (1 + math.exp(at)) == pytest.approx(at, rel=1e-6)


def test_the_error_of_a_probability_is_that_of_its_log_odds() -> None:
    found = maximize(constant(100), choices(70, 30), [0.0], NOWHERE)
    assert found.se == pytest.approx([1 / math.sqrt(100 * 0.7 * 0.3)])


def test_a_parameter_at_its_bound_has_no_error() -> None:
    assert math.isnan(maximize(constant(9), choices(9, 0), [0.0], [(-3.0, 3.0)]).se[0])
