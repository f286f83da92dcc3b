"""A name that ends in another unit than is wanted is named with its line and the factor."""

import pytest

from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows


@rows("line", "said")
def test_a_wrong_unit_is_named_with_its_line_and_the_factor(lab: Lab, line: str, said: str) -> None:
    mistake, *_ = lab(line).mistakes
    assert said in mistake
    assert mistake.location.line == LINE


@rows("line")
def test_a_right_unit_is_no_mistake(lab: Lab, line: str) -> None:
    found = lab(line)
    assert (found.mistakes, found.warnings) == ((), ())


def test_a_parameter_without_a_unit_is_a_warning_at_its_own_line(lab: Lab) -> None:
    (warning,) = lab("await self.sleep(p.pause)").warnings
    assert "p.pause is given in s, and its name has no unit: name it pause_s" in warning
    assert 0 < (warning.location.line or 0) < LINE


@pytest.mark.parametrize("name", ["until_s", "at_s", "since_s"])
def test_a_length_in_place_of_a_session_time_is_a_warning(lab: Lab, name: str) -> None:
    (warning,) = lab(f"await self.first(good.poked, {name}=p.hold_s)").warnings
    assert f"{name} is a session time, counted from the session's start, and p.hold_s looks like a length" in warning
    assert warning.location.line == LINE
