"""`rig session attach`: the boxes that a supervisor has started, found again without it."""

from __future__ import annotations

import datetime
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rig.cli import common
from rig.cli.session import attach as module
from rig.core.journal.header import Footer
from rig.supervisor import box as box_module
from rig.supervisor.box import Box
from rig.supervisor.started import StartedSession, StartedSessions, this_computer
from tests.cli.conftest import Rig
from tests.cli.processes import begun, journal, posix, start, until
from tests.cli.pseudo_terminal import terminal
from tests.supervisor.boxes import FakeAsker

pytestmark = posix

NOW = datetime.datetime(2026, 11, 24, 12)
ONE = StartedSession("one", "M1", 10, "one.log", "2026-11-24T09:00:00", host=this_computer())
TWO = replace(ONE, box="two", subject="M2", pid=11)
FILE = "defaults: {protocol: p}\nboxes: {one: {subject: M1}, two: {subject: M9}, three: {subject: M3}}\n"


class Shown:
    """The boxes that would have been shown; the processes that run."""

    def __init__(self) -> None:
        self.boxes: list[Box] = []
        self.runs = {10, 11}

    def __call__(self, boxes: list[Box], wakeup: Any, start: Any, *, as_json: bool) -> int:
        assert start is None
        self.boxes = boxes
        return 0


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    it = Shown()
    monkeypatch.setattr(module, "show_boxes", it)
    monkeypatch.setattr(module, "is_running", lambda pid, mark: pid in it.runs)
    monkeypatch.setattr(box_module, "SessionAsker", FakeAsker)
    monkeypatch.setattr(common, "now", lambda: NOW)
    return it


def names(shown: Shown) -> list[tuple[str, str, bool]]:
    return [(box.name, box.subject, box.is_active) for box in shown.boxes]


def test_all_boxes_are_found_that_run_or_were_started_today(rig: Rig, data: Path, shown: Shown) -> None:
    sessions = StartedSessions(data)
    yesterday = "2026-11-23T09:00:00"
    for each in (
        ONE,
        TWO,
        replace(ONE, box="old", at=yesterday, pid=12),
        replace(ONE, box="long", at=yesterday, pid=13),
    ):
        sessions.add(each)
    shown.runs = {10, 13}
    assert rig("session", "attach").status == 0
    assert names(shown) == [("one", "M1", True), ("two", "M2", True), ("long", "M1", True)]


def test_of_a_file_its_boxes_are_shown_in_its_order_with_its_subjects(
    rig: Rig, data: Path, shown: Shown, tmp_path: Path
) -> None:
    for each in (TWO, ONE):
        StartedSessions(data).add(each)
    (tmp_path / "today.yaml").write_text(FILE)
    assert rig("session", "attach", tmp_path / "today.yaml").status == 0
    # Another animal ran in box two.
    assert names(shown) == [("one", "M1", True), ("two", "M9", False), ("three", "M3", False)]


def test_where_none_runs_it_says_so(rig: Rig, data: Path, shown: Shown) -> None:
    said = f"no session of a box runs that was started with its records in {data}\n"
    assert (rig("session", "attach").status, rig("session", "attach").err) == (2, said)
    StartedSessions(data).add(ONE)
    shown.runs = set()
    assert rig("session", "attach").status == 2


# --- at a true terminal ---------------------------------------------------------------------------------------

BOXES = """\
defaults: {rig: sim_nose_ports, protocol: two_armed_bandit, model: rflr}
boxes:
  one: {subject: M1}
  two: {subject: M2}
"""


@pytest.mark.real_time
@pytest.mark.slow
def test_the_table_is_left_taken_up_again_and_ends_all(data: Path, tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "boxes.yaml").write_text(BOXES)
    with terminal("run", "--boxes", tmp_path / "boxes.yaml", columns=100) as screen:
        until(lambda: screen.shows("M2") and len(list(data.rglob("journal.jsonl"))) == 2 and begun(data))
        until(lambda: screen.shows("1-9, arrows: choose"))
        os.write(screen.master, b"q")
        assert screen.ends() == 0
    assert "2 sessions go on (one, two)" in screen.text
    before = len(journal(data))
    until(lambda: len(journal(data)) > before)
    with terminal("session", "attach", columns=100) as again:
        until(lambda: again.shows("1-9, arrows: choose"))
        os.write(again.master, b"\x03")
        until(lambda: again.shows("e ends all sessions"))
        os.write(again.master, b"e")
        assert again.ends() == 130, again.text[-1500:]
    assert "two: M2: stopped by the operator" in again.text
    listed = start("session", "list", "--json")
    assert json.loads(listed.communicate(timeout=30)[0]) == []
    assert [line.reason for line in journal(data) if isinstance(line, Footer)] == ["operator"] * 2
