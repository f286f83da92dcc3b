"""The commands that the launcher runs, as programs of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.records.subject_events import read_events
from rig.terminal.questions import parse_question
from rig.window import __main__ as window_program
from rig.window.launch import WindowRequest
from rig.window.launcher import program as module
from rig.window.launcher.commands import Commands, request_words, typed
from rig.window.launcher.program import LONGEST_BYTES, MOST_LINES, NOT_STARTED, Line, Program
from tests.cli.processes import posix
from tests.repository import ROOT

WITHIN_S = 60.0
HELPER = """
import sys, time
from rig.window.launcher.program import Program
program = Program(sys.argv[1:])
while not any("Is 5 g right" in line.text for line in program.lines()):
    time.sleep(0.05)
print("asked", flush=True)
time.sleep(600)
"""


def until(true: Callable[[], object]) -> None:
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < WITHIN_S
        time.sleep(0.02)


@pytest.fixture
def weigh(tmp_path: Path) -> list[str]:
    """A command that asks whether a weight is right."""
    (tmp_path / "M1").mkdir()
    (tmp_path / "M1" / "subject.yaml").write_text("baseline_g: 25\n")
    return ["subject", "weigh", "M1", "5", "--by", "anna", "--data", str(tmp_path)]


@pytest.mark.real_time
@pytest.mark.slow
def test_a_question_is_answered_and_the_answer_is_recorded(weigh: list[str], tmp_path: Path) -> None:
    program, lines = Program(weigh), list[Line]()

    def is_asked() -> bool:
        lines.extend(program.lines())
        return any(parse_question(line.text) for line in lines)

    until(is_asked)
    program.answer("5")
    until(lambda: lines.extend(program.lines()) or program.status is not None)
    assert program.status == 0, lines
    assert any(line.text.startswith("M1: 5 g") and not line.is_error for line in lines)
    assert len(read_events(tmp_path / "M1").lines) == 1


@posix
@pytest.mark.real_time
@pytest.mark.slow
def test_a_launcher_that_is_killed_leaves_the_question_without_an_answer(weigh: list[str], tmp_path: Path) -> None:
    launcher = subprocess.Popen(
        [sys.executable, "-c", HELPER, *weigh], stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True
    )
    assert launcher.stdout is not None
    with launcher, launcher.stdout:
        assert launcher.stdout.readline() == b"asked\n"
        (command,) = (
            int(pid) for pid in Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children").read_text().split()
        )
        os.kill(launcher.pid, signal.SIGKILL)
    until(lambda: not Path(f"/proc/{command}").exists())
    assert read_events(tmp_path / "M1").lines == ()


def test_a_program_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PYTHON", "/nowhere/python")
    program = Program(["boxes", "show", "mice"])
    assert [line.text for line in program.lines()] == ["the program cannot be started: No such file or directory"]
    assert program.status == NOT_STARTED
    program.answer("y")
    program.leave()


@pytest.mark.parametrize(("boxes_file", "lowered"), [("", 1), ("mice", 0)])
def test_a_launcher_keeps_the_priority_that_its_sessions_will_have(
    boxes_file: str, lowered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    class Application:
        @staticmethod
        def run(arguments: list[str]) -> int:
            return 0

    monkeypatch.setattr(window_program, "lower_priority", lambda: done.append("lowered"))
    monkeypatch.setattr(window_program, "load", lambda: Application)
    monkeypatch.setattr(window_program.signal, "signal", lambda number, handler: None)
    *_, text = WindowRequest(boxes_file=boxes_file).command()
    assert window_program.main(["rig.window", text]) == 0
    assert len(done) == lowered


@posix
@pytest.mark.real_time
def test_no_command_colors_its_lines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    shows = tmp_path / "shows"
    shows.write_text(f"#!{sys.executable}\nimport os\nprint(sorted(name for name in os.environ if 'COL' in name))\n")
    shows.chmod(0o700)
    monkeypatch.setattr(module, "PYTHON", str(shows))
    monkeypatch.setenv("FORCE_COLOR", "1")
    program, lines = Program(["boxes", "show", "mice"]), list[Line]()
    until(lambda: lines.extend(program.lines()) or program.status is not None)
    assert "FORCE_COLOR" not in lines[0].text


@posix
@pytest.mark.real_time
@pytest.mark.parametrize("prints", ["print('x' * 10_000_000)", "while True: print('x')"])
def test_a_command_that_prints_without_end_holds_neither_the_window_nor_the_memory(
    prints: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    talks = tmp_path / "talks"
    talks.write_text(f"#!{sys.executable}\n{prints}\n")
    talks.chmod(0o700)
    monkeypatch.setattr(module, "PYTHON", str(talks))
    program = Program(["boxes", "show", "mice"])
    assert program._process is not None
    try:
        until(program._lines.qsize)
        until(lambda: program._lines.full() or program._process.poll() is not None)  # type: ignore[union-attr]
        lines = list(program.lines())
        assert 0 < len(lines) <= MOST_LINES
        assert max(len(line.text) for line in lines) <= LONGEST_BYTES
    finally:
        program._process.kill()
    until(lambda: list(program.lines()) or program.status is not None)


def test_the_command_that_is_shown_is_one_that_a_person_can_type() -> None:
    commands = Commands("my mice", ["--data", "/the data"], "Ann Lee")
    assert typed(commands.start(["box 1"])) == (
        "rig run --boxes 'my mice' --only 'box 1' --leave --experimenter 'Ann Lee' --data '/the data'"
    )
    assert typed(request_words({"do": "set", "param": "reward_ul=3"}, "M1")) == (
        "rig session set reward_ul=3 --subject M1"
    )
    assert typed(request_words({"do": "resume"}, "M1")) == "rig session resume --subject M1"
