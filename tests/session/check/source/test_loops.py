"""Loops that end at once, and loop variables that are used after their loop, are warnings with their lines."""

import pytest

from tests.session.check.source.conftest import LINE, Lab

DOUBTFUL = [
    ("for port in self.sides:\n    port.light.on()\n    return self.rest", 2, "self.sides returns in its first pass"),
    ("for port in self.sides:\n    port.light.on()\nself.note(x=port.name)", 2, "after its loop, port is the last of"),
    (
        "if edge:\n    for n, port in self.ports.items():\n        port.light.on()\nself.note(x=n)",
        3,
        "after its loop, n",
    ),
]
FINE = [
    "for port in self.sides:\n    if port.name == edge.source:\n        break\nself.note(x=port.name)",
    "for port in self.sides:\n    if port.name == 'left':\n        continue\n    port.light.on()\n    return self.rest",
    "for port in self.sides:\n    return self.rest",
    "for port in self.sides:\n    port.light.on()\nself.note(x=[port.name for port in self.sides])",
    "for port in self.sides:\n    port.light.on()\nfor port in self.sides:\n    port.light.off()",
    "port = good\nif edge:\n    for port in self.sides:\n        pass\n    return self.rest\nport.light.off()",
]


@pytest.mark.parametrize(("lines", "after", "text"), DOUBTFUL)
def test_a_doubtful_loop_is_a_warning(lab: Lab, lines: str, after: int, text: str) -> None:
    found = lab(lines)
    assert found.mistakes == ()
    (warning,) = found.warnings
    assert text in warning
    assert warning.location.line == LINE + after


@pytest.mark.parametrize("lines", FINE)
def test_a_loop_that_may_be_meant_so_is_none(lab: Lab, lines: str) -> None:
    found = lab(lines)
    assert (found.mistakes, found.warnings) == ((), ())
