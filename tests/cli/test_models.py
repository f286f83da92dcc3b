"""`--model`: virtual subjects that suit the rig, or are refused; one of a file of one's own."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.cli.terminal.end_screen import remarks
from rig.core.journal.header import Header
from tests.cli.conftest import Rig
from tests.session_ends import header_of

MOUSE = """\
from sim_hardware.world.body import Body
from sim_hardware.models.base import Model


class Mouse(Model):
    needs = ("left",)

    async def live(self, body: Body) -> None:
        while True:
            await body.wait(1)
            body.enter("left")
            await body.wait(0.1)
            body.leave("left")
"""
SHORT = ("--subject", "S1", "--start", "2026-11-21T09:00", "--set", "stop.session_s=60")


def header(data: Path) -> Header:
    return header_of(min(data.rglob("journal.jsonl")))


@pytest.fixture
def mouse(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "mouse.py"
    path.write_text(MOUSE)
    return path


@pytest.mark.parametrize(
    ("protocol", "model", "lacking"),
    [
        ("two_armed_bandit", "greedy", "this rig has no screen, hopper; it has left, center, right"),
        ("two_armed_bandit", "rat", "needs start, left, right, and this rig has no start"),
        ("delay_discounting", "rflr", "needs left, center, right, and this rig has no center"),
        ("free_water", "human", "needs screen, and this rig has no screen"),
        (
            "disk_bandit",
            "random",
            "and this rig has no left, center, right; it has hopper, houselight, ",
        ),
    ],
)
@pytest.mark.parametrize("command", ["sim", "check"])
def test_a_virtual_subject_that_cannot_act_on_the_rig_is_refused(
    rig: Rig, data: Path, command: str, protocol: str, model: str, lacking: str
) -> None:
    more = SHORT if command == "sim" else ()
    answer = rig(command, protocol, "--model", model, *more)
    assert answer.status == 2
    assert lacking in answer.err
    assert not list(data.rglob("journal.jsonl"))


def test_what_a_virtual_subject_needs_is_listed(rig: Rig) -> None:
    found = {each["name"]: each["needs"] for each in json.loads(rig("show", "models", "--json").out)["models"]}
    assert (found["rflr"], found["greedy"]) == (["left", "center", "right"], ["screen", "hopper"])
    assert found["random_explorer"] == []
    assert "needs:  screen, hopper" in rig("show", "models").out


@pytest.mark.parametrize(
    ("needs", "status", "said"),
    [
        ('"left", "speaker"', 0, ""),
        ('"left", "sensor"', 2, "needs left, sensor, and this rig has no sensor; it has start, "),
    ],
)
def test_every_device_counts_that_a_virtual_subject_needs(
    rig: Rig, mouse: Path, needs: str, status: int, said: str
) -> None:
    mouse.write_text(MOUSE.replace('"left",', needs))
    answer = rig("sim", "delay_discounting", "--model", "./mouse.py", *SHORT)
    assert (answer.status, said in answer.err) == (status, True)


@pytest.mark.usefixtures("mouse")
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_virtual_subject_may_be_a_class_in_a_file(rig: Rig, data: Path, jobs: int) -> None:
    words = ("--model", "./mouse.py:Mouse", *SHORT[2:], "--subjects", 2, "--jobs", jobs, "--json")
    answer = rig("sim", "free_water", *words)
    assert answer.status == 0
    assert {each["trials"] for each in json.loads(answer.out)["sessions"]} == {54}
    assert header(data).model == "mouse.py:Mouse"
    assert header(data).model_code == {"mouse.py": hashlib.sha256(MOUSE.encode()).hexdigest()}
    assert header(installed_one(rig, data)).model_code == {}


def installed_one(rig: Rig, data: Path) -> Path:
    folder = data / "others"
    assert rig("sim", "free_water", "--model", "random_explorer", *SHORT, "--data", folder).status == 0
    return folder


@pytest.mark.parametrize(
    ("word", "text", "said"),
    [
        ("./mouse.py:Moose", MOUSE, "mouse.py has no virtual subject Moose; did you mean 'Mouse'? it has: Mouse"),
        ("./moose.py", MOUSE, "there is no file moose.py; did you mean 'mouse.py'?"),
        ("./mouse.py", "x = 1\n", "mouse.py defines no virtual subject: class Mouse(Model)"),
        ("./mouse.py", "import nothing_there\n", "mouse.py:1: ModuleNotFoundError"),
        (
            "./mouse.py",
            MOUSE.replace('needs = ("left",)', "def __init__(self, params):\n        1 / 0"),
            "mouse.py:7: Zero",
        ),
        (
            "./mouse.py",
            MOUSE.replace('needs = ("left",)', "def __init__(self, params):\n        raise SystemExit(0)"),
            "mouse.py:7: SystemExit",
        ),
        ("./mouse.py", MOUSE.replace('"left",', '"elsewhere",'), "and this rig has no elsewhere; it has left, center"),
    ],
)
def test_a_file_without_a_sound_virtual_subject_is_refused_and_leaves_nothing(
    rig: Rig, data: Path, mouse: Path, word: str, text: str, said: str
) -> None:
    mouse.write_text(text)
    answer = rig("sim", "free_water", "--model", word, *SHORT)
    assert (answer.status, list(data.rglob("journal.jsonl"))) == (2, [])
    assert said in answer.err


def test_a_virtual_subject_that_ends_the_program_ends_its_session_alone(rig: Rig, mouse: Path) -> None:
    mouse.write_text(MOUSE.replace("while True:", "print('hello')\n        while [exit()]:"))
    answer = rig("sim", "free_water", "--model", "./mouse.py", *SHORT[2:], "--subjects", 2, "--json")
    sessions = json.loads(answer.out)["sessions"]
    assert (answer.status, [each["reason"] for each in sessions]) == (1, ["fault", "fault"])
    assert sessions[0]["detail"].endswith("the virtual subject called sys.exit")


@pytest.mark.usefixtures("mouse")
@pytest.mark.parametrize("more", [("--json",), (), ("--sessions", 2)])
def test_a_session_without_a_trial_asks_whether_it_was_the_right_subject(rig: Rig, more: tuple[Any, ...]) -> None:
    answer = rig("sim", "two_armed_bandit", "--model", "./mouse.py:Mouse", *SHORT, *more)
    assert answer.status == 0
    said = " ".join((answer.out + answer.err).split())
    assert "not one trial: mouse.py:Mouse did nothing that two_armed_bandit asks for" in said


def test_a_session_that_gave_rewards_in_no_trial_asks_for_the_protocols_and_not_for_the_subject() -> None:
    summary = {"model": "random_explorer", "protocol": "mine", "trials": 0, "rewards": 5, "reason": "time_limit"}
    assert list(remarks(summary)) == ["not one trial, though 5 rewards given: does mine begin trials?"]


def test_a_recording_that_is_longer_than_the_session_says_how_much_is_missing(rig: Rig, tmp_path: Path) -> None:
    rows = [f"{10 * number},9,0.5,1,0.1,0.9,0" for number in range(1, 21)]
    path = tmp_path / "long.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n")
    answer = rig("sim", "two_armed_bandit_as_run", "--model", "recorded", "--param", f"file={path}", *SHORT, "--json")
    (summary,) = json.loads(answer.out)["sessions"]
    assert summary["remark"] == f"{20 - summary['trials']} of the 20 decisions of long.csv were not made before the end"
    assert 4 <= summary["trials"] <= 7
    assert summary["remark"] in answer.err
