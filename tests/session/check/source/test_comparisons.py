"""Comparisons whose answer is not what is asked are named with their lines."""

import pytest

from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows

IDENTITIES = [
    ("if self.now_s is p.hold_s: pass", "asks whether two values are the same object, which differs by computer"),
    ("if p.n_pellets is not len(self.sides): pass", "write p.n_pellets != len(self.sides)"),
]


@pytest.mark.parametrize(("line", "text"), IDENTITIES)
def test_is_between_numbers_is_a_mistake(lab: Lab, line: str, text: str) -> None:
    (mistake,) = lab(line).mistakes
    assert text in mistake
    assert mistake.location.line == LINE


@rows("line", "text")
def test_a_sum_of_fractions_that_is_compared_for_equality_is_a_warning(lab: Lab, line: str, text: str) -> None:
    (warning,) = lab(line).warnings
    assert text in warning
    assert warning.location.line == LINE


@rows("line")
def test_other_comparisons_are_right(lab: Lab, line: str) -> None:
    found = lab(line)
    assert (found.mistakes, found.warnings) == ((), ())
