"""`rig show protocols --template`: a task to grow from, that works as it stands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rig.cli.show.template import TEMPLATES
from tests.cli.conftest import Rig


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, in which a person stands."""
    folder = tmp_path / "lab"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


def test_the_outcome_is_drawn_before_the_choice_with_the_odds_of_the_file(rig: Rig, folder: Path, data: Path) -> None:
    rig("show", "protocols", "--template", "my_task")
    odds = ("--set", "params.p_left=1", "--set", "params.p_right=0")
    assert rig("sim", "my_task.yaml", "--model", "random", *odds).status == 0
    (table,) = data.rglob("trials.csv")
    head, *rows = [line.split(",") for line in table.read_text().splitlines()]
    trials = [dict(zip(head, row, strict=True)) for row in rows]
    assert {(trial["drawn_left"], trial["drawn_right"]) for trial in trials} == {("1", "0")}
    assert {trial["choice"] for trial in trials if trial["outcome"] == "rewarded"} == {"left"}
    assert {trial["choice"] for trial in trials if trial["outcome"] == "unrewarded"} == {"right"}
    assert {trial["delivered_by"] for trial in trials if trial["outcome"] == "rewarded"} == {"board"}


def test_a_disk_that_fills_leaves_no_half_a_task(rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = Path.open

    def full(self: Path, mode: str = "r", *args: object, **options: object) -> object:
        if self.suffix == ".yaml" and mode == "x":
            raise OSError(28, "No space left on device", str(self))
        return write(self, mode, *args, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", full)
    answer = rig("show", "protocols", "--template", "my_task")
    assert answer.status == 2
    assert answer.err == "my_task.yaml: cannot be written: No space left on device\n"
    assert contents(folder) == {}


def test_the_template_says_everything_of_its_parameters(rig: Rig) -> None:
    found = json.loads(rig("show", "params", TEMPLATES / "my_task.yaml", "--json").out)
    assert all(key["description"] for key in found["params"])
    assert all(key["value"] == key["default"] for key in found["params"])


def test_a_written_task_is_formatted_and_annotated(rig: Rig, folder: Path) -> None:
    rig("show", "protocols", "--template", "blue_door")
    options = ["--isolated", "--line-length", "120", "--target-version", "py311"]
    for check in (["check", "--select", "E,F,W,B,UP,D1,ANN"], ["format", "--check"]):
        done = subprocess.run(
            [sys.executable, "-m", "ruff", *check, *options, "blue_door.py"], capture_output=True, text=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
