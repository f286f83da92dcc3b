"""`rig session`: find the running session that is meant, and print what it answers."""

import datetime
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.session import control as module
from rig.core.journal.header import Footer
from rig.core.journal.kinds import OperatorNote, Paused, RewardLine
from rig.system import control_socket
from rig.system.control_socket import Answer
from tests.cli.conftest import Rig
from tests.cli.panicked import ended_by_panic
from tests.cli.processes import begun, journal, posix, start, until

STATUS = {
    "ok": True,
    "text": "choose",
    "protocol": "two_armed_bandit",
    "variant": None,
    "rig": "box1",
    "simulated": False,
    "folder": "records/M1/2026-11-21/001",
    "state": "choose",
    "trials": 12,
    "rewards": 1,
    "elapsed_s": 61.5,
    "session_s": 2400,
    "live": {"reward_ul": 2.5, "iti_min_s": 1.0, "initiation_timeout_s": None},
    "set": {},
    "set_next": {},
}
Sessions = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> Sessions:
    """Let sessions of these subjects run; what they are asked is kept, and they answer it."""
    asked: list[dict[str, Any]] = []

    def run(*subjects: str, answer: Answer | None = None) -> list[dict[str, Any]]:
        found = [(Path(subject), {**STATUS, "subject": subject}) for subject in subjects]
        monkeypatch.setattr(control_socket, "running", lambda: found)

        def ask(path: Path, request: dict[str, Any]) -> Answer:
            asked.append({"of": path.name, **request})
            return answer or {"ok": True, "text": "left: 2.5 ul given"}

        monkeypatch.setattr(module, "ask", ask)
        return asked

    return run


def test_the_only_session_needs_no_name(rig: Rig, running: Sessions) -> None:
    asked = running("M1")
    answer = rig("session", "reward", "left")
    assert (answer.status, answer.out) == (0, "left: 2.5 ul given\n")
    rig("session", "note", "3", "drops", "spilled")
    rig("session", "end")
    assert asked == [
        {"of": "M1", "do": "reward", "source": "left"},
        {"of": "M1", "do": "note", "text": "3 drops spilled"},
        {"of": "M1", "do": "end"},
    ]


def test_of_several_sessions_the_subject_says_which(rig: Rig, running: Sessions) -> None:
    asked = running("M1", "M2")
    answer = rig("session", "end")
    assert (answer.status, answer.err) == (2, "2 sessions run: say which with --subject: M1, M2\n")
    assert rig("session", "end", "--subject", "M2").status == 0
    assert asked == [{"of": "M2", "do": "end"}]


def test_a_box_is_as_good_as_its_subject(rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = running("M1", "M2")
    boxes = [(Path(name), {**STATUS, "subject": name, "box": box}) for name, box in (("M1", "box a"), ("M2", None))]
    monkeypatch.setattr(control_socket, "running", lambda: boxes)
    rig("session", "end", "--subject", "box a")
    assert asked == [{"of": "M1", "do": "end"}]
    assert "say which with --subject: M1 in box a, M2" in rig("session", "end").err


def test_the_list_has_the_variant_of_the_protocol(rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = {**STATUS, "subject": "M1", "box": "box a", "variant": "two_armed_bandit_90-10"}
    monkeypatch.setattr(control_socket, "running", lambda: [(Path("M1"), variant)])
    assert rig("session", "list").out.startswith("box a: M1: two_armed_bandit_90-10 on box1, ")


def test_a_subject_without_a_session_or_with_two_is_an_error(rig: Rig, running: Sessions) -> None:
    running("M1", "M2", "M2")
    answer = rig("session", "end", "--subject", "M3")
    assert (answer.status, answer.err) == (2, "--subject M3: no session of this name runs; running: M1, M2, M2\n")
    assert "2 sessions of this name run" in rig("session", "end", "--subject", "M2").err


def test_without_a_session_each_command_says_so(rig: Rig, runtime: Path) -> None:
    assert rig("session", "list").out == "no session runs\n"
    assert json.loads(rig("session", "list", "--json").out) == []
    answer = rig("session", "reward", "left")
    assert answer.status == 2
    assert answer.err == "no session runs on this computer under your user that can be reached\n"


def test_a_refusal_is_printed_with_its_reason(rig: Rig, running: Sessions) -> None:
    running("M1", answer={"ok": False, "error": "left: not given, because a limit is reached"})
    answer = rig("session", "reward", "left")
    assert (answer.status, answer.out, answer.err) == (2, "", "left: not given, because a limit is reached\n")


def test_the_list_has_a_line_for_each_session(rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    running("M1")
    line = "M1: two_armed_bandit on box1, choose, 1:01 of 40:00, 12 trials, 1 reward; records/M1/2026-11-21/001\n"
    assert rig("session", "list").out == line
    assert json.loads(rig("session", "list", "--json").out)[0]["subject"] == "M1"
    stuck = [(Path("1.sock"), {"ok": False, "error": "the session does not answer"})]
    monkeypatch.setattr(control_socket, "running", lambda: stuck)
    assert rig("session", "list").out == "one that cannot be asked: the session does not answer\n"
    assert "running: one that does not answer" in rig("session", "end", "--subject", "M1").err


def test_a_session_whose_board_is_lost_says_so_and_how_long_it_waits(
    rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        control_socket, "running", lambda: [(Path("M1"), {**STATUS, "subject": "M1", "reconnect_s": 41.6})]
    )
    said = "M1: two_armed_bandit on box1, BOARD LOST: plug it in within 42 s, choose, "
    assert rig("session", "list").out.startswith(said)


def test_a_parameter_is_set_and_the_list_shows_it(rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = running("M1", answer={"ok": True, "text": "reward_ul is 3 from the next trial on"})
    assert rig("session", "set", "reward_ul=3", "--subject", "M1").out == "reward_ul is 3 from the next trial on\n"
    assert asked == [{"of": "M1", "do": "set", "param": "reward_ul=3"}]
    changed = {**STATUS, "subject": "M1", "set": {"iti_min_s": 2.0}, "set_next": {"reward_ul": 3.0}}
    monkeypatch.setattr(control_socket, "running", lambda: [(Path("M1"), changed)])
    assert ", 1 reward, set iti_min_s=2, from the next trial on reward_ul=3; " in rig("session", "list").out


def test_without_a_value_the_parameters_that_may_change_are_listed(rig: Rig, running: Sessions) -> None:
    running("M1", answer={**STATUS, "set_next": {"iti_min_s": 2.0}})
    assert rig("session", "set").out == (
        "reward_ul=2.5\niti_min_s=1, 2 from the next trial on\ninitiation_timeout_s=null\n"
    )
    running("M1", answer={**STATUS, "live": {}})
    assert rig("session", "set").out == "no parameter of this protocol may change during a session\n"


def test_the_list_names_the_box(rig: Rig, running: Sessions, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STATUS, "box", "box 1")
    running("M1")
    assert rig("session", "list").out.startswith("box 1: M1: two_armed_bandit on box1, choose")


def test_a_session_that_a_panic_button_has_ended_today_is_listed_until_the_next_one(
    rig: Rig, data: Path, running: Sessions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(common, "now", lambda: datetime.datetime(2026, 11, 21, 9))
    ended_by_panic(data, "2026-11-21", "M1")
    ended_by_panic(data, "2026-11-20", "M2")
    running("M3")
    first, second = rig("session", "list").out.splitlines()
    assert first.startswith("M1: PANIC: everything is off: the panic button of board sim (pin 12) was pressed; ")
    assert second.startswith("M3: ")
    assert [each.get("reason") for each in json.loads(rig("session", "list", "--json").out)] == [None, "panic"]
    running("M1")
    assert "PANIC" not in rig("session", "list").out


@posix
@pytest.mark.real_time
def test_a_session_of_another_terminal_is_rewarded_noted_and_ended(rig: Rig, data: Path, runtime: Path) -> None:
    task = ("two_armed_bandit", "--subject", "M1", "--model", "rflr", "--seed", "1")
    session = start("run", *task, env={"RIG_DATA": str(data), control_socket.FOLDER: str(runtime)})
    try:
        until(lambda: begun(data))
        assert [path.stem for path in runtime.iterdir()] == [str(session.pid)]
        assert rig("session", "list").out.startswith("M1: two_armed_bandit on sim_nose_ports, simulated, ")
        assert rig("session", "reward", "left").out == "left: 2.5 ul given\n"
        assert "no reward at 'attic'" in rig("session", "reward", "attic").err
        assert rig("session", "note", "the mouse sleeps").out == "noted\n"
        assert rig("session", "set", "reward_ul=3").out == "reward_ul is 3 from the next trial on\n"
        assert "reward_ul: must be <= 10, got 30" in rig("session", "set", "reward_ul=30").err
        assert "at most 30 minutes, then the session ends" in rig("session", "pause").out
        until(lambda: [line for line in journal(data) if isinstance(line, Paused)])
        assert ", paused in " in rig("session", "list").out
        assert rig("session", "resume").out == "the session goes on\n"
        assert rig("session", "end").out == "the session ends\n"
        assert session.wait(30) == 130
    finally:
        session.kill()
        session.communicate()
    lines = journal(data)
    assert {line.delivered_by for line in lines if isinstance(line, RewardLine)} >= {"operator"}
    assert [line.text for line in lines if isinstance(line, OperatorNote)] == ["the mouse sleeps"]
    assert isinstance(lines[-1], Footer)
    assert lines[-1].reason == "operator"
    assert list(runtime.iterdir()) == []


@posix
@pytest.mark.real_time
def test_a_killed_session_is_not_listed(rig: Rig, data: Path, runtime: Path) -> None:
    task = ("two_armed_bandit", "--subject", "M1", "--model", "rflr")
    session = start("run", *task, env={"RIG_DATA": str(data), control_socket.FOLDER: str(runtime)})
    until(lambda: begun(data))
    session.kill()
    session.communicate()
    assert len(os.listdir(runtime)) == 1
    assert rig("session", "list").out == "no session runs\n"
    assert os.listdir(runtime) == []


def test_the_list_is_in_the_order_of_boxes_and_subjects(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    found = [
        (Path(name), {**STATUS, "subject": name, "box": box}) for name, box in (("M3", "b"), ("M2", "a"), ("M1", None))
    ]
    monkeypatch.setattr(control_socket, "running", lambda: found)
    assert [line.split(": two")[0] for line in rig("session", "list").out.splitlines()] == ["M1", "a: M2", "b: M3"]
