"""Traps of Python are told with their line, also in branches that no rehearsal enters."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.session.check.source.files import read_files
from rig.session.check.source.python_traps import python_traps

TRAPS = {
    "not defined": ("return unknown", "Undefined name `unknown` (ruff F821)", True),
    "a format that does not fit": ("return '%s of %s' % (1,)", "2 placeholder(s) but 1 substitution(s)", True),
    "the same object as a number": ("return self is 300", "(ruff F632)", True),
    "always true": ("if self == 'left' or 'right': return 1", "this is always true: compare with each value", False),
    "a lambda of the loop": ("for n in (1, 2): self.whenever(lambda: n)", "it has its last value", False),
    "a list in its own loop": ("for n in self.times: self.times.remove(n)", "loop over list(...)", False),
    "no f before the text": ("n = 1; return 'hole{n}'", "without f before it", False),
    "a default that is shared": ("def inner(x=[]): return x", "all calls share this default", False),
}


def traps(path: Path, body: str) -> list[tuple[int, str, bool]]:
    path.write_text(f"def f(self):\n    {body}\n", encoding="utf-8")
    return [(line, text, is_wrong) for _, line, text, is_wrong in python_traps(read_files([path]))]


@pytest.mark.parametrize(("body", "text", "is_wrong"), TRAPS.values(), ids=TRAPS.keys())
def test_a_trap_is_told_with_its_line(tmp_path: Path, body: str, text: str, is_wrong: bool) -> None:
    (trap,) = traps(tmp_path / "task.py", body)
    assert (trap[0], trap[2]) == (2, is_wrong)
    assert text in trap[1]


@pytest.mark.parametrize("body", ["x=1+2;y = -x", "return self==None", "for n in (1, 2): print(n)", "return f'{self}'"])
def test_a_matter_of_style_is_none(tmp_path: Path, body: str) -> None:
    assert traps(tmp_path / "task.py", body) == []


def test_settings_of_ruff_in_the_laboratorys_folder_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "ruff.toml").write_text('lint.ignore = ["F821"]\n', encoding="utf-8")
    assert len(traps(tmp_path / "task.py", "return unknown")) == 1
