"""What is installed by name."""

from importlib.metadata import EntryPoint

import pytest

from rig.system import plugins
from rig.system.plugins import MODELS, read_entry_points


def test_what_is_installed_is_read_once_for_a_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    mouse = EntryPoint("mouse", "lab.mice:Mouse", MODELS)
    read: list[str] = []

    def entry_points(group: str) -> list[EntryPoint]:
        read.append(group)
        return [mouse]

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    assert [read_entry_points(MODELS, ("here",)) for _ in range(3)] == [[mouse]] * 3
    assert read == [MODELS]
    read_entry_points(MODELS, ("here", "and there"))
    assert read == [MODELS, MODELS]
