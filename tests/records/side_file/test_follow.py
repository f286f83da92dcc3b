"""The records of a file that a journal names, read while both grow."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.records.side_file import follow
from rig.records.side_file.follow import RecordFollower
from rig.records.side_file.format import BlockIndex
from rig.records.side_file.read import Records
from rig.records.side_file.write import Appended
from tests.records.side_file.kinds import KINDS

SAMPLES = KINDS["samples"]


def follower_of(path: Path, *blocks: BlockIndex) -> RecordFollower:
    follower = RecordFollower(path, SAMPLES.layout)
    for block in blocks:
        follower.note(block)
    return follower


def numbers(records: Records) -> list[int]:
    return [-value for value in records["value"].tolist()]


@pytest.mark.parametrize("present", [0, 5, SAMPLES.start, SAMPLES.start + 16 * 25, SAMPLES.start + 16 * 40 - 1])
def test_a_block_is_read_once_the_file_has_it(tmp_path: Path, present: int) -> None:
    path, lines = SAMPLES.written(tmp_path, *(SAMPLES.records(10, first) for first in (0, 10, 20, 30)))
    whole = path.read_bytes()
    path.write_bytes(whole[:present])
    follower = follower_of(path, *lines)
    before = numbers(follower.read())
    assert before == list(range(10 * (4 - follower.unreadable)))
    assert follower.unreadable > 0
    assert not follower.has_more
    path.write_bytes(whole)
    assert follower.has_more
    assert before + numbers(follower.read()) == list(range(40))
    assert follower.unreadable == 0


def test_a_file_that_comes_after_the_journal_is_read(tmp_path: Path) -> None:
    path, lines = SAMPLES.written(tmp_path, SAMPLES.records(10), SAMPLES.records(10, first=10))
    path.rename(tmp_path / "later")
    follower = follower_of(path, *lines)
    assert (len(follower.read()), follower.unreadable, follower.has_more) == (0, 2, False)
    (tmp_path / "later").rename(path)
    assert numbers(follower.read()) == list(range(20))
    assert follower.unreadable == 0


def test_a_block_that_is_never_there_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    path, (first, second) = SAMPLES.written(tmp_path, SAMPLES.records(10), SAMPLES.records(10, first=10))
    follower = follower_of(path, first, Appended(1 << 62, 1, first.digest), second)
    assert numbers(follower.read()) == list(range(20))
    assert (follower.unreadable, follower.has_more) == (1, False)


def test_no_record_is_read_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, lines = SAMPLES.written(tmp_path, SAMPLES.records(10), SAMPLES.records(10, first=10))
    monkeypatch.setattr(follow, "_MAX_BYTES", 10 * SAMPLES.layout.size)
    follower = follower_of(path, *lines, *lines)
    assert numbers(follower.read()) == list(range(20))
    follower.note(lines[1])
    assert len(follower.read()) == 0
    assert follower.unreadable == 3
