"""A pigeon's elimination goes on as if nothing had happened, wherever its sessions are cut off."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import Note
from rig.records.journal.read import of_kind, read_journal
from tests.cli.conftest import Rig

COURSE = """\
stages:
  eight: {protocol: disk_bandit_eliminate, rules: [{to: seven, when: [{sessions: 2}]}]}
  seven: {protocol: disk_bandit_eliminate, params: {n_disks: 7}, rules: [{to: six, when: [{sessions: 2}]}]}
  six: {protocol: disk_bandit_eliminate, params: {n_disks: 6}}
"""
DAYS = 6


@pytest.fixture
def days(rig: Rig, tmp_path: Path) -> Callable[..., Any]:
    """Live some days of the course; ``--start-day`` is the day to go on with."""
    path = tmp_path / "course.yaml"
    path.write_text(COURSE)
    words = ("sim", "--curriculum", path, "--subject", "P1", "--model", "pigeon", "--start", "2026-11-21T09:00")

    def live(data: Path, first: int, count: int = 1) -> Any:
        more = ("--set", "stop.session_s=300", "--start-day", first, "--sessions", count, "--data", data)
        return rig(*words, *more)

    return live


def folder(data: Path, day: int, number: int = 1) -> Path:
    return data / "sim" / "P1" / f"2026-11-{20 + day}" / f"{number:03d}"


def journal(data: Path, day: int, number: int = 1) -> Path:
    return folder(data, day, number) / "journal.jsonl"


def decided(path: Path) -> list[bytes]:
    """All but the header, which names the folders of the sessions before, and what follows from it."""
    return [re.sub(rb'("digest":"\w+")|(,"crc":"\w+"\}$)', b"", line) for line in path.read_bytes().splitlines()[1:]]


def assignment(path: Path) -> Any:
    return next(note.fields for note in of_kind(read_journal(path), Note) if note.what == "assignment")


def test_a_session_that_was_killed_is_repeated_with_the_same_disks_and_counts_for_nothing(
    rig: Rig, tmp_path: Path, days: Callable[..., Any]
) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert days(whole, 1, DAYS).status == 0
    assert days(parts, 1, 2).status == 0
    state = parts / "sim" / "P1" / "state.json"
    for day in range(3, DAYS + 1):
        before = state.read_bytes()
        assert days(parts, day).status == 0
        lines = journal(parts, day).read_bytes().splitlines(keepends=True)
        journal(parts, day).write_bytes(b"".join(lines[: 1 + len(lines) * day // (DAYS + 1)])[:-5])
        state.write_bytes(before)
        if day % 2:  # whether anybody has recovered it does not matter
            assert rig("recover", folder(parts, day)).status == 0
        assert days(parts, day).status == 0
        assert decided(journal(parts, day, 2)) == decided(journal(whole, day))
    assert state.read_bytes() == (whole / "sim" / "P1" / "state.json").read_bytes()
    removed = [assignment(journal(whole, day))["removed_today"] for day in range(1, DAYS + 1)]
    assert [len(locations) for locations in removed] == [0, 0, 1, 0, 1, 0]
    said = rig("subject", "why", "P1", "--sim", "--curriculum", tmp_path / "course.yaml", "--data", parts).out
    assert "six: 2 sessions, 2026-11-25/002 to 2026-11-26/002" in said
    assert said.count("does not count") == DAYS - 2


def test_a_session_that_ended_before_its_state_was_written_is_counted_once_the_state_is_made_again(
    rig: Rig, tmp_path: Path, days: Callable[..., Any]
) -> None:
    data = tmp_path / "records"
    state = data / "sim" / "P1" / "state.json"
    assert days(data, 1, 2).status == 0
    before = state.read_bytes()
    assert days(data, 3).status == 0
    after = state.read_bytes()
    state.write_bytes(before)
    answer = days(data, 4)
    assert answer.status == 2
    assert "is not what 2026-11-23/001, the newest session with disk_bandit that counts, has left" in answer.err
    assert not folder(data, 4).exists()
    assert rig("subject", "rebuild", "P1", "--sim", "--data", data).status == 0
    assert state.read_bytes() == after
    assert days(data, 4).status == 0
    third, fourth = (assignment(journal(data, day)) for day in (3, 4))
    assert (fourth["removed"], fourth["removed_today"]) == (third["removed"], [])
    assert fourth["prev_vi_s"] == third["vi_s"]


def test_two_sessions_on_one_day_follow_each_other(tmp_path: Path, days: Callable[..., Any]) -> None:
    data = tmp_path / "records"
    for day in (1, 1, 1, 2):
        assert days(data, day).status == 0
    last, first = assignment(journal(data, 1, 3)), assignment(journal(data, 1, 2))
    assert last["prev_vi_s"] == first["vi_s"]
    assert [len(assignment(journal(data, 1, number))["removed"]) for number in (1, 2, 3)] == [0, 0, 1]
    assert assignment(journal(data, 2))["prev_vi_s"] == last["vi_s"]
    assert assignment(journal(data, 2))["removed_today"] == []


def test_a_journal_that_is_damaged_inside_is_rebuilt_from_its_end(
    rig: Rig, tmp_path: Path, days: Callable[..., Any]
) -> None:
    data = tmp_path / "records"
    assert days(data, 1, 2).status == 0
    state = data / "sim" / "P1" / "state.json"
    after = state.read_bytes()
    path = journal(data, 2)
    path.write_bytes(path.read_bytes().replace(b'"k":"touch"', b'"k":"tuoch"', 1))
    state.unlink()
    assert rig("subject", "rebuild", "P1", "--sim", "--data", data).status == 0
    assert state.read_bytes() == after
    assert days(data, 3).status == 0
