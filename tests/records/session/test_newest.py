"""The newest sessions below a folder of records."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rig.records.session.newest import newest_sessions
from tests.past_sessions import write_session

needs_rights = pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root and Windows read it all the same")


def names(data: Path, count: int, *, simulated: bool = False) -> list[str]:
    return [str(path.parent.relative_to(data)) for path in newest_sessions(data, count, simulated=simulated).journals]


def test_the_newest_days_of_all_subjects_come_first(tmp_path: Path) -> None:
    for subject, day in (("M1", 2), ("M2", 3), ("M1", 4), ("M2", 1)):
        write_session(tmp_path / subject, day)
    assert names(tmp_path, 3) == ["M1/2026-11-04/001", "M2/2026-11-03/001", "M1/2026-11-02/001"]
    assert names(tmp_path, 0) == []


def test_virtual_subjects_lie_apart(tmp_path: Path) -> None:
    write_session(tmp_path / "M1", 1)
    write_session(tmp_path / "sim" / "V1", 2)
    write_session(tmp_path / "sim" / "sim", 1)
    (tmp_path / "reports").mkdir()
    assert names(tmp_path, 9) == ["M1/2026-11-01/001"]
    assert names(tmp_path, 9, simulated=True) == ["sim/V1/2026-11-02/001", "sim/sim/2026-11-01/001"]


def test_other_files_and_folders_are_no_sessions(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    (tmp_path / "M1" / "2026-02-31" / "001").mkdir(parents=True)
    (tmp_path / "M1" / "2026-02-28" / "001").mkdir(parents=True)
    assert names(tmp_path, 9) == []
    assert names(tmp_path / "nowhere", 9) == []


@needs_rights
def test_a_folder_that_may_not_be_read_is_named(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir(mode=0o000)
    for simulated in (False, True):
        newest = newest_sessions(data, 1, simulated=simulated)
        assert newest.journals == []
        assert len(newest.unread) == 1
        assert newest.unread[0].startswith(str(data))


def test_a_subject_whose_folder_cannot_be_read_is_named_and_hides_no_other(tmp_path: Path) -> None:
    write_session(tmp_path / "M1", 1)
    (tmp_path / "M2").symlink_to("M2")
    assert names(tmp_path, 9) == ["M1/2026-11-01/001"]
    (why,) = newest_sessions(tmp_path, 9, simulated=False).unread
    assert why.startswith(f"{tmp_path / 'M2'}: cannot be read")
