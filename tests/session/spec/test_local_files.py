"""A laboratory's own file that is taken instead of ours is said to be: before a session, in its records, in a check."""

import json
import shutil
from pathlib import Path

import pytest

from rig.config import find
from rig.config.find import replaced_file, shipped_folder
from rig.session.spec.task_classes import find_task
from tests.cli.conftest import BANDIT, Rig

PROTOCOL = "protocol two_armed_bandit is from protocols/two_armed_bandit.py, not the installed one"
RIG_FILE = "rig file sim_nose_ports is from configs/rigs/sim_nose_ports.yaml, not the shipped one"
RIG = ("--rig", "sim_nose_ports")
SHORT = ("--set", "stop.session_s=30")
RUN = ("run", *BANDIT[:3], *RIG, "--set", "stop.session_s=0.2", "--subject", "M1", "--yes")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a changed copy of an installed protocol, and one of a shipped rig file."""
    folder = tmp_path / "lab"
    task = Path(find_task("two_armed_bandit").files[0])
    (folder / "protocols").mkdir(parents=True)
    (folder / "protocols" / "two_armed_bandit.py").write_text(
        task.read_text(encoding="utf-8") + "\n# ours\n", encoding="utf-8"
    )
    (folder / "configs" / "rigs").mkdir(parents=True)
    shutil.copyfile(
        shipped_folder() / "rigs" / "sim_nose_ports.yaml", folder / "configs" / "rigs" / "sim_nose_ports.yaml"
    )
    monkeypatch.chdir(folder)
    return folder


def test_the_start_of_a_session_says_what_is_taken_instead_of_ours(rig: Rig, folder: Path) -> None:
    answer = rig(*RUN)
    assert answer.status == 0
    screen = " ".join(answer.err.split())
    assert PROTOCOL in screen
    assert RIG_FILE in screen


def test_its_records_say_so_too(rig: Rig, data: Path, folder: Path) -> None:
    answer = rig("sim", *BANDIT, *RIG, "--subject", "M1")
    assert PROTOCOL in answer.err
    (journal,) = data.rglob("journal.jsonl")
    assert json.loads((journal.parent / "environment.json").read_text())["replaced"] == [PROTOCOL, RIG_FILE]
    assert json.loads(journal.read_bytes().splitlines()[0])["task"] == "two_armed_bandit.py:TwoArmedBandit"


def test_a_check_says_so_on_lines_of_their_own(rig: Rig, folder: Path) -> None:
    answer = rig("check", "two_armed_bandit", *RIG, *SHORT)
    assert answer.status == 0
    assert [line.partition(": ")[2] for line in answer.out.splitlines()[1:]] == [PROTOCOL, RIG_FILE]
    (found,) = json.loads(rig("check", "two_armed_bandit", *RIG, *SHORT, "--json").out)["files"]
    assert found["replaced"] == [PROTOCOL, RIG_FILE]
    assert RIG_FILE in rig("check", "sim_nose_ports").out


def test_a_rig_that_is_named_is_the_laboratorys_also_of_a_shipped_protocol(rig: Rig, folder: Path) -> None:
    file = folder / "configs" / "rigs" / "sim_nose_ports.yaml"
    file.write_text(file.read_text().replace("valve: 3", "valve: 12"))
    explained = rig("check", "--explain", "devices.left.valve", "two_armed_bandit", *RIG)
    assert "devices.left.valve: 12\n    configs/rigs/sim_nose_ports.yaml" in explained.out


def test_a_check_that_finds_mistakes_says_so_as_well(rig: Rig, folder: Path) -> None:
    task = folder / "protocols" / "two_armed_bandit.py"
    task.write_text(task.read_text(encoding="utf-8").replace("# ours", "TwoArmedBandit.ready = None"))
    answer = rig("check", "two_armed_bandit")
    assert answer.status == 2
    assert PROTOCOL in answer.out


def test_where_nothing_is_replaced_nothing_is_said(
    rig: Rig, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for here in (tmp_path, shipped_folder().parent):  # where ours lie, they are ours
        monkeypatch.chdir(here)
        assert len(rig("check", "two_armed_bandit", *SHORT).out.splitlines()) == 1
        assert "not the" not in rig("sim", *BANDIT, "--subject", f"of_{len(str(here))}").err
    for environment in data.rglob("environment.json"):
        assert json.loads(environment.read_text())["replaced"] == []


def test_a_file_that_is_named_by_its_path_is_not_taken_for_another(tmp_path: Path) -> None:
    own = tmp_path / "two_armed_bandit.yaml"
    shutil.copyfile(find("protocols", "two_armed_bandit"), own)
    assert replaced_file(own) is None
    assert replaced_file(find("protocols", "two_armed_bandit")) is None
    task = tmp_path / "two_armed_bandit.py"
    shutil.copyfile(find_task("two_armed_bandit").files[0], task)
    assert not find_task("./two_armed_bandit.py", tmp_path).replaces_installed
