"""A session that was killed before its first order blocks no other; a journal that lost its lines does."""

import datetime
from pathlib import Path

import pytest

from rig.core.model.actions import Amount
from rig.records.journal.read import JOURNAL
from rig.records.session.history import journals
from rig.records.session.never_began import never_began
from rig.records.subject.deliveries import DeliveredTotal, delivered_between, session_folders
from tests.past_sessions import write_session
from tests.records.journals import Book

DAY = datetime.datetime(2026, 11, 2)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The folder of a session just before its header."""
    folder = tmp_path / "M1" / "2026-11-02" / "001"
    (folder / "config" / "rigs").mkdir(parents=True)
    (folder / JOURNAL).touch()
    (folder / ".reserve").touch()
    return folder


def test_every_part_of_what_comes_before_the_first_order_is_that_of_a_session_that_never_began(session: Path) -> None:
    book = Book()
    book.header(start="2026-11-02T09:00:00")
    book.line("allowance", rewards=9, ul=18.0, pellets=0, access_s=0.0)
    raw = b"".join(book.raw)
    found = []
    for size in range(len(raw) + 1):
        (session / JOURNAL).write_bytes(raw[:size])
        found.append(never_began(session))
    assert all(found)
    assert delivered_between(session.parent.parent, DAY, DAY + datetime.timedelta(days=1)) == DeliveredTotal(Amount())


def test_it_is_no_session_of_its_subject(session: Path) -> None:
    before = write_session(session.parent.parent, 1)
    assert list(journals(session.parent.parent)) == [before / JOURNAL]
    assert list(session_folders(session.parent.parent)) == [before]


@pytest.mark.parametrize(
    "name",
    ["environment.json", ".environment.json.new", "summary.json", "trials.csv", "declared.json", "journal.part1.jsonl"],
)
def test_an_empty_journal_beside_what_comes_later_has_lost_its_lines(session: Path, name: str) -> None:
    (session / name).touch()
    assert not never_began(session)
    assert list(session_folders(session.parent.parent)) == [session]


def test_an_empty_journal_alone_has_lost_its_lines(session: Path) -> None:
    (session / "config" / "rigs").rmdir()
    (session / "config").rmdir()
    assert not never_began(session)


@pytest.mark.parametrize("damaged", [b"\n", b"no journal\n", b'{"seq":0,"t":0}\n'])
def test_a_damaged_line_may_have_been_of_a_session_that_ran(session: Path, damaged: bytes) -> None:
    (session / JOURNAL).write_bytes(damaged)
    assert not never_began(session)


def test_a_line_after_the_header_is_of_a_session_that_began(session: Path) -> None:
    book = Book()
    book.header(start="2026-11-02T09:00:00")
    book.gave(1)
    (session / JOURNAL).write_bytes(b"".join(book.raw))
    assert not never_began(session)


def test_sources_without_a_journal_are_of_a_session_whose_journal_is_lost(session: Path) -> None:
    (session / JOURNAL).unlink()
    assert not never_began(session)
    assert list(session_folders(session.parent.parent)) == [session]
