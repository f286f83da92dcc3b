"""A draw from a set is a mistake with its line, also where a list was made of the set."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

UNORDERED = """
self.note(x=self.stream("x").choice(tuple({"a", "b"})))
self.note(x=self.stream("x").shuffled({"a", "b"}))
self.note(x=self.stream("x").shuffled(set(self.ports) - {"left"}))
self.note(x=self.stream("x").shuffled(self.ports.keys() - {"left"}))
names = set(self.ports); names.discard("left"); self.note(x=self.stream("x").choice(list(names)))
names = list(set(self.ports)); self.note(x=self.stream("x").choice(names))
self.names = frozenset(self.ports); self.note(x=self.stream("x").choice([name for name in self.names]))
""".strip().splitlines()
ORDERED = """
self.note(x=self.stream("x").choice(sorted({"a", "b"})))
names = sorted(set(self.ports)); self.note(x=self.stream("x").choice(names))
self.note(x=self.stream("x").shuffled(self.ports))
self.note(x=self.stream("x").choice(list(self.ports)))
""".strip().splitlines()


@pytest.mark.parametrize("line", UNORDERED)
def test_a_draw_from_a_set_is_a_mistake(lab: Lab, line: str) -> None:
    (mistake,) = lab(line).mistakes
    assert "has the order of a set, which differs from process to process" in mistake
    assert "choice(sorted(...))" in mistake or "shuffled(sorted(...))" in mistake
    assert mistake.location.line == LINE


@pytest.mark.parametrize("line", ORDERED)
def test_a_draw_from_an_order_is_right(lab: Lab, line: str) -> None:
    assert lab(line).mistakes == ()
