"""How a number with its errors is written."""

import math

import pytest

from rig.studies.estimate import Estimate


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.715, 0.0721, "0.715 ± 0.072"),
        (562.3, 18.4, "562 ± 18"),
        (12345.0, 678.0, "12345 ± 678"),
        (1.0, 0.0, "1.000 ± 0"),
        (0.0, 0.0, "0 ± 0"),
        (3e-40, 2e-40, "3.0e-40 ± 2.0e-40"),
        (0.5, math.inf, "0.5"),
        (math.nan, 0.1, "-"),
    ],
)
def test_a_number_has_as_many_digits_as_two_digits_of_its_error(value: float, error: float, text: str) -> None:
    assert Estimate(value, error).text == text


@pytest.mark.parametrize(("spread", "text"), [(0.0686, "± 0.069"), (12.3, "± 12"), (math.nan, "")])
def test_the_spread_between_subjects_has_two_digits(spread: float, text: str) -> None:
    assert Estimate(0.7, 0.01, spread).spread_text == text
