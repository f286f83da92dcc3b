"""No test of a box waits for a thread or a socket."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rig.supervisor import box as module
from tests.supervisor.boxes import FakeAsker, PlayedBox

Make = Callable[..., PlayedBox]


@pytest.fixture(autouse=True)
def fake_askers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SessionAsker", FakeAsker)


@pytest.fixture
def make(tmp_path: Path) -> Make:
    return lambda name="box_1", subject="M1": PlayedBox(tmp_path, name, subject)
