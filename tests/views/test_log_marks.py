"""A logarithmic axis has enough marks to be read, whatever it spans."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.views.log_marks import FEWEST, log_marks


@pytest.mark.parametrize(
    ("low", "high", "numbers"),
    [
        (-1.2, 1.2, [0.1, 0.2, 0.5, 1, 2, 5, 10]),
        (-3, 3, [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
        (0.13, 0.6, [1.5, 2, 3]),
    ],
)
def test_marks_are_at_numbers_that_a_person_reads(low: float, high: float, numbers: list[float]) -> None:
    assert [10**mark for mark in log_marks(low, high)] == pytest.approx(numbers)


@given(st.floats(-1e12, 1e12), st.floats(0.25, 1e6))
def test_marks_rise_within_the_axis_and_are_enough_and_not_too_many(low: float, span: float) -> None:
    high = low + span
    marks = log_marks(low, high)
    assert marks == sorted(marks)
    assert all(low <= mark <= high for mark in marks)
    assert FEWEST <= len(marks) <= 20
