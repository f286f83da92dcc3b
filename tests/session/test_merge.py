"""Two records of one animal are merged; killed anywhere, the same command completes it, and nothing counts twice."""

import datetime
import os
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.core.journal.kinds import HandGiven, Retired, Weighed
from rig.core.model.actions import Amount
from rig.records.session.history import past_sessions
from rig.records.session.subject import subject_of
from rig.records.subject.days import subject_days
from rig.records.subject.deliveries import record_manual_delivery
from rig.records.subject.due import due_of
from rig.records.subject.entries import void_entry
from rig.records.subject.known_subject import load_facts, load_known_subject, record_facts
from rig.records.subject.retirement import retirement
from rig.records.subject.top_up import DAY
from rig.records.subject_events import append_events, read_events
from rig.session import merge as merge_module
from rig.session import reassign as reassign_module
from rig.session.merge import MergeResult, merge
from rig.session.subject_folder import SubjectFolder
from tests.killed_program import killed_before
from tests.past_sessions import rewarded_rows, write_session

NOON = datetime.datetime(2026, 11, 21, 12)


STEPS = {
    reassign_module: ("append_events", "write_atomic", "sync_folder"),
    merge_module: ("append_events", "append_copies"),
    os: ("rename",),
    SubjectFolder: ("write_state",),
}
"""What a merge does to the disk."""


def weigh(folder: Path, grams: float, hour: int) -> None:
    append_events(folder, [Weighed(weight_g=grams, when="before")], "Ada", NOON.replace(hour=hour))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    for name in ("M18", "M81"):
        with SubjectFolder(tmp_path, name) as subject:
            subject.state()
    record_facts(tmp_path / "M18", {"species": "mouse"}, "Ada", NOON)
    record_facts(tmp_path / "M81", {"species": "mouse", "baseline_g": 25.0, "sex": "male"}, "Ada", NOON)
    write_session(tmp_path / "M18", 20, rows=rewarded_rows(1))
    write_session(tmp_path / "M81", 21, rows=rewarded_rows(1, 0))
    write_session(tmp_path / "M81", 22, rows=rewarded_rows(1, 0))
    weigh(tmp_path / "M18", 24.0, 11)
    weigh(tmp_path / "M81", 23.0, 9)
    for ul in (100, 20, 3):
        record_manual_delivery(tmp_path / "M81", Amount(ul=ul), "Bo", "by hand", NOON.replace(hour=10))
    void_entry(tmp_path / "M81", 3, "Bo", "mistyped", NOON)  # the 20 ul
    record_manual_delivery(tmp_path / "M18", Amount(ul=4000), "Ada", "by hand", NOON)
    return tmp_path


def merged(data: Path) -> MergeResult:
    return merge(data, "M81", "M18", "Ada", "mistyped", NOON)


def by_hand_ul(data: Path, name: str) -> float:
    return sum(line.ul for line in read_events(data / name).of_kind(HandGiven))


def check_merged(data: Path, between_ul: float = 0) -> None:
    """Check that all counts once, for the right name."""
    assert len(list(past_sessions(data / "M18"))) == 3
    assert list(past_sessions(data / "M81")) == []
    assert (by_hand_ul(data, "M18"), by_hand_ul(data, "M81")) == (4103 + between_ul, 0)
    assert [line.weight_g for line in read_events(data / "M18").of_kind(Weighed)] == [24.0, 23.0]
    assert retirement(data / "M81") is not None
    for name in ("M18", "M81"):
        assert read_events(data / name).damage == ()
        with SubjectFolder(data, name) as subject:
            subject.carried_over(subject.state(), "two_armed_bandit")


def test_sessions_and_entries_count_for_the_right_name_alone(data: Path) -> None:
    assert merged(data) == MergeResult(2, 3)
    check_merged(data)
    copies = [line for line in read_events(data / "M18").of_kind(HandGiven) if line.by == "Bo"]
    assert [line.t_us for line in copies] == [NOON.replace(hour=10).timestamp() * 1e6] * 2
    assert subject_of(data / "M18" / "2026-11-21" / "001", "M81") == "M18"
    day = subject_days(data / "M18", load_known_subject(data / "M18"), NOON.date(), 14)[-1]
    assert (day.weight_g, day.by_hand_ul) == (24.0, 4103)  # the later weight, though it was recorded before the copy


def test_facts_that_only_the_wrong_record_has_are_taken_over(data: Path) -> None:
    merged(data)
    assert load_facts(data / "M18").model_dump(exclude_none=True) == {
        "species": "mouse",
        "baseline_g": 25.0,
        "sex": "male",
    }


def test_days_stay_open_that_were_open_under_the_wrong_name_before_the_right_one_was_added(tmp_path: Path) -> None:
    wrong, right = tmp_path / "M81", tmp_path / "M18"
    record_facts(wrong, {"species": "mouse", "baseline_g": 25.0}, "Ada", NOON - 3 * DAY)
    record_facts(right, {"species": "mouse", "baseline_g": 24.0}, "Ada", NOON)
    record_manual_delivery(wrong, Amount(ul=200), "Ada", "by hand", NOON - 2 * DAY)
    merged(tmp_path)
    due = [(each.day.day, each.top_up.amount) for each in due_of(right, NOON.date())]
    assert due == [(18, "1200 ul"), (19, "1000 ul"), (20, "1200 ul"), (21, "1200 ul")]
    assert load_facts(right).baseline_g == 24.0
    assert due_of(wrong, NOON.date()) == []


def test_a_restriction_of_the_wrong_name_alone_does_not_end_that_of_the_right_one(data: Path) -> None:
    record_facts(data / "M81", {"restriction": "none"}, "Ada", NOON)
    merged(data)
    assert load_known_subject(data / "M18").restriction == "water"


def test_water_that_is_recorded_while_a_merge_runs_is_neither_lost_nor_counted_twice(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = merge_module.append_copies

    def slow(*words: Any) -> int:
        number = copy(*words)
        record_manual_delivery(data / "M81", Amount(ul=500), "Ada", "by hand", NOON)
        return number

    monkeypatch.setattr(merge_module, "append_copies", slow)
    merged(data)
    assert (by_hand_ul(data, "M18"), by_hand_ul(data, "M81")) == (4103, 500)
    monkeypatch.setattr(merge_module, "append_copies", copy)
    assert merged(data) == MergeResult(0, 1)
    check_merged(data, between_ul=500)


def test_the_same_command_again_changes_nothing(data: Path) -> None:
    merged(data)
    before = {name: (data / name / "events.jsonl").read_bytes() for name in ("M18", "M81")}
    assert merged(data) == MergeResult(0, 0)
    assert {name: (data / name / "events.jsonl").read_bytes() for name in before} == before


@pytest.mark.parametrize("kill_at", range(50))
def test_a_merge_that_is_killed_anywhere_is_completed_by_the_same_command(data: Path, kill_at: int) -> None:
    with killed_before(kill_at, STEPS) as calls:
        merged(data)
    assert not calls.ended or kill_at >= 18, "the merge has more steps"
    record_manual_delivery(data / "M81", Amount(ul=500), "Ada", "between", NOON)
    merged(data)
    check_merged(data, between_ul=500)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"species": "rat"}, "M81 and M18 are not one animal: species is rat and mouse"),
        ({"species": None}, ""),
    ],
)
def test_records_of_two_animals_are_not_merged(data: Path, facts: dict[str, str | None], said: str) -> None:
    record_facts(data / "M81", facts, "Ada", NOON)
    if said:
        with pytest.raises(ConfigError, match=said):
            merged(data)
        assert len(list(past_sessions(data / "M81"))) == 2
    else:
        assert merged(data).sessions == 2


def test_a_session_without_an_end_keeps_both_records_as_they_are(data: Path) -> None:
    journal = data / "M81" / "2026-11-22" / "001" / "journal.jsonl"
    journal.write_bytes(b"".join(journal.read_bytes().splitlines(keepends=True)[:-1]))
    with pytest.raises(ConfigError, match="has no end: run `rig recover"):
        merged(data)
    assert len(list(past_sessions(data / "M81"))) == 2


def test_a_damaged_record_is_settled_first(data: Path) -> None:
    path = data / "M81" / "events.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"ul":100', b'"ul":900'))
    with pytest.raises(ConfigError, match=r"its record is damaged .*settles it first"):
        merged(data)


def test_a_record_is_not_merged_into_itself_or_into_a_retired_one(data: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be merged into itself"):
        merge(data, "M18", "M18", "Ada", "so", NOON)
    append_events(data / "M18", [Retired(reason="its last day")], "Ada", NOON)
    with pytest.raises(ConfigError, match="M18: is retired since"):
        merged(data)
