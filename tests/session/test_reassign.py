"""A session under the wrong animal is moved to the right one; killed anywhere, the same command completes it."""

import datetime
import os
import shutil
from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.kinds import SessionMoved
from rig.records.journal.read import JOURNAL
from rig.records.session.moves import Reassignment, find_session, unfinished_moves
from rig.records.session.subject import subject_of
from rig.records.subject.deliveries import delivered_between
from rig.records.subject_events import read_events
from rig.session import reassign as module
from rig.session.reassign import reassign
from rig.session.subject_folder import SubjectFolder
from tests.killed_program import killed_before
from tests.past_sessions import rewarded_rows, write_session
from tests.tables import rows

NOON = datetime.datetime(2026, 11, 21, 12)
SESSION = "2026-11-21/001"


STEPS = {
    module: ("append_events", "write_atomic", "sync_folder"),
    os: ("rename",),
    Path: ("mkdir", "rmdir"),
    SubjectFolder: ("write_state",),
}
"""What a move does to the disk."""


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("M1", "M2"):
        with SubjectFolder(tmp_path, name) as subject:
            subject.state()
    write_session(tmp_path / "M1", 21, rows=rewarded_rows(1, 0))
    write_session(tmp_path / "M2", 21, rows=rewarded_rows(1))
    return tmp_path


def move(data: Path, session: str = f"M1/{SESSION}", to: str = "M2") -> Reassignment:
    return reassign(data, data / session, to, "Ada", "wrong card", NOON)


def moves(folder: Path) -> list[tuple[str, str, str, str]]:
    lines = read_events(folder).of_kind(SessionMoved)
    return [(line.old, line.session, line.new, line.place) for line in lines]


def test_a_session_moves_with_its_amounts_and_both_histories_say_so(data: Path) -> None:
    moved = move(data)
    assert (moved.session, moved.place) == (SESSION, "2026-11-21/002")
    assert (data / "M2" / "2026-11-21" / "002" / JOURNAL).is_file()
    assert not (data / "M1" / SESSION / JOURNAL).exists()
    assert "M2/2026-11-21/002" in (data / "M1" / SESSION / "moved.txt").read_text()
    for name in ("M1", "M2"):
        assert moves(data / name) == [("M1", SESSION, "M2", "2026-11-21/002")]
    assert subject_of(data / "M2" / "2026-11-21" / "002", "M1") == "M2"
    assert subject_of(data / "M2" / "2026-11-21" / "001", "M1") == "M1", "a header that is contradicted by no event"


def test_the_same_command_again_changes_nothing(data: Path) -> None:
    move(data)
    before = {path: path.read_bytes() for path in data.rglob("*.*") if path.is_file()}
    assert move(data).place == "2026-11-21/002"
    after = {path: path.read_bytes() for path in data.rglob("*.*") if path.is_file()}
    assert {path.name for path in before if after[path] != before[path]} <= {"state.previous.json"}
    assert after.keys() == before.keys()


def test_a_session_may_move_back_and_on(data: Path) -> None:
    assert move(data, to="M2").place == "2026-11-21/002"
    assert move(data, "M2/2026-11-21/002", "M1").place == "2026-11-21/002", "the number 001 is not used again"
    assert move(data, "M1/2026-11-21/002", "M2").place == "2026-11-21/003"


@pytest.mark.parametrize("kill_at", range(24))
def test_a_move_that_is_killed_anywhere_is_at_one_place_and_is_completed(data: Path, kill_at: int) -> None:
    with killed_before(kill_at, STEPS) as calls:
        move(data)
    assert not calls.ended or kill_at >= 10, "the move has more steps"
    places = [data / "M1" / SESSION / JOURNAL, data / "M2" / "2026-11-21" / "002" / JOURNAL]
    assert (find_session(data / "M1" / SESSION) / JOURNAL).exists()
    is_begun, is_moved = moves(data / "M1") != [], not places[0].exists()
    # Of both subjects, as soon as their events say so.
    assert len(unfinished_moves(data / "M1")) == (is_begun and not is_moved)
    assert len(unfinished_moves(data / "M2")) == (moves(data / "M2") != [] and not is_moved)
    assert sum(path.exists() for path in places) + (data / "M2" / "2026-11-21" / "003" / JOURNAL).exists() == 1
    finished = move(data)
    assert not (data / "M1" / SESSION / JOURNAL).exists()
    assert (finished.new / JOURNAL).exists()
    assert moves(data / "M1") == moves(data / "M2") == [("M1", SESSION, "M2", finished.place)]
    assert unfinished_moves(data / "M1") == []
    for name in ("M1", "M2"):
        with SubjectFolder(data, name) as subject:
            subject.carried_over(subject.state(), "two_armed_bandit")


def test_the_amounts_of_the_day_follow_the_folder(data: Path) -> None:
    day = NOON.replace(hour=0), NOON.replace(hour=23)
    before = [delivered_between(data / name, *day) for name in ("M1", "M2")]
    move(data)
    after = [delivered_between(data / name, *day) for name in ("M1", "M2")]
    assert len(after[1].unknown) == len(before[0].unknown) + len(before[1].unknown)
    assert after[0].unknown == ()


@rows("session", "to", "said")
def test_nonsense_is_refused_and_moves_nothing(data: Path, session: str, to: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        move(data, session, to)
    assert (data / "M1" / SESSION / JOURNAL).is_file()
    assert moves(data / "M2") == []


def test_a_session_without_an_end_is_recovered_first(data: Path) -> None:
    write_session(data / "M1", 22, reason=None)
    with pytest.raises(ConfigError, match="run `rig recover"):
        move(data, "M1/2026-11-22/001")


def test_a_subject_in_use_is_left_alone(data: Path) -> None:
    with SubjectFolder(data, "M2"), pytest.raises(ConfigError, match="another session of 'M2' is running"):
        move(data)


def test_the_old_place_says_where_its_session_is(data: Path) -> None:
    move(data)
    with SubjectFolder(data, "M3") as subject:
        subject.state()
    with pytest.raises(ConfigError, match="this session belongs to M2, and is M2/2026-11-21/002"):
        move(data, to="M3")
    shutil.rmtree(data / "M3")
