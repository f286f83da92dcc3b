"""The values of sources in the unit of the rig file."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rig.core.journal.header import RecordedRig
from rig.core.model.board import MAX_PERIOD_US, MAX_SCALE
from rig.records.tables.sampled import period_us_of, scaled

values = st.integers(-(2**31), 2**31 - 1)


def test_a_value_is_the_number_that_a_person_writes() -> None:
    assert scaled(np.array([3, -1116], dtype=np.int32), 0.1).tolist() == [0.3, -111.6]
    assert scaled(np.array([3], dtype=np.int32), 0.0008).tolist() == [0.0024]


@given(values, st.floats(0, MAX_SCALE, exclude_min=True))
@example(2**31 - 1, 0.000123456789012)
@example(2_000_000_011, 0.0244140625123)
@example(-(2**31), 5e-324)
def test_a_value_is_that_of_the_board_times_any_scale_rounded_once(value: int, scale: float) -> None:
    assert scaled(np.array([value], dtype=np.int32), scale)[0] == float(value * Fraction(str(scale)))


@pytest.mark.parametrize("scale", [0.1, 0.000123456789012])
def test_what_is_missing_stays_missing(scale: float) -> None:
    known, missing = scaled(np.array([3.0, np.nan]), scale)
    assert known == float(3 * Fraction(str(scale)))
    assert np.isnan(missing)


@pytest.mark.parametrize(
    ("period", "period_us"),
    [
        ({"period_ms": 2.5}, 2_500),
        *[({"period_ms": strange}, MAX_PERIOD_US) for strange in (0.0, 1e9, float("nan"), "2.5", None)],
        ({}, MAX_PERIOD_US),
    ],
)
def test_the_period_is_that_of_the_rig_file_or_the_longest(period: dict[str, object], period_us: int) -> None:
    rig = RecordedRig("room", {}, {"wheel": period}, {})
    assert period_us_of(rig, "wheel") == period_us
    assert period_us_of(rig, "lever") == MAX_PERIOD_US
