"""Comparisons whose answer is not what is asked are named with their lines."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

IDENTITIES = [
    ("if self.now_s is p.hold_s: pass", "asks whether two values are the same object, which differs by computer"),
    ("if p.n_pellets is not len(self.sides): pass", "write p.n_pellets != len(self.sides)"),
]
SUMS = [
    (
        "self.wait_s = 0.1; self.wait_s += 0.1; self.note(x=self.wait_s == p.hold_s)",
        "self.wait_s is a sum of fractions",
    ),
    ("self.odds = 0; self.odds += 0.1; self.note(x=self.odds != 1)", "self.odds is a sum of fractions"),
    ("self.wait_s = 0.1; self.wait_s += p.hold_s; self.note(x=self.wait_s == 1)", "write >= or <="),
]
FINE = """
if edge is None or p.hold_s is None: pass
if bool(edge) is True: pass
self.count = 0; self.count += 1; self.note(x=self.count == 5)
self.wait_s = 0.1; self.wait_s += 0.1; self.note(x=self.wait_s >= p.hold_s)
self.wait_s = 0.1; self.wait_s += 0.1; self.note(x=self.wait_s == 0)
self.x_s = 0.1; self.x_s += 0.1; self.x_s = min(self.x_s, p.hold_s); self.note(x=self.x_s == p.hold_s)
self.note(x=edge.t_s == self.now_s)
""".strip().splitlines()


@pytest.mark.parametrize(("line", "text"), IDENTITIES)
def test_is_between_numbers_is_a_mistake(lab: Lab, line: str, text: str) -> None:
    (mistake,) = lab(line).mistakes
    assert text in mistake
    assert mistake.location.line == LINE


@pytest.mark.parametrize(("line", "text"), SUMS)
def test_a_sum_of_fractions_that_is_compared_for_equality_is_a_warning(lab: Lab, line: str, text: str) -> None:
    (warning,) = lab(line).warnings
    assert text in warning
    assert warning.location.line == LINE


@pytest.mark.parametrize("line", FINE)
def test_other_comparisons_are_right(lab: Lab, line: str) -> None:
    found = lab(line)
    assert (found.mistakes, found.warnings) == ((), ())
