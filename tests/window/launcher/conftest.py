"""A launcher on Qt's own display that is nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.supervisor import box as box_module
from rig.supervisor import started as started_module
from tests.supervisor.boxes import FakeAsker
from tests.window.launcher.launcher_desk import Desk


@pytest.fixture
def desk(qt: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    from rig.window import targets
    from rig.window.launcher import roster

    running: set[int] = set()
    for module in (box_module, started_module, roster, targets):
        monkeypatch.setattr(module, "is_running", lambda pid, mark="": pid in running)
    monkeypatch.setattr(roster, "is_recent", lambda started: True)
    monkeypatch.setattr(box_module, "SessionAsker", FakeAsker)
    it = Desk(tmp_path, running)
    yield it
    it.window.close()
    it.window.deleteLater()
