"""Loops that end at once, and loop variables that are used after their loop, are warnings with their lines."""

from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows


@rows("lines", "after", "text")
def test_a_doubtful_loop_is_a_warning(lab: Lab, lines: str, after: int, text: str) -> None:
    found = lab(lines)
    assert found.mistakes == ()
    (warning,) = found.warnings
    assert text in warning
    assert warning.location.line == LINE + after


@rows("lines")
def test_a_loop_that_may_be_meant_so_is_none(lab: Lab, lines: str) -> None:
    found = lab(lines)
    assert (found.mistakes, found.warnings) == ((), ())
