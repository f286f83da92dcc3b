"""Wrong entries of an animal's record that are taken back from the command line."""

import datetime
import json
from pathlib import Path

import pytest

from rig.records.subject.deliveries import delivered_between
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)


pytestmark = pytest.mark.usefixtures("morning")


def flat(text: str) -> str:
    return " ".join(text.split())


def given_ul(data: Path) -> float:
    return delivered_between(data / "M1", *DAY).amount.ul


def test_water_of_another_animal_is_voided_and_due_again(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    assert "recorded as entry 1" in rig("subject", "give", "M1", "1200ul").out
    answer = rig("subject", "void", "M1", "1", "--reason", "it was M17")
    assert answer.status == 0
    assert "M1: entry 1 (2026-11-21 08:00, Ada: 1200 ul by hand) is voided" in answer.out
    assert "top-up: 1200 ul are due today" in answer.out
    assert given_ul(data) == 0
    assert read_events(data / "M1").lines[-1]["reason"] == "it was M17"


def test_a_voided_entry_that_closed_the_top_up_of_yesterday_opens_it_again(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 22, 8))
    rig("subject", "give", "M1", "1200ul", "--top-up", "yesterday")
    assert "OPEN" not in rig("subject", "due").out
    answer = rig("subject", "undo", "M1")
    assert "top-up: 1200 ul are due today" in answer.out
    assert "OPEN, of 2026-11-21: 1200 ul were never confirmed" in answer.out
    assert "2026-11-21 OPEN: no entry on this day" in flat(rig("subject", "due").out)


def test_facts_that_are_voided_with_the_species_are_told_to_end_what_is_due(rig: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    warning = "warning: M1 has no species, so nothing is due to it. If it is restricted: rig subject set M1 --species"
    assert warning in rig("subject", "void", "M1", "0", "--reason", "so").out
    rig("subject", "set", "M1", "--species", "mouse")
    rig("subject", "set", "M1", "--sex", "male")
    assert "warning" not in rig("subject", "undo", "M1").out


def test_a_retired_animal_is_due_nothing_when_an_entry_is_voided(rig: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "5ul")
    rig("subject", "retire", "M1", "--reason", "its last day")
    assert "due" not in rig("subject", "void", "M1", "1", "--reason", "it was M2").out


def test_undoing_twice_takes_back_the_last_two_entries(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    for ul in (100, 20, 3):
        rig("subject", "give", "M1", f"{ul}ul")
    assert [rig("subject", "undo", "M1").status for _ in range(2)] == [0, 0]
    assert given_ul(data) == 100
    assert rig("subject", "undo", "M1").status == 0
    refused = rig("subject", "undo", "M1")
    assert (refused.status, "The last one is entry 0" in refused.err) == (2, True)
    assert read_events(data / "M1").lines[-1]["reason"] == "undone"


def test_a_voided_weight_baseline_and_note_leave_the_ones_before_them(rig: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "24")
    rig("subject", "weigh", "M1", "23")
    rig("subject", "set", "M1", "--baseline-g", "30")
    rig("subject", "note", "M1", "died")
    for number in (2, 3, 4):
        assert rig("subject", "void", "M1", str(number), "--reason", "another animal").status == 0
    shown = flat(rig("subject", "show", "M1").out)
    assert "baseline 25 g, of 2026-11-01" in shown
    assert "2026-11-21 24 g 96.0" in shown
    assert "notes" not in shown
    assert "Ada: voided entry 4 (2026-11-21 08:00, Ada: died): another animal" in shown


@pytest.mark.parametrize("again", [("24.2", "--at", "8:00"), ("24.2",)])
def test_a_voided_weight_counts_neither_where_a_session_took_it_over(
    rig: Rig, real: Rig, monkeypatch: pytest.MonkeyPatch, again: tuple[str, ...]
) -> None:
    def days() -> list[float | None]:
        return [day["weight_g"] for day in json.loads(rig("subject", "show", "M1", "--json").out)["days"]]

    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "22.4")
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1", "--weight-g", "22.4").status == 0
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 10))
    assert days() == [22.4]
    rig("subject", "undo", "M1")
    assert days() == [None]
    assert "(its baseline is 25 g)" in rig("subject", "weigh", "M1", "34").err
    assert rig("subject", "weigh", "M1", *again).status == 0
    assert days() == [24.2]


def test_a_weight_that_a_session_took_after_the_same_one_was_voided_counts(rig: Rig, real: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "weigh", "M1", "24")
    rig("subject", "undo", "M1")
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1", "--weight-g", "24").status == 0
    assert "2026-11-21 24 g 96.0" in flat(rig("subject", "show", "M1").out)


def test_the_record_lists_every_entry_with_its_number_and_marks_voided_ones(rig: Rig) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "5g")
    rig("subject", "void", "M1", "#1", "--reason", "it was water")
    assert rig("subject", "record", "M1").out.splitlines() == [
        "0  2026-11-21 08:00  Ada: facts: species mouse, baseline_g 25.0, baseline_date 2026-11-01",
        "1  2026-11-21 08:00  Ada: 5 g of food by hand  VOID, Ada: it was water",
    ]
    (_, food) = json.loads(rig("subject", "record", "M1", "--json").out)
    assert (food["number"], food["voided"]) == (1, "Ada: it was water")
    assert "1 2026-11-21 08:00 Ada: 5 g of food by hand VOID" in flat(rig("subject", "show", "M1").out)


def test_a_record_without_an_entry_of_the_last_days_says_so(rig: Rig, data: Path) -> None:
    (data / "M1").mkdir(parents=True)
    assert "M1: nothing was recorded since 2026-11-20" in rig("subject", "record", "M1", "--days", "2").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("void", "M1", "9", "--reason", "so"), "ID 9: M1 has no such entry"),
        (("void", "M1", "last", "--reason", "so"), "ID last: wanted the number of an entry, such as 12"),
        (("void", "M1", "0", "--reason", " "), "a reason is wanted"),
        (("undo", "M1", "--reason", " "), "a reason is wanted"),
        (("undo", "M9"), "has no subject 'M9'"),
    ],
)
def test_a_void_that_means_nothing_is_refused(rig: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    rig("subject", "add", "M1", *MOUSE)
    before = (data / "M1" / "events.jsonl").read_bytes()
    answer = rig("subject", *words)
    assert (answer.status, said in answer.err) == (2, True), answer.err
    assert (data / "M1" / "events.jsonl").read_bytes() == before


def test_a_voided_amount_is_on_the_day_page_as_voided_and_in_no_sum(rig: Rig, tmp_path: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "1200ul")
    rig("subject", "undo", "M1", "--reason", "it was M17")
    page = tmp_path / "day.html"
    assert rig("report", "--day", "2026-11-21", "--to", page).status == 0
    text = page.read_text(encoding="utf-8")
    assert "entry 1 (2026-11-21 08:00, Ada: 1200 ul by hand) was voided (Ada: it was M17)" in text
    assert text.count("1200 ul by hand") == 1
    assert "no entry on this day" in text


def test_a_session_may_be_given_what_a_voided_amount_had_used_up(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "12000ul", "--reason", "bait", "--yes")
    once = ("--set", "stop.max_rewards=1")
    refused = real("2026-11-21T09:00", *once)
    assert (refused.status, "no more today" in refused.err) == (2, True)
    rig("subject", "undo", "M1")
    assert real("2026-11-21T09:00", *once).status == 0
