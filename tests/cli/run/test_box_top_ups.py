"""When the table of the boxes has ended, also a second one, each animal's top-up is asked for, or printed."""

import datetime
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.run.top_up_after import confirm_top_ups
from rig.cli.session import attach as module
from rig.cli.terminal import prompt
from rig.core.journal.kinds import HandGiven
from rig.records.subject_events import read_events
from rig.supervisor import box as box_module
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from tests.cli.conftest import Rig
from tests.supervisor.boxes import FakeAsker, PlayedBox

NOW = datetime.datetime(2026, 11, 24, 12)
DUE = "OPEN, of 2026-11-24: 1000 ul were never confirmed"


@pytest.fixture(autouse=True)
def at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(common, "now", lambda: NOW)
    monkeypatch.setattr(box_module, "SessionAsker", FakeAsker)
    monkeypatch.setenv("RIG_EXPERIMENTER", "anna")


@pytest.fixture
def ended(data: Path, tmp_path: Path) -> PlayedBox:
    """A box whose session has ended, with an animal that is due all its water."""
    (data / "M1").mkdir(parents=True)
    (data / "M1" / "subject.yaml").write_text("baseline_g: 24\ndaily_target_ul: 1000\n")
    return PlayedBox(tmp_path).run(simulated=False, start="2026-11-24T09:00:00").end("operator")


def test_what_is_due_is_printed_where_no_person_answers(
    ended: PlayedBox, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    confirm_top_ups([ended.box], data, None)
    assert DUE in capsys.readouterr().err


def test_the_answer_of_a_person_is_recorded(ended: PlayedBox, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(prompt, "is_interactive", lambda: True)
    monkeypatch.setattr(prompt, "ask_now", lambda question: asked.append(question) or "y")
    confirm_top_ups([ended.box], data, None)
    assert asked == ["M1 is due 1000 ul. Given? [y: all; such as 200ul; Enter: no] "]
    (given,) = read_events(data / "M1").of_kind(HandGiven)
    assert (given.ul, given.by) == (1000, "anna")


def test_a_session_that_runs_or_has_no_animal_is_asked_nothing(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    start = "2026-11-24T09:00:00"
    simulated = PlayedBox(tmp_path, "two", "M2").run(simulated=True, start=start).end()
    runs = PlayedBox(tmp_path, "three", "M3").run(simulated=False, start=start)
    confirm_top_ups([simulated.box, runs.box, PlayedBox(tmp_path, "four", "M4").box], data, None)
    assert capsys.readouterr().err == ""


def test_of_an_animal_that_is_in_another_box_by_now_nothing_is_asked(
    ended: PlayedBox, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    now = PlayedBox(tmp_path, "box_2").run(simulated=False, start="2026-11-24T11:00:00")
    confirm_top_ups([ended.box, now.box], data, None)
    assert capsys.readouterr().err == ""


def test_an_animal_whose_records_cannot_be_read_keeps_no_other_from_its_water(
    ended: PlayedBox, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "M2" / "events.jsonl").mkdir(parents=True)
    damaged = PlayedBox(tmp_path, "box_2", "M2").run(simulated=False, start="2026-11-24T09:00:00").end("operator")
    confirm_top_ups([damaged.box, ended.box], data, None)
    said = capsys.readouterr().err
    assert "box_2: M2: top-up unknown: " in said
    assert DUE in said


def test_a_person_who_is_not_on_the_list_is_told_and_what_is_due_is_printed(
    ended: PlayedBox, data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(data)
    (data / "rig.toml").write_text('experimenters = ["bob"]\n')
    confirm_top_ups([ended.box], data, None)
    assert DUE in capsys.readouterr().err
    assert not list(read_events(data / "M1").of_kind(HandGiven))


def test_a_table_that_was_taken_up_again_asks_too(
    rig: Rig, ended: PlayedBox, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = "2026-11-24T09:00:00"
    StartedSessions(data).add(StartedSession("box_1", "M1", 1, "log", at, str(ended.folder), this_computer()))
    StartedSessions(data).add_folder(1, "", ended.folder)
    monkeypatch.setattr(module, "is_running", lambda pid, mark: True)

    def show(boxes: list[Any], wakeup: Any, start: Any, *, as_json: bool) -> int:
        for box in boxes:
            monkeypatch.setattr(box_module, "is_running", lambda pid, mark: False)
            box.update()
        return 0

    monkeypatch.setattr(module, "show_boxes", show)
    assert DUE in rig("session", "attach").err
