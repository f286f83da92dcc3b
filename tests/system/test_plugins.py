"""What is installed by name."""

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from pydantic import BaseModel, Field, ValidationError

from rig.system import plugins
from rig.system.plugins import MODELS, PROTOCOLS, first_line, read_entry_points
from tests.installed_package import write_dist_info


def test_what_is_installed_is_read_once_for_a_search_path(monkeypatch: pytest.MonkeyPatch) -> None:
    mouse = EntryPoint("mouse", "lab.mice:Mouse", MODELS)
    reads: list[str] = []

    def entry_points() -> EntryPoints:
        reads.append("all")
        return EntryPoints([mouse])

    monkeypatch.setattr(plugins, "entry_points", entry_points)
    assert [list(read_entry_points(MODELS, ("here",))) for _ in range(3)] == [[mouse]] * 3
    assert list(read_entry_points(PROTOCOLS, ("here",))) == []
    assert len(reads) == 1
    read_entry_points(MODELS, ("here", "and there"))
    assert len(reads) == 2


def test_a_value_that_pydantic_refuses_is_told_with_its_field_and_what_was_wanted() -> None:
    class Scene(BaseModel):
        width_cm: float = Field(gt=0)
        title: str

    with pytest.raises(ValidationError) as refusal:
        Scene.model_validate({"width_cm": -1})
    assert first_line(refusal.value) == "Scene.width_cm is -1, wanted greater than 0; Scene.title: Field required"


def test_a_line_of_an_installed_package_that_contributes_is_a_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plugins, "_LIBRARIES", (tmp_path,))
    monkeypatch.syspath_prepend(str(tmp_path))
    write_dist_info(
        tmp_path, "a-lab", {"rig.protocols": {"go": "a_lab.go.task:Go"}, "rig.models": {"m": "mouse:Mouse"}}
    )
    assert plugins.is_user_file(str(tmp_path / "a_lab" / "go" / "task.py"))
    assert plugins.is_user_file(str(tmp_path / "mouse.py"))
    assert not plugins.is_user_file(str(tmp_path / "numpy" / "core.py"))
