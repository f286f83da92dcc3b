"""A recorded session: what it says of itself whatever is asked first, and of records that are damaged."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.core.journal.kinds import Renamed, SessionLine
from rig.records.journal.read import JOURNAL, MAX_LISTED
from rig.records.recorded_session import read_session
from rig.records.subject_events import append_events
from rig.records.tables.columns import SESSION_TABLES
from tests.records.journals import Book, put


@pytest.fixture
def book() -> Book:
    book = Book()
    book.header(subject="M1")
    book.line("state", name="wait")
    book.trial(1)
    book.line("state", name="iti")
    return book


def place(folder: Path) -> Path:
    return folder / "M1" / "2026-11-21" / "001"


@pytest.mark.parametrize("way", ["plain", "link", "up and down"])
def test_a_session_of_a_renamed_subject_is_the_subjects_by_any_way(
    tmp_path: Path, book: Book, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    folder = tmp_path / "M9" / "2026-11-21" / "001"
    put(folder, book.raw)
    renamed = Renamed(old="M1", new="M9", reason="a typo")
    append_events(tmp_path / "M9", [renamed], "Ada", datetime.datetime(2026, 11, 22, 12))
    (tmp_path / "link").symlink_to(folder)
    (tmp_path / "M9" / "2026-11-22").mkdir()
    monkeypatch.chdir(tmp_path / "M9" / "2026-11-22")
    path = {"plain": folder, "link": tmp_path / "link", "up and down": Path("../2026-11-21/001")}[way]
    session = read_session(path)
    assert (session.subject, session.full_name) == ("M9", "M9/2026-11-21/001")


def test_only_the_header_is_read_until_more_is_asked_for(tmp_path: Path, book: Book) -> None:
    session = read_session(put(place(tmp_path), book.raw))
    (session.journal).unlink()
    assert (session.name, session.subject, session.simulated) == ("2026-11-21/001", "M1", session.header.simulated)
    with pytest.raises(RecordError, match="cannot be read"):
        assert session.footer is None


@pytest.mark.parametrize("first", ["lines", "tables"])
def test_lines_and_tables_are_the_same_in_any_order(tmp_path: Path, book: Book, first: str) -> None:
    book.footer()
    session = read_session(put(place(tmp_path), book.raw))
    assert getattr(session, first)
    assert session.lines == book.lines
    assert session.lines is session.lines
    assert [row[0] for row in session.tables["states"].rows] == ["wait", "iti"]
    assert (session.complete, session.damage, session.end_us) == (True, (), book.lines[-1].t_us)


def test_a_reader_of_its_own_sees_every_good_line_once_and_no_line_is_kept(tmp_path: Path, book: Book) -> None:
    book.footer()
    session = read_session(put(place(tmp_path), book.raw, b"torn"))
    lines: list[SessionLine] = []
    session.read(lines.append)
    assert lines == book.lines
    assert (session.footer, session.scan.torn_bytes) == (book.lines[-1], 4)


def test_a_session_without_an_end_lasts_to_its_last_line(tmp_path: Path, book: Book) -> None:
    session = read_session(put(place(tmp_path), book.raw))
    assert (session.footer, session.complete, session.damage) == (None, False, ())
    assert session.end_us == book.lines[-1].t_us


def test_damaged_lines_a_torn_end_and_the_number_of_the_others_are_named(tmp_path: Path, book: Book) -> None:
    session = read_session(put(place(tmp_path), book.raw, b"x\n" * (MAX_LISTED + 3), b"torn"))
    assert session.damage[0].startswith("line 5: ")
    assert session.damage[-2:] == ("3 more lines cannot be trusted", "the last line is torn (4 bytes)")
    assert len(session.damage) == MAX_LISTED + 2
    assert session.lines == book.lines


def test_a_digest_that_does_not_fit_is_damage_in_no_line(tmp_path: Path, book: Book) -> None:
    book.footer(digest="00000000")
    session = read_session(put(place(tmp_path), book.raw))
    assert not session.complete
    assert session.damage == session.damage_beside_lines
    assert "digest" in session.damage[0]


def test_a_copied_journal_has_the_name_of_its_file(tmp_path: Path, book: Book) -> None:
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes(b"".join(book.raw))
    assert read_session(copy).name == "copy"


def test_a_journal_without_a_header_is_refused_with_its_first_damage(tmp_path: Path, book: Book) -> None:
    with pytest.raises(RecordError, match="can be read: line 0 should come here, found 1: wanted the journal"):
        read_session(put(tmp_path / "a", book.raw[1:]))
    with pytest.raises(RecordError, match="no header line that can be read: wanted the journal of a session"):
        read_session(put(tmp_path / "empty"))
    with pytest.raises(RecordError, match=r"can be read: no checksum at its end: wanted the journal of a session"):
        read_session(put(tmp_path / "b", b"x\n", book.raw[1:]))
    with pytest.raises(RecordError, match=f"it has no {JOURNAL}"):
        read_session(tmp_path)


def test_a_table_of_the_protocol_keeps_its_name_where_every_session_has_one_of_it(tmp_path: Path) -> None:
    book = Book()
    book.header(tables={"edges": ["lap"], "session_edges": ["lap"]})
    book.line("row", table="edges", lap=3)
    session = read_session(put(place(tmp_path), book.raw))
    assert session.tables["edges"].rows == [[3]]
    assert session.tables["session_session_edges"].columns == SESSION_TABLES["edges"]
    assert "session_states" not in session.tables
