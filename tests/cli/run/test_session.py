"""`rig run` from the door to the end screen: what it shows, asks, refuses, and writes down."""

import datetime
import json
import os
from pathlib import Path
from typing import Any

import pytest

from rig.cli.run.real_time import KEYS
from rig.cli.run.top_up_after import top_up_after
from rig.config.subject import SubjectFile
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import RecordError
from rig.records.subject.known_subject import KnownSubject
from tests.cli.conftest import BANDIT, Rig
from tests.cli.processes import posix

MOUSE = ("run", *BANDIT, "--set", "stop.session_s=0.2")
"""A virtual mouse in real time, briefly."""


def flat(text: str) -> str:
    """A text without the folds of its lines."""
    return " ".join(text.split())


def environment(data: Path) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads(next(data.rglob("environment.json")).read_text())
    return facts


def test_a_virtual_mouse_needs_no_confirmation_and_its_screens_are_shown(rig: Rig, data: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--set", "params.p_high=0.9", "--experimenter", "AB")
    assert answer.status == 0, answer.err
    for words in ("M1, played by the model rflr", "p_high  0.9  (default 0.8)", "2.5 ul in 40.0 ms", "first session"):
        assert words in answer.err
    assert "experimenter  AB" in answer.err
    assert environment(data)["experimenter"] == "AB"
    assert answer.out.endswith(f"records: {data / 'sim' / 'M1' / '2026-11-21' / '001'}\n")


def test_with_json_standard_output_is_nothing_else(rig: Rig, data: Path) -> None:
    answer = rig(*MOUSE, "--subject", "M1", "--json")
    assert json.loads(answer.out)["reason"] == "time_limit"
    assert "the time limit was reached" in answer.err


def test_no_line_of_the_screens_is_longer_than_the_terminal(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for _ in range(2):
        answer = rig(*MOUSE, "--subject", "M1", "--experimenter", "a person with a long name " * 8)
    lines = [line for line in (answer.out + answer.err).splitlines() if not line.startswith("records: ")]
    assert max(len(line.expandtabs()) for line in lines) <= 80


@posix
@pytest.mark.real_time
def test_an_enter_from_before_the_question_is_no_answer(data: Path) -> None:
    from tests.cli.pseudo_terminal import terminal
    from tests.cli.terminal.test_display import until

    with terminal("run", "two_armed_bandit", "--subject", "me", "--model", "keyboard") as screen:
        os.write(screen.master, b"\n\n")
        until(lambda: screen.shows("Is it me?"))
        assert screen.process.poll() is None
        until(lambda: screen.shows(KEYS))
        os.write(screen.master, b"n\n")
        assert screen.ends() == 2
    assert "Not confirmed" in screen.text
    assert not data.exists()


def test_a_session_that_has_ended_is_shown_though_nobody_can_read_what_was_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*words: object) -> None:
        raise RecordError("M1: cannot be read: Too many open files")

    monkeypatch.setattr("rig.cli.run.top_up_after.top_up_of", refused)
    known = KnownSubject(SubjectFacts(), SubjectFile(daily_target_ul=1000))
    said = top_up_after(known, tmp_path, datetime.datetime(2026, 11, 23, 9))
    assert said == (None, "unknown: M1: cannot be read: Too many open files")
