"""`rig show protocols --template`: a task to grow from, that works as it stands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rig.cli.show.template import TEMPLATES
from rig.config import load_config
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


def test_three_commands_and_no_edit_lead_to_a_session(rig: Rig, folder: Path, data: Path) -> None:
    answer = rig("show", "protocols", "--template", "my_task")
    assert answer.status == 0
    assert sorted(contents(folder)) == ["my_task.py", "my_task.yaml"]
    told = [line.split()[1:] for line in answer.out.splitlines() if line.startswith("  rig ")]
    assert told == [["check", "my_task.yaml"], ["sim", "my_task.yaml", "--model", "random", "--seed", "1"]]
    for words in told:
        assert rig(*words).status == 0
    (session,) = data.glob("sim/sim001/*/001")
    summary = json.loads((session / "summary.json").read_text())
    assert summary["protocol"] == "my_task"
    assert summary["outcomes"].keys() == {"rewarded", "unrewarded", "omission"}
    assert summary["rewards"] == summary["outcomes"]["rewarded"] > 100
    assert rig("replay", "--trust", session).status == 0


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


def test_the_name_is_that_of_the_files_the_class_and_the_protocol(rig: Rig, folder: Path) -> None:
    assert rig("show", "protocols", "--template", "two_doors_2", "--into", "new/place").status == 0
    assert sorted(contents(folder)) == ["new/place/two_doors_2.py", "new/place/two_doors_2.yaml"]
    assert load_config(folder / "new/place/two_doors_2.yaml").data["protocol"] == "./two_doors_2.py:TwoDoors2"
    assert "my_task" not in "".join(contents(folder).values())
    assert "MyTask" not in "".join(contents(folder).values())
    assert json.loads(rig("show", "params", "new/place/two_doors_2.yaml", "--json").out)["protocol"] == "two_doors_2"


@pytest.mark.parametrize("there", ["my_task.py", "my_task.yaml"])
def test_nothing_is_overwritten(rig: Rig, folder: Path, there: str) -> None:
    (folder / there).write_text("months of work")
    answer = rig("show", "protocols", "--template", "my_task")
    assert answer.status == 2
    assert f"{there}: there already" in answer.err
    assert contents(folder) == {there: "months of work"}


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("1x", "a letter first"),
        ("MyTask", "small letters"),
        ("a-b", "small letters"),
        ("../up", "small letters"),
        ("", "small letters"),
        ("class", "a word of Python"),
        ("match", "a word of Python"),
        ("two_armed_bandit", "a protocol of this name"),
        ("two_armed_bandit_stage1", "a protocol of this name"),
        ("trial", "its class would be Trial"),
        ("random", "would hide"),
        ("rig", "would hide"),
        ("numpy", "would hide"),
    ],
)
def test_a_name_that_means_something_else_is_refused(rig: Rig, folder: Path, name: str, why: str) -> None:
    answer = rig("show", "protocols", "--template", name)
    assert answer.status == 2
    assert answer.err.startswith(f"--template {name}: ")
    assert why in answer.err
    assert contents(folder) == {}


def test_a_folder_that_cannot_be_made_is_said(rig: Rig, folder: Path) -> None:
    (folder / "file").write_text("")
    answer = rig("show", "protocols", "--template", "my_task", "--into", "file/below")
    assert answer.status == 2
    assert answer.err.startswith("file/below: cannot be written: ")


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


def test_a_script_reads_what_was_written(rig: Rig, folder: Path) -> None:
    answer = rig("show", "protocols", "--template", "my_task", "--json")
    assert json.loads(answer.out) == {"written": ["my_task.py", "my_task.yaml"]}


def test_into_needs_a_template(rig: Rig, folder: Path) -> None:
    assert rig("show", "protocols", "--into", "x").err == (
        "--into: says where a template goes: give --template NAME too\n"
    )


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
