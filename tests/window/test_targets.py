"""Which sessions the window shows."""

import datetime
import os
from pathlib import Path

from rig.platform.processes import start_mark
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from rig.window.targets import BoxTargets, NamedTargets, RunningTargets


class Sessions:
    def look(self) -> dict[Path, int]:
        return {Path("b"): 2, Path("a"): 1}


def started(box: str, hours_ago: float, pid: int = 1 << 30, mark: str = "") -> StartedSession:
    at = datetime.datetime.now() - datetime.timedelta(hours=hours_ago)
    return StartedSession(box, f"of {box}", pid, "log", at.isoformat(), host=this_computer(), mark=mark)


def test_named_ones_are_shown_as_they_were_named(tmp_path: Path) -> None:
    assert [each.journal for each in NamedTargets([tmp_path / "b", tmp_path / "a"]).find()] == [
        tmp_path / "b",
        tmp_path / "a",
    ]


def test_all_that_run_are_shown_in_a_steady_order() -> None:
    found = RunningTargets(Sessions()).find()  # type: ignore[arg-type]
    assert [each.journal.parent.name for each in found] == ["a", "b"]


def test_boxes_are_shown_once_they_have_records_and_old_ones_only_while_they_run(tmp_path: Path) -> None:
    sessions = StartedSessions(tmp_path)
    mine = start_mark(os.getpid())
    for each in (started("new", 1), started("old", 20), started("running", 20, os.getpid(), mine)):
        sessions.add(each)
        sessions.add_folder(each.pid, each.mark, tmp_path / each.box)
    sessions.add(started("empty", 1, pid=77))
    targets = BoxTargets(tmp_path)
    assert [each.place for each in targets.find()] == ["new", "running"]
    assert [each.place for each in BoxTargets(tmp_path, ["new"]).find()] == ["new"]


def test_a_box_file_that_is_not_there_shows_nothing(tmp_path: Path) -> None:
    assert list(BoxTargets(tmp_path).find()) == []
