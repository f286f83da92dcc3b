"""A session is found after it was moved to another subject, and after its subject was renamed."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from rig.core.journal.kinds import Renamed, SessionMoved
from rig.records.journal.read import JOURNAL
from rig.records.session.moves import find_session, unfinished_moves
from rig.records.stock.stock import StockFile
from rig.records.subject_events import append_events
from rig.session.reassign import reassign
from rig.session.subject_folder import SubjectFolder
from tests.past_sessions import write_session

AT = datetime.datetime(2026, 11, 21, 12)
SESSION = "2026-11-21/001"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("R1", "R2", "R3"):
        with SubjectFolder(tmp_path, name) as subject:
            subject.state()
    write_session(tmp_path / "R1", 21)
    return tmp_path


def move(data: Path, session: str, to: str) -> str:
    move = reassign(data, data / session, to, "Ada", "wrong card", AT)
    return f"{to}/{move.place}"


def rename(data: Path, old: str, new: str) -> None:
    append_events(data / old, [Renamed(old=old, new=new, reason="a typo")], "Ada", AT)
    (data / old).rename(data / new)


def test_a_session_that_stayed_is_where_it_was(data: Path) -> None:
    assert find_session(data / "R1" / SESSION) == data / "R1" / SESSION
    assert find_session(data / "R1" / "2026-11-21" / "009") == data / "R1" / "2026-11-21" / "009"
    assert find_session(data / "R9" / SESSION) == data / "R9" / SESSION


def test_a_session_is_found_after_moves_and_renamings(data: Path) -> None:
    second = move(data, f"R1/{SESSION}", "R2")
    assert find_session(data / "R1" / SESSION) == data / second
    rename(data, "R1", "R10")
    third = move(data, second, "R3")
    rename(data, "R3", "R30")
    found = find_session(data / "R1" / SESSION)
    assert found == data / third.replace("R3", "R30")
    assert (found / JOURNAL).exists()


def test_damaged_events_that_lead_in_a_circle_end(data: Path) -> None:
    (data / "R1" / SESSION / JOURNAL).unlink()
    for wrong, right in (("R1", "R2"), ("R2", "R1")):
        moved = SessionMoved(session=SESSION, place=SESSION, old=wrong, new=right, reason="?")
        append_events(data / wrong, [moved], "Ada", AT)
    assert find_session(data / "R1" / SESSION) == data / "R1" / SESSION


def test_a_moved_session_has_taken_its_pellets(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stock = StockFile(data)
    stock.fill("maze", "left", {"pellets": 100}, "Ada", AT)
    stock.begin_session("maze", data / "R1" / SESSION, AT)
    read: list[Path] = []
    monkeypatch.setattr("rig.records.stock.stock.pellets_given", lambda journal, device: read.append(journal) or 7)
    second = move(data, f"R1/{SESSION}", "R2")
    found = stock.stock("maze", "left")
    assert found is not None
    assert (found.left, found.unknown, read) == (93, (), [data / second / JOURNAL])


def test_a_move_that_was_killed_is_told_with_the_command_that_completes_it(data: Path) -> None:
    moved = SessionMoved(session=SESSION, place=SESSION, old="R1", new="R2", reason="?")
    for subject in ("R1", "R2"):
        append_events(data / subject, [moved], "Ada", AT)
        (unfinished,) = unfinished_moves(data / subject)
        assert unfinished.unfinished_text == (
            f"the move of R1/{SESSION} to R2 was interrupted: complete it with "
            f"`rig session reassign R1/{SESSION} R2 --reason WHY`"
        )
    move(data, f"R1/{SESSION}", "R2")
    assert unfinished_moves(data / "R1") == unfinished_moves(data / "R2") == []
