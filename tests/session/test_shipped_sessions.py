"""Where the recorded session of a protocol's package is."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rig.session import shipped_sessions as module
from rig.session.shipped_sessions import shipped_sessions


def install(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    point = EntryPoint(name, value, "rig.protocols")
    monkeypatch.setattr(module, "installed_plugins", lambda group: {name: point})


def test_a_package_of_a_laboratory_ships_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "lab_task_of_tests.py").write_text("raise RuntimeError('imported')\n")
    monkeypatch.syspath_prepend(tmp_path)
    install(monkeypatch, "maze", "lab_task_of_tests:Maze")
    assert shipped_sessions() == {"maze": None}
    (tmp_path / "recorded").mkdir()
    (tmp_path / "recorded" / "maze.jsonl").touch()
    assert shipped_sessions() == {"maze": tmp_path / "recorded" / "maze.jsonl"}


def test_a_protocol_whose_module_is_gone_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    install(monkeypatch, "gone", "no_such_package.task:Gone")
    assert shipped_sessions() == {"gone": None}
