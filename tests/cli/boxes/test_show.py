"""`rig boxes show`: the facts of each box before its session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rig.cli.boxes import show
from rig.window.launch import WindowRequest
from tests.cli.conftest import Rig, rig_at

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
pytestmark = pytest.mark.usefixtures("morning")
Facts = dict[str, dict[str, str]]


@pytest.fixture(autouse=True)
def priority(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was done to the priority, which is that of all tests."""
    done: list[str] = []
    monkeypatch.setattr(show, "lower_priority", lambda: done.append("lowered"))
    return done


@pytest.fixture
def mice(data: Path, tmp_path: Path) -> Path:
    """A box with a mouse, and a simulated one."""
    rig_at(data, "/dev/nowhere")
    path = tmp_path / "boxes" / "mice.yaml"
    path.parent.mkdir()
    path.write_text(
        "defaults: {protocol: two_armed_bandit}\nboxes:\n  one: {rig: far, subject: M1}\n"
        "  two: {rig: sim_nose_ports, subject: M2, model: rflr}\n"
    )
    return path


def rows(rig: Rig, mice: Path) -> Facts:
    boxes = json.loads(rig("boxes", "show", mice, "--json").out)["boxes"]
    return {
        box["box"]: {row["name"]: row["text"] for row in box["rows"]} | {"problem": box["problem"]} for box in boxes
    }


def test_animal_task_weight_valves_and_what_is_due_are_shown(rig: Rig, mice: Path, priority: list[str]) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "23")
    one, two = rows(rig, mice).values()
    assert one == {
        "protocol": "two_armed_bandit on far",
        "weight": "23 g, 92.0 % of the baseline (25 g of 2026-11-01)",
        "valves": "left 18 days old, right 18 days old",
        "given": "0 of 2000 ul today, 0 of 3000 ul in 24 hours",
        "due": "1200 ul (0 of 1200 ul were given)",
        "problem": "",
    }
    assert two == {"protocol": "two_armed_bandit on sim_nose_ports", "problem": ""}
    assert priority == ["lowered"]


def test_an_animal_that_was_not_weighed_today_has_its_last_weight(rig: Rig, mice: Path) -> None:
    assert rows(rig, mice)["one"]["weight"] == "never weighed"
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "23", "--at", "yesterday 09:00")
    facts = rows(rig, mice)["one"]
    assert facts["weight"] == "23 g, 92.0 % of the baseline (25 g of 2026-11-01), on 2026-11-20"
    assert facts["due"].startswith("1200 ul")


def test_what_refuses_a_session_is_shown_with_the_sentence_of_the_session(rig: Rig, mice: Path, tmp_path: Path) -> None:
    far = tmp_path / "rigs" / "far.yaml"
    far.write_text(far.read_text().replace("calibration_max_days: null", "calibration_max_days: 5"))
    words = rig("run", "--boxes", mice, "--yes", "--only", "one", "--leave").err
    problem = rows(rig, mice)["one"]["problem"]
    assert "18 days ago; at most 5 are allowed" in problem
    assert all(line in words for line in problem.split("; ")[:1])


def test_records_of_an_animal_that_cannot_be_read_are_its_problem_alone(rig: Rig, mice: Path, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    (data / "M1" / "subject.yaml").write_text("baseline_g: [")
    facts = rows(rig, mice)
    assert "subject.yaml" in facts["one"]["problem"]
    assert facts["two"]["problem"] == ""


def test_what_feeders_hold_is_shown_also_where_it_is_too_little(rig: Rig, tmp_path: Path, data: Path) -> None:
    (tmp_path / "rigs").mkdir()
    (tmp_path / "rigs" / "maze.yaml").write_text("extends: t_maze_uno.yaml\nboards: {uno: {port: /dev/nowhere}}\n")
    path = tmp_path / "boxes" / "rats.yaml"
    path.parent.mkdir()
    path.write_text("boxes: {maze: {rig: maze, subject: R1, protocol: delay_discounting}}\n")
    maze = tmp_path / "rigs" / "maze.yaml"
    for name, pellets in (("left_feeder", "420"), ("right_feeder", "38")):
        assert rig("device", "fill", maze, name, "--pellets", pellets).status == 0
    facts = rows(rig, path)["maze"]
    assert facts["stock"] == "left_feeder 420 pellets, right_feeder 38 pellets"
    assert "right_feeder holds 38 pellets, and the session may give" in facts["problem"]


def test_a_file_with_mistakes_is_refused_with_its_lines(rig: Rig, mice: Path) -> None:
    mice.write_text("boxes: {one: {rig: nowhere, subject: M1, protocol: two_armed_bandit}}\n")
    answer = rig("boxes", "show", mice)
    assert answer.status == 2
    assert f"{mice}:1: boxes.one.rig: " in answer.err


def test_at_a_terminal_each_box_has_a_heading(rig: Rig, mice: Path) -> None:
    lines = rig("boxes", "show", mice).out.splitlines()
    assert lines[0] == "one: M1"
    assert "two: M2 (simulated)" in lines


def test_the_launcher_knows_the_person_of_the_environment(
    rig: Rig, mice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[WindowRequest] = []
    monkeypatch.setattr("rig.cli.boxes.open.check_window", lambda: None)
    monkeypatch.setattr("rig.cli.boxes.open.show_window", shown.append)
    monkeypatch.setenv("RIG_EXPERIMENTER", "bob")
    rig("boxes", "open", mice)
    rig("boxes", "open", mice, "--experimenter", "anna")
    assert [request.experimenter for request in shown] == ["bob", "anna"]


def test_the_launcher_needs_a_boxes_file_that_is_there(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rig.cli.boxes.open.check_window", lambda: None)
    answer = rig("boxes", "open", "nowhere")
    assert answer.status == 2
    assert "no boxes file is called 'nowhere'" in answer.err
