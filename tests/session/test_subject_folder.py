"""A subject's folder: one session at a time, and a state that is never half written and never guessed."""

import errno
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError, RecordError
from rig.session import subject_folder as module
from rig.session.subject_folder import PREVIOUS, STATE, SubjectFolder, check_name
from tests.killed_program import killed_before


def rebuilt_by(data: Path) -> str:
    return f"`rig subject rebuild M1 --data {re.escape(str(data))}`"


def read(path: Path) -> Any:
    return json.loads(path.read_text())


def test_the_days_on_which_it_was_here_are_counted_up_to_today(tmp_path: Path) -> None:
    for folder in ("2026-11-19/001", "2026-11-20/001", "2026-11-20/002", "2026-11-21/001", "notes"):
        (tmp_path / "M1" / folder).mkdir(parents=True)
    subject = SubjectFolder(tmp_path, "M1")
    assert [subject.days_before(date) for date in ("2026-11-19", "2026-11-21", "2027-01-01")] == [0, 2, 3]


@pytest.mark.parametrize("simulated", [False, True])
def test_two_animals_never_share_a_folder_where_capital_letters_do_not_count(tmp_path: Path, simulated: bool) -> None:
    with SubjectFolder(tmp_path, "M7", simulated=simulated):
        pass
    with (
        pytest.raises(ConfigError, match="subject 'm7': there is M7"),
        SubjectFolder(tmp_path, "m7", simulated=simulated),
    ):
        pass
    with SubjectFolder(tmp_path, "M7", simulated=simulated):
        pass


def test_both_are_used_where_an_earlier_program_has_made_both(tmp_path: Path) -> None:
    for name in ("M7", "m7"):
        (tmp_path / name).mkdir()
        with SubjectFolder(tmp_path, name) as subject:
            assert subject.folder.name == name


def refuse(*words: Any, **options: Any) -> Any:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.mark.parametrize("call", ["listdir", "stat"])
def test_a_folder_that_the_system_does_not_read_is_said_and_is_no_new_subject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    (tmp_path / "M1" / "2026-11-19" / "001").mkdir(parents=True)
    with SubjectFolder(tmp_path, "M1") as subject:
        monkeypatch.setattr(os, call, refuse)
        with pytest.raises(RecordError, match="cannot be read: Input/output error"):
            subject.state()
        monkeypatch.undo()
        assert not (subject.folder / STATE).exists()


def test_days_that_the_system_does_not_tell_are_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        monkeypatch.setattr(os, "listdir", refuse)
        with pytest.raises(RecordError, match="cannot be read: Input/output error"):
            subject.days_before("2026-11-21")


def test_a_lock_that_can_not_be_given_back_fails_no_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        monkeypatch.setattr(subject._lock, "release", refuse)
    monkeypatch.undo()
    subject._lock.release()


# --- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["M1", "mouse_7", "a", "B6.Cg-Tg", "0042", "x" * 64])
def test_a_name_that_can_be_a_folder_everywhere_is_taken(name: str) -> None:
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", ".", "..", "../M1", "a/b", "a\\b", "/tmp", "-x", "_x", ".hidden", "M 1", "M1\n", "Mäuschen", "x" * 65],
)
def test_a_name_that_can_not_be_a_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="cannot be a folder's name: use up to 64 letters"):
        SubjectFolder(tmp_path / "data", name)
    assert not (tmp_path / "data").exists()


# --- the lock -------------------------------------------------------------------------------------------------


def test_two_sessions_of_one_subject_are_one_too_many(tmp_path: Path) -> None:
    with (
        SubjectFolder(tmp_path, "M1"),
        pytest.raises(ConfigError, match="another session of 'M1' is running; wait for its end"),
        SubjectFolder(tmp_path, "M1"),
    ):
        pass
    with SubjectFolder(tmp_path, "M1"):
        pass


def test_two_subjects_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with SubjectFolder(tmp_path, "M1"), SubjectFolder(tmp_path, "M2"):
        pass


def test_a_lock_holds_against_other_processes_and_dies_with_its_own(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from rig.session.subject_folder import SubjectFolder\n"
        "with SubjectFolder(Path(sys.argv[1]), 'M1'): print('locked', flush=True); sys.stdin.readline()"
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    other = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], env=kept, stdin=-1, stdout=-1, text=True)
    assert other.stdout is not None
    assert other.stdin is not None
    with other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(ConfigError, match="another session"), SubjectFolder(tmp_path, "M1"):
            pass
        other.kill()
        other.wait(30)
    with SubjectFolder(tmp_path, "M1"):
        pass


def test_a_lock_is_let_go_of_when_a_session_crashes(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="crash"), SubjectFolder(tmp_path, "M1"):
        raise ValueError("crash")
    with SubjectFolder(tmp_path, "M1"):
        pass


@pytest.mark.parametrize("place", ["M1", "."])
def test_a_file_where_the_folder_should_be_is_said_in_words(tmp_path: Path, place: str) -> None:
    data = tmp_path / "data"
    if place != ".":
        data.mkdir()
    (data / place).write_text("a file")
    with pytest.raises(RecordError, match="cannot be used for records"), SubjectFolder(data, "M1"):
        pass


# --- the state ------------------------------------------------------------------------------------------------


def test_a_new_subject_begins_with_an_empty_state(tmp_path: Path) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        assert subject.state() == {}
        assert read(tmp_path / "M1" / STATE) == {}


def test_a_state_is_read_back_as_it_was_written_and_the_previous_one_is_kept(tmp_path: Path) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        for stage in range(3):
            subject.write_state({"task": {"stage": stage}})
        assert subject.state() == {"task": {"stage": 2}}
        assert read(tmp_path / "M1" / PREVIOUS) == {"task": {"stage": 1}}


def test_a_crash_in_the_very_first_session_does_not_block_the_subject(tmp_path: Path) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        subject.state()
        (tmp_path / "M1" / "2026-11-21" / "001").mkdir(parents=True)
    with SubjectFolder(tmp_path, "M1") as subject:
        assert subject.state() == {}


@pytest.mark.parametrize(
    "text", ["", "{", '{"task": ', "\x00\x00", "[]", "3", '"state"', "null", '{"task": 5}', '{"task": null}']
)
def test_sessions_without_a_readable_state_stop_and_name_what_helps(tmp_path: Path, text: str) -> None:
    (tmp_path / "M1" / "2026-11-21" / "001").mkdir(parents=True)
    (tmp_path / "M1" / STATE).write_text(text)
    with (
        SubjectFolder(tmp_path, "M1") as subject,
        pytest.raises(RecordError, match=rebuilt_by(tmp_path)),
    ):
        subject.state()


def test_sessions_without_any_state_stop_and_name_what_helps(tmp_path: Path) -> None:
    (tmp_path / "M1" / "2026-11-21" / "001").mkdir(parents=True)
    with (
        SubjectFolder(tmp_path, "M1") as subject,
        pytest.raises(RecordError, match=rebuilt_by(tmp_path)),
    ):
        subject.state()
    assert not (tmp_path / "M1" / STATE).exists()


def test_a_state_that_is_a_folder_or_not_utf8_is_not_readable_either(tmp_path: Path) -> None:
    (tmp_path / "M1" / STATE).mkdir(parents=True)
    with SubjectFolder(tmp_path, "M1") as subject, pytest.raises(RecordError, match="rebuild"):
        subject.state()
    (tmp_path / "M1" / STATE).rmdir()
    (tmp_path / "M1" / STATE).write_bytes(b'{"\xff": {}}')
    with SubjectFolder(tmp_path, "M1") as subject, pytest.raises(RecordError, match="rebuild"):
        subject.state()


@pytest.mark.parametrize("call", range(12))
def test_a_power_cut_while_the_state_is_written_leaves_the_old_one_or_the_new_one(tmp_path: Path, call: int) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        subject.write_state({"task": {"stage": 1}})
        subject.write_state({"task": {"stage": 2}})
        (tmp_path / "M1" / "2026-11-21" / "001").mkdir(parents=True)
        with killed_before(call, {module.os: ("replace", "fsync", "open", "close")}) as calls:
            subject.write_state({"task": {"stage": 3}})
        assert subject.state()["task"]["stage"] in ((2, 3) if calls.killed else (3,))
        assert read(tmp_path / "M1" / PREVIOUS)["task"]["stage"] in ((1, 2) if calls.killed else (2,))
        subject.write_state({"task": {"stage": 4}})
        assert subject.state() == {"task": {"stage": 4}}


def test_a_state_that_can_not_be_written_is_said_in_words(tmp_path: Path) -> None:
    with SubjectFolder(tmp_path, "M1") as subject:
        subject.write_state({"task": {"stage": 1}})
        (tmp_path / "M1" / f".{STATE}.new").mkdir()
        with pytest.raises(RecordError, match=r"state\.json: cannot be written: Is a directory"):
            subject.write_state({"task": {"stage": 2}})
        assert subject.state() == {"task": {"stage": 1}}
