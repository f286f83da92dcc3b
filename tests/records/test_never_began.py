"""A session that was killed before its header was written blocks no other; a journal that lost its lines does."""

from pathlib import Path

import pytest

from rig.records.deliveries import session_folders
from rig.records.history import journals
from rig.records.never_began import never_began
from rig.records.read import JOURNAL
from tests.past_sessions import write_session


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The folder of a session just before its header."""
    folder = tmp_path / "M1" / "2026-11-02" / "001"
    (folder / "config" / "rigs").mkdir(parents=True)
    (folder / JOURNAL).touch()
    (folder / ".reserve").touch()
    return folder


def test_every_part_of_a_header_is_that_of_a_session_that_never_began(session: Path) -> None:
    header = (write_session(session.parent.parent, 1) / JOURNAL).read_bytes().splitlines(keepends=True)[0]
    torn = [header[:size] for size in range(len(header))]
    found = []
    for part in torn:
        (session / JOURNAL).write_bytes(part)
        found.append(never_began(session))
    assert found == [True] * len(torn)
    (session / JOURNAL).write_bytes(header)
    assert not never_began(session)


def test_it_is_no_session_of_its_subject(session: Path) -> None:
    before = write_session(session.parent.parent, 1)
    assert list(journals(session.parent.parent)) == [before / JOURNAL]
    assert list(session_folders(session.parent.parent)) == [before]


@pytest.mark.parametrize(
    "name", ["environment.json", "summary.json", "trials.csv", "declared.json", "journal.part1.jsonl"]
)
def test_an_empty_journal_beside_what_comes_later_has_lost_its_lines(session: Path, name: str) -> None:
    (session / name).touch()
    assert not never_began(session)
    assert list(session_folders(session.parent.parent)) == [session]


@pytest.mark.parametrize("damaged", [b"\0\0\0", b'{"seq":1,', b"\n", b"no journal", b'{"seq":0,"t":0}\n'])
def test_damage_is_no_torn_header(session: Path, damaged: bytes) -> None:
    (session / JOURNAL).write_bytes(damaged)
    assert not never_began(session)


def test_sources_without_a_journal_are_of_a_session_whose_journal_is_lost(session: Path) -> None:
    (session / JOURNAL).unlink()
    assert not never_began(session)
    assert list(session_folders(session.parent.parent)) == [session]
