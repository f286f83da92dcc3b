"""The list of the sessions that supervisors have started."""

from __future__ import annotations

import datetime
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from rig.supervisor import started as module
from rig.supervisor.started import StartedSession, StartedSessions, this_computer

ONE = StartedSession("one", "M1", 10, "one.log", "2026-11-24T09:00:00", host=this_computer())


@pytest.fixture(autouse=True)
def running(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The processes that run."""
    pids: set[int] = set()
    monkeypatch.setattr(module, "is_running", lambda pid, mark: pid in pids)
    return pids


def test_the_newest_start_of_each_box_is_found_with_its_folder(tmp_path: Path) -> None:
    sessions = StartedSessions(tmp_path)
    assert sessions.newest() == []
    two, again = replace(ONE, box="two", pid=11), replace(ONE, pid=12, at="2026-11-24T10:00:00")
    for each in (ONE, two, again):
        sessions.add(each)
        sessions.add_folder(each.pid, each.mark, tmp_path / f"{each.pid}")
    assert sessions.newest() == [replace(each, folder=str(tmp_path / f"{each.pid}")) for each in (two, again)]
    assert sessions.folder_of(again) == str(tmp_path / "12")


def test_a_session_that_runs_hides_a_later_start_of_its_box_which_was_refused(
    tmp_path: Path, running: set[int]
) -> None:
    sessions = StartedSessions(tmp_path)
    running.add(10)
    sessions.add(ONE)
    sessions.add(replace(ONE, pid=12))
    assert [each.pid for each in sessions.newest()] == [10]
    running.clear()
    assert [each.pid for each in sessions.newest()] == [12]


def test_a_session_has_no_folder_before_it_has_records_nor_that_of_an_earlier_process(tmp_path: Path) -> None:
    sessions = StartedSessions(tmp_path)
    sessions.add_folder(ONE.pid, "an earlier one", tmp_path)
    sessions.add(ONE)
    assert sessions.newest() == [ONE]
    assert sessions.folder_of(ONE) is None


def test_half_a_line_and_other_computers_are_left_out(tmp_path: Path) -> None:
    sessions = StartedSessions(tmp_path)
    sessions.add(ONE)
    sessions.add(replace(ONE, host="another"))
    path = sessions.folder / "started.jsonl"
    path.write_bytes(path.read_bytes() + b'{"box": "two", "pid": 3}\n[1]\n{"of": 3}\n{"box"')
    assert sessions.newest() == [ONE]
    assert sessions.warning() == f"{path}: 3 lines cannot be read, and passed over"


@pytest.mark.parametrize(
    "changes",
    [{"at": "2026"}, {"at": "2026-11-24T09:00:00+01:00"}, {"at": 5}, {"pid": "1"}, {"pid": -1}, {"log": None}],
)
def test_a_line_with_a_wrong_value_is_passed_over(tmp_path: Path, changes: dict[str, object]) -> None:
    sessions = StartedSessions(tmp_path)
    sessions.add(ONE)
    assert sessions.warning() is None
    sessions._append({**asdict(ONE), "box": "two", **changes})
    assert sessions.newest() == [ONE]
    assert sessions.warning() is not None


def test_a_list_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / ".boxes").write_text("in the way")
    StartedSessions(tmp_path).add(ONE)
    assert StartedSessions(tmp_path).newest() == []


def test_a_log_is_named_by_its_start_and_its_box(tmp_path: Path) -> None:
    log = StartedSessions(tmp_path).new_log("box 1", datetime.datetime(2026, 11, 24, 9, 5, 7))
    assert log == tmp_path / ".boxes" / "2026-11-24_090507_box_1.log"
