"""A journal that grows while it is read."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.journal.kinds import Note
from rig.live import follow
from rig.live.follow import JournalFollower
from tests.journal_lines import journal_of, made

LINES = journal_of(made("note", number, n=number) for number in range(6))


def read(follower: JournalFollower) -> list[int]:
    """Return the numbers of the lines that have been added."""
    return [line.fields["n"] for line in follower.read() if isinstance(line, Note)]


@given(cuts=st.lists(st.integers(0, sum(map(len, LINES))), max_size=12))
def test_however_it_is_written_every_whole_line_comes_once_and_in_order(
    cuts: list[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    follower, whole = JournalFollower(path), b"".join(LINES)
    seen: list[int] = []
    for cut in [*sorted(cuts), len(whole)]:
        path.write_bytes(whole[:cut])
        seen += read(follower)
    assert seen == list(range(6))
    assert follower.damaged == 0


def test_a_journal_that_is_not_there_yet_is_empty(tmp_path: Path) -> None:
    follower = JournalFollower(tmp_path / "journal.jsonl")
    assert follower.read() == []
    assert follower.written_s() is None
    (tmp_path / "journal.jsonl").write_bytes(LINES[0])
    assert read(follower) == [0]
    assert follower.written_s() == (tmp_path / "journal.jsonl").stat().st_mtime


def test_half_a_line_that_was_taken_back_is_discarded(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    follower = JournalFollower(path)
    path.write_bytes(LINES[0] + LINES[1][:10])
    assert len(follower.read()) == 1
    path.write_bytes(LINES[0] + LINES[2])
    assert read(follower) == [2]
    assert follower.damaged == 1, "line 1 is missing"


def test_a_damaged_line_is_counted_and_the_others_are_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(LINES[0] + LINES[1].replace(b'"n":1', b'"n":2') + b"\xff\xfe\n" + LINES[2])
    follower = JournalFollower(path)
    assert read(follower) == [0, 2]
    assert follower.damaged == 2


def test_a_long_journal_is_read_in_bites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "MAX_LINE_BYTES", len(LINES[0]) + 3)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(LINES))
    follower = JournalFollower(path)
    assert [read(follower) for _ in range(7)] == [[0], [1], [2], [3], [4], [5], []]


@pytest.mark.parametrize("bite_bytes", [1, 80, 200, 10_000])
def test_a_reader_may_take_smaller_bites_and_lines_stay_whole(tmp_path: Path, bite_bytes: int) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"".join(LINES))
    follower = JournalFollower(path, bite_bytes)
    seen = []
    while numbers := read(follower):
        seen += numbers
    assert seen == list(range(6))
    assert follower.damaged == 0


def test_it_says_how_much_of_the_journal_was_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(LINES[0] + LINES[1])
    follower = JournalFollower(path, len(LINES[0]) + 1)
    assert follower.share_read == 0
    follower.read()
    assert follower.share_read == pytest.approx(0.5, abs=0.1)
    follower.read()
    assert follower.share_read == 1
    path.unlink()
    assert follower.share_read == 1
