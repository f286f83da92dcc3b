"""`rig run --boxes`: what it refuses before anything starts, what it asks, and what it starts."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.needs_reason import NeedsReasonError
from rig.cli.run import boxes as module
from rig.cli.run.overrides import reasons_of
from rig.records.weight_entry import WeightEntry
from rig.supervisor import box as box_module
from rig.supervisor.started import StartedSessions
from tests.cli.conftest import Rig, rig_at
from tests.cli.processes import posix
from tests.supervisor.boxes import FakeAsker, FakeProcess

pytestmark = posix

SIMULATED = """\
defaults: {rig: sim_nose_ports, protocol: two_armed_bandit, model: rflr}
boxes:
  one: {subject: M1}
  two: {subject: M2, cpus: [0]}
"""

ANIMALS = """\
defaults: {protocol: two_armed_bandit}
boxes:
  one: {rig: far, subject: M1}
  two: {rig: near, subject: M2}
"""


class Started:
    """The programs that would have been started; each ends at once with its code, and has printed a line."""

    def __init__(self) -> None:
        self.commands: list[Sequence[str]] = []
        self.cpus: list[Sequence[int]] = []
        self.codes: list[int] = []

    def __call__(self, command: Sequence[str], log: Path, cpus: Sequence[int]) -> Any:
        self.commands.append(command)
        self.cpus.append(cpus)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("board 'uno': no USB serial port was found\n")
        process = FakeProcess()
        process.code = self.codes.pop(0) if self.codes else 3
        return process

    def word(self, box: int, option: str) -> str | None:
        words = list(self.commands[box])
        if option in words:
            return words[words.index(option) + 1]
        return next((word.partition("=")[2] for word in words if word.startswith(f"{option}=")), None)


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Started:
    it = Started()
    monkeypatch.setattr(module, "start_detached", it)
    monkeypatch.setattr(module, "start_mark", lambda pid: "")
    monkeypatch.setattr(module, "running", list)
    monkeypatch.setattr(FakeProcess, "pid", 1, raising=False)
    monkeypatch.setattr(box_module, "SessionAsker", FakeAsker)
    return it


@pytest.fixture
def boxes(tmp_path: Path) -> Path:
    path = tmp_path / "boxes" / "today.yaml"
    path.parent.mkdir()
    path.write_text(SIMULATED)
    return path


@pytest.fixture
def real(data: Path, tmp_path: Path) -> Path:
    """Two boxes with boards, of which the second animal must not run below 80 % of 25 g."""
    for name in ("left", "right"):
        (tmp_path / "calibrations").mkdir(exist_ok=True)
        (tmp_path / "calibrations" / f"{name}_b.yaml").write_text(f"extends: sim_{name}.yaml\n")
    one = rig_at(data, "/dev/nowhere")
    text = one.read_text().replace("nowhere", "elsewhere").replace("sim_left", "left_b").replace("sim_right", "right_b")
    (one.parent / "near.yaml").write_text(text)
    for subject in ("M1", "M2"):
        (data / subject).mkdir(parents=True)
    (data / "M2" / "subject.yaml").write_text("baseline_g: 25\n")
    path = tmp_path / "boxes" / "real.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(ANIMALS)
    return path


def test_each_box_is_a_program_of_its_own_with_its_words(rig: Rig, data: Path, boxes: Path, started: Started) -> None:
    rig("run", "--boxes", boxes, "--experimenter", "AB")
    assert [command[1:5] for command in started.commands] == [["-P", "-m", "rig.cli.main", "run"]] * 2
    assert [started.word(box, "--box") for box in (0, 1)] == ["one", "two"]
    assert [started.word(box, "--subject") for box in (0, 1)] == ["M1", "M2"]
    assert started.word(0, "--data") == str(data)
    assert started.word(0, "--experimenter") == "AB"
    assert all("--yes" in command for command in started.commands)
    assert started.cpus == [(), (0,)]


def test_one_that_cannot_start_says_why_and_the_worst_status_counts(rig: Rig, boxes: Path, started: Started) -> None:
    started.codes = [3, 2]
    answer = rig("run", "--boxes", boxes)
    assert answer.status == 3
    assert "one: M1: ended: not started: board 'uno': no USB serial port was found" in answer.out
    found = json.loads(rig("run", "--boxes", boxes, "--json").out)
    assert [(each["box"], each["status"], each["reason"]) for each in found] == [
        ("one", 3, "refused"),
        ("two", 3, "refused"),
    ]


def test_only_the_boxes_that_are_named_are_started(rig: Rig, boxes: Path, started: Started) -> None:
    answer = rig("run", "--boxes", boxes, "--only", "two")
    assert [started.word(0, "--box"), len(started.commands)] == ["two", 1]
    assert "one: M1: not started\n" in answer.out


def test_a_subject_whose_session_runs_is_refused_at_its_line(
    rig: Rig, data: Path, boxes: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    status = {"ok": True, "subject": "M2", "simulated": True, "box": "seven", "folder": str(data / "sim" / "M2")}
    # Another M1 has its records elsewhere.
    other = {**status, "subject": "M1", "folder": "/elsewhere/sim/M1"}
    monkeypatch.setattr(module, "running", lambda: [(Path("1.sock"), each) for each in (status, other, {"ok": False})])
    answer = rig("run", "--boxes", boxes)
    assert (answer.status, started.commands) == (2, [])
    assert f"{boxes}:4: boxes.two.subject: M2 is in a running session (seven): `rig session attach`" in answer.err
    assert rig("run", "--boxes", boxes, "--only", "one").status == 3


# --- animals --------------------------------------------------------------------------------------------------


def test_the_answers_of_the_line_reach_the_session_of_their_box(rig: Rig, real: Path, started: Started) -> None:
    answers = ("--today", "one.weight_g=24.1", "--today", "two.override=weight=no scale = none")
    rig("run", "--boxes", real, "--yes", *answers)
    assert started.word(0, "--weight-g") == "24.1"
    assert started.word(1, "--override") == "weight=no scale = none"


def test_what_nobody_answers_refuses_that_box_alone(rig: Rig, real: Path, started: Started) -> None:
    answer = rig("run", "--boxes", real, "--yes", "--today", "two.weight_g=24")
    assert [started.word(0, "--box"), len(started.commands)] == ["two", 1]
    assert "one: not started: how heavy is the subject?" in answer.err


def test_an_animal_that_is_too_light_is_refused_until_a_reason_is_given(rig: Rig, real: Path, started: Started) -> None:
    words = ("run", "--boxes", real, "--yes", "--only", "two", "--today", "two.weight_g=15")
    answer = rig(*words)
    assert (answer.status, started.commands) == (2, [])
    assert "two: not started: the weight is 60.0 % of the baseline" in answer.err
    rig(*words, "--today", "two.override=underweight=the vet says so")
    assert started.word(0, "--override") == "underweight=the vet says so"


def test_without_a_confirmation_no_animal_runs(rig: Rig, real: Path, started: Started) -> None:
    answer = rig("run", "--boxes", real, "--today", "one.weight_g=24", "--today", "two.weight_g=24")
    assert (answer.status, started.commands) == (2, [])
    assert "one: not started: there is no terminal at which a person could confirm that it is M1" in answer.err


def test_at_a_terminal_each_box_is_asked_about_before_any_of_them_starts(
    rig: Rig, real: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["24", "15", "15", "the vet says so"])
    asked: list[str] = []

    def ask(question: str) -> str:
        assert started.commands == []
        asked.append(question)
        return next(answers)

    def confirm(question: str) -> None:
        asked.append(question)

    for place in ("rig.cli.run.before", "rig.cli.run.box_answers"):
        monkeypatch.setattr(f"{place}.is_interactive", lambda: True)
        monkeypatch.setattr(f"{place}.ask", ask)
    monkeypatch.setattr("rig.cli.terminal.prompt.is_interactive", lambda: True)
    monkeypatch.setattr("rig.cli.terminal.prompt.ask_now", ask)
    monkeypatch.setattr("rig.cli.run.before.confirm_name", confirm)
    rig("run", "--boxes", real)
    assert [question.partition(" (")[0] for question in asked] == [
        "weight in g",
        "M1",
        "weight in g",
        "Is 15 g right for M2",
        "reason to run all the same, which is recorded",
        "M2",
    ]
    assert [started.word(box, "--weight-g") for box in (0, 1)] == ["24", "15"]
    assert started.word(1, "--override") == "underweight=the vet says so"


def test_an_animal_that_ran_a_short_time_ago_runs_again_for_a_reason_that_is_typed(
    rig: Rig, real: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def preflight(line: Any, *_: Any, **__: Any) -> WeightEntry:
        if not reasons_of(line):
            raise NeedsReasonError("the last session began 2.0 hours ago: no session; or say why with", "early")
        return WeightEntry(24.0)

    monkeypatch.setattr("rig.cli.run.box_answers.run_preflight", preflight)
    monkeypatch.setattr("rig.cli.run.box_answers.is_interactive", lambda: True)
    monkeypatch.setattr("rig.cli.run.box_answers.ask", lambda question: asked.append(question) or "a test")
    answer = rig("run", "--boxes", real, "--only", "one")
    assert "no session; or say why with --override early='reason'" in answer.err
    assert asked == ["reason to run all the same, which is recorded (Enter: it is not started): "]
    assert started.word(0, "--override") == "early=a test"


def test_boxes_can_be_started_and_left(rig: Rig, boxes: Path, started: Started, data: Path) -> None:
    answer = rig("run", "--boxes", boxes, "--leave")
    assert (answer.status, answer.out) == (0, "one: M1: started, process 1\ntwo: M2: started, process 1\n")
    assert [each.box for each in StartedSessions(data).newest()] == ["one", "two"]


def test_one_that_is_refused_gives_the_status_of_those_that_are_left(rig: Rig, real: Path, started: Started) -> None:
    answer = rig("run", "--boxes", real, "--yes", "--today", "one.weight_g=24", "--leave")
    assert (answer.status, len(started.commands)) == (2, 1)
    assert "two: not started: how heavy is the subject?" in answer.err
    assert "one: M1: started" in answer.out


def test_leave_belongs_to_boxes(rig: Rig) -> None:
    assert "--leave: belongs to --boxes FILE" in rig("run", "two_armed_bandit", "--leave").err


def test_ctrl_c_without_a_terminal_leaves_the_sessions_running(
    rig: Rig, boxes: Path, started: Started, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: Any) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr("rig.cli.run.boxes_view.supervise", interrupted)
    answer = rig("run", "--boxes", boxes)
    assert answer.status == 130
    assert "2 sessions go on (one, two): `rig session attach` shows them again" in answer.err


@pytest.mark.parametrize(("later", "weight"), [("2026-11-24T11:00", "24"), ("2026-11-25T00:10", None)])
def test_another_session_of_a_box_has_the_answers_of_the_same_day_only(
    rig: Rig, real: Path, started: Started, monkeypatch: pytest.MonkeyPatch, later: str, weight: str | None
) -> None:
    moment = ["2026-11-24T09:00"]
    monkeypatch.setattr(common, "now", lambda: datetime.datetime.fromisoformat(moment[0]))

    def again(boxes: Sequence[Any], wakeup: Any, start: Any, *, as_json: bool) -> int:
        moment[0] = later
        assert start(boxes[0]) == "starting"
        return 0

    monkeypatch.setattr(module, "show_boxes", again)
    (real.parents[1] / "records" / "M1").rmdir()
    answers = ("--today", "one.weight_g=24", "--today", "one.new=yes")
    assert rig("run", "--boxes", real, "--yes", "--only", "one", *answers).status == 0
    assert "--new" in started.commands[0]
    assert started.word(0, "--weight-g") == "24"
    assert "--new" not in started.commands[1]
    assert started.word(1, "--weight-g") == weight
