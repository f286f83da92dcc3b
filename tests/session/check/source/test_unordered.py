"""A draw from a set is a mistake with its line, also where a list was made of the set."""

from tests.session.check.source.conftest import LINE, Lab
from tests.tables import rows


@rows("line")
def test_a_draw_from_a_set_is_a_mistake(lab: Lab, line: str) -> None:
    (mistake,) = lab(line).mistakes
    assert "has the order of a set, which differs from process to process" in mistake
    assert "choice(sorted(...))" in mistake or "shuffled(sorted(...))" in mistake
    assert mistake.location.line == LINE


@rows("line")
def test_a_draw_from_an_order_is_right(lab: Lab, line: str) -> None:
    assert lab(line).mistakes == ()
