"""The example package of docs/how-to/package.md, installed without a build."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rig.core.journal.header import Header
from rig.records.journal.read import of_kind, read_journal
from tests.cli.conftest import Rig, data, rig  # noqa: F401 (fixtures)
from tests.cli.test_completion import environment
from tests.installed_package import EXAMPLE, install_example
from tests.repository import ROOT

SIMULATION = ("detection", "--model", "whisker_mouse", "--seed", "1", "--subject", "M1", "--start", "2026-11-21")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of installed packages; the laboratory's own is empty."""
    folder = tmp_path / "site"
    install_example(folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", f"{folder}{os.pathsep}{ROOT}")
    (tmp_path / "lab").mkdir()
    monkeypatch.chdir(tmp_path / "lab")
    for name in [name for name in sys.modules if name.partition(".")[0] == "example_lab"]:
        monkeypatch.delitem(sys.modules, name)
    return folder


@pytest.fixture
def session(site: Path, rig: Rig, data: Path) -> Path:  # noqa: F811
    """A simulated session of the package's protocol."""
    answer = rig("sim", *SIMULATION)
    assert answer.status == 0, answer.err
    return data / "sim" / "M1" / "2026-11-21" / "001"


def test_the_check_finds_protocol_variant_and_rig_by_name(site: Path, rig: Rig) -> None:  # noqa: F811
    answer = rig("check", "--strict", "detection", "detection_easy", "buzz_box_sim")
    assert (answer.status, answer.err) == (0, "")
    assert [line.partition(": ok: ")[2][:12] for line in answer.out.splitlines()] == [
        "detection on",
        "detection_ea",
        "devices: hol",
    ]


def test_a_session_is_recorded_with_its_code_and_replays(session: Path, site: Path, rig: Rig) -> None:  # noqa: F811
    (header,) = of_kind(read_journal(session), Header)
    assert header.code.keys() == {"detection/task.py", "devices/buzzer.py"}
    assert header.rig.kinds["buzzer"].code
    assert ": the same, " in rig("replay", session).out
    task = site / "example_lab" / "detection" / "task.py"
    task.write_text(task.read_text().replace('"hit"', '"HIT"'))
    command = [sys.executable, "-m", "rig.cli.main", "replay", str(session)]
    changed = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert changed.returncode == 2
    assert "detection/task.py" in changed.stderr


def test_its_analysis_and_its_command_read_the_session(session: Path, rig: Rig) -> None:  # noqa: F811
    analyzed = json.loads(rig("analyze", session, "--json").out)
    assert list(analyzed["sessions"][0]["counts"]) == ["10.0", "30.0", "90.0"]
    answer = rig("detection", session.parents[2])
    assert (answer.status, answer.out) == (0, f"{session}: 200 hits in 332 trials\n")


def test_names_are_listed_and_completed_without_an_import_of_the_package(site: Path, rig: Rig) -> None:  # noqa: F811
    listed = {entry["name"]: entry for entry in json.loads(rig("show", "protocols", "--json").out)["protocols"]}
    assert listed["detection"]["source"] == "installed (example-lab 1.0)"
    assert [file["name"] for file in listed["detection"]["files"]] == ["detection", "detection_easy"]
    (site / "example_lab" / "__init__.py").write_text("raise RuntimeError('imported')\n")
    answer = site.parent / "answer"
    asked = environment("rig sim detec") | {"_ARGCOMPLETE_STDOUT_FILENAME": str(answer)}
    subprocess.run([sys.executable, "-m", "rig.cli.main"], env=asked, check=True, timeout=60)
    assert answer.read_text().split() == ["detection", "detection_easy"]


def test_a_rig_file_of_the_laboratory_extends_that_of_the_package(site: Path, rig: Rig) -> None:  # noqa: F811
    own = Path("configs", "rigs", "buzz_box.yaml")
    own.parent.mkdir(parents=True)
    own.write_text("extends: buzz_box_sim.yaml\ncalibration_max_days: null\nboards: {uno: {driver: serial}}\n")
    assert "buzz_box.yaml: ok: devices: hole (port), buzzer (buzzer)" in rig("check", "buzz_box").out


@pytest.mark.real_time
def test_a_session_runs_in_real_time(site: Path, rig: Rig, data: Path) -> None:  # noqa: F811
    answer = rig("run", *SIMULATION[:7], "--board", "sim", "--set", "stop.session_s=1")
    assert answer.status == 0, answer.err


def test_its_own_tests_are_green(site: Path) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", EXAMPLE / "tests"]
    result = subprocess.run(command, cwd=EXAMPLE, capture_output=True, text=True, timeout=300)
    assert "3 passed" in result.stdout, result.stdout + result.stderr
