import math

import numpy as np
import pytest

from rig.analysis.common.subjects import over_subjects, per_session, places, standard_error


@pytest.mark.parametrize("count", [0, 1, 2])
def test_fewer_than_three_values_have_no_standard_error(count: int) -> None:
    assert math.isnan(standard_error(np.arange(count, dtype=float)))
    assert math.isnan(over_subjects(np.arange(count, dtype=float)).sem)


def test_three_have_one_with_n_minus_1_and_what_is_unknown_does_not_count() -> None:
    found = over_subjects([1, 2, 6, math.nan])
    assert (found.n, found.mean) == (3, 3)
    assert found.sem == pytest.approx(np.std([1, 2, 6], ddof=1) / math.sqrt(3))


def test_sessions_have_a_spread_from_two_on() -> None:
    assert per_session([1, 3]).sd == pytest.approx(math.sqrt(2))


def test_the_places_of_subjects_are_in_the_order_of_their_names() -> None:
    assert [place.tolist() for place in places(["b", "a", "b"])] == [[1], [0, 2]]
