"""What restricted animals are due: with or without a session, today and of the days before."""

from __future__ import annotations

import datetime
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.core.errors import RecordError
from rig.core.journal.kinds import Retired, Unretired, Weighed
from rig.core.model.actions import Amount
from rig.records.subject.days import subject_days
from rig.records.subject.deliveries import record_manual_delivery
from rig.records.subject.due import due_of
from rig.records.subject.entries import void_entry
from rig.records.subject.known_subject import load_known_subject, record_facts
from rig.records.subject.top_up import top_up_of, top_up_time
from rig.records.subject_events import EVENTS, append_events
from tests.past_sessions import write_session
from tests.records.journals import Book, put

FRIDAY, SATURDAY, SUNDAY, MONDAY = (datetime.date(2026, 11, day) for day in (27, 28, 29, 30))
MOUSE = {"species": "mouse", "baseline_g": 25.0, "baseline_date": "2026-11-01"}
WEEK = [FRIDAY + datetime.timedelta(days=place) for place in range(-4, 4)]


def at(day: datetime.date, hour: int = 9, minute: int = 0) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time(hour, minute))


def facts(folder: Path, when: datetime.datetime, **said: Any) -> None:
    record_facts(folder, said, "Ada", when)


def water(
    folder: Path, ul: float, when: datetime.datetime, closes: datetime.date | None = None, given_at: Any = None
) -> None:
    day = None if closes is None else closes.isoformat()
    record_manual_delivery(folder, Amount(ul), "Ada", "by hand", when, top_up_for=day, given_at=given_at)


def weigh(folder: Path, grams: float, when: datetime.datetime, kind: Literal["before", "after"] = "before") -> None:
    append_events(folder, [Weighed(weight_g=grams, when=kind)], "Ada", when)


def due(folder: Path, today: datetime.date) -> dict[str, str]:
    return {each.day.isoformat(): each.top_up.amount for each in due_of(folder, today)}


def why(folder: Path, today: datetime.date) -> list[str]:
    return [each.why for each in due_of(folder, today)]


@pytest.fixture
def mouse(tmp_path: Path) -> Path:
    folder = tmp_path / "A"
    facts(folder, at(FRIDAY), **MOUSE)
    return folder


def test_an_animal_that_never_ran_is_due_its_water_from_the_day_on_which_it_was_added(mouse: Path) -> None:
    assert due(mouse, FRIDAY) == {"2026-11-27": "1200 ul"}
    assert due(mouse, SATURDAY) == {"2026-11-27": "1200 ul", "2026-11-28": "1200 ul"}
    assert why(mouse, SATURDAY) == ["no entry on this day"] * 2


def test_an_entry_of_a_wrong_day_before_all_others_makes_no_day_due_once_it_is_voided(tmp_path: Path) -> None:
    (tmp_path / "subject.yaml").write_text("daily_target_ul: 1200\n")
    water(tmp_path, 1200, at(SUNDAY), given_at=at(FRIDAY))
    void_entry(tmp_path, 0, "Ada", "it was today", at(SUNDAY))
    assert due(tmp_path, SUNDAY) == {"2026-11-29": "1200 ul"}


def test_an_animal_that_was_added_under_a_clock_a_year_ahead_stays_due_once_the_clock_is_right(tmp_path: Path) -> None:
    mouse = tmp_path / "A"
    facts(mouse, at(FRIDAY.replace(year=2027)), **MOUSE)
    water(mouse, 100, at(FRIDAY))
    assert due(mouse, SATURDAY) == {"2026-11-27": "1100 ul", "2026-11-28": "1200 ul"}
    days = subject_days(mouse, load_known_subject(mouse), SATURDAY, 14)
    assert [(day.due, day.top_up_open) for day in days] == [(1100, True)]


def test_a_damaged_line_that_may_have_held_its_species_is_told_and_not_taken_for_free_water(mouse: Path) -> None:
    water(mouse, 5, at(FRIDAY))
    events = mouse / EVENTS
    events.write_bytes(events.read_bytes().replace(b"mouse", b"house", 1))
    with pytest.raises(RecordError, match="line 1: its checksum does not fit: it may be restricted"):
        due_of(mouse, FRIDAY)


def test_a_damaged_line_that_may_have_ended_its_retirement_is_told(mouse: Path) -> None:
    append_events(mouse, [Retired(reason="so"), Unretired(reason="so")], "Ada", at(FRIDAY))
    events = mouse / EVENTS
    events.write_bytes(events.read_bytes().replace(b"unretired", b"unretiree"))
    with pytest.raises(RecordError, match=r"line 3: .*what it is due is not known"):
        due_of(mouse, FRIDAY)


def test_a_torn_line_without_an_amount_was_never_acknowledged_and_hides_nothing(tmp_path: Path) -> None:
    facts(tmp_path / "P", at(FRIDAY), species="human")
    with (tmp_path / "P" / EVENTS).open("ab") as file:
        file.write(b'{"k":"remark","t":1,"seq":1,"by":"Ada","at":"2026')
    assert due(tmp_path / "P", SATURDAY) == {}


def test_a_weight_is_an_entry_and_no_water(mouse: Path) -> None:
    weigh(mouse, 23, at(FRIDAY))
    assert why(mouse, SATURDAY) == ["0 of 1200 ul were given", "no entry on this day"]


def test_water_that_reaches_the_target_is_due_no_longer_and_less_is(mouse: Path) -> None:
    water(mouse, 700, at(FRIDAY))
    assert due(mouse, FRIDAY) == {"2026-11-27": "500 ul"}
    assert why(mouse, FRIDAY) == ["700 of 1200 ul were given"]
    water(mouse, 500, at(FRIDAY, 18))
    assert due(mouse, FRIDAY) == {}


def test_a_day_that_was_closed_is_asked_for_no_longer(mouse: Path) -> None:
    water(mouse, 0, at(SATURDAY), closes=FRIDAY, given_at=top_up_time(FRIDAY, at(SATURDAY)))
    assert due(mouse, SATURDAY) == {"2026-11-28": "1200 ul"}


def test_a_week_later_a_day_is_asked_for_no_longer(mouse: Path) -> None:
    week = datetime.timedelta(days=7)
    assert "2026-11-27" in due(mouse, FRIDAY + week)
    assert "2026-11-27" not in due(mouse, SATURDAY + week)


def test_free_days_without_restriction_are_due_nothing(mouse: Path) -> None:
    water(mouse, 1200, at(FRIDAY))
    facts(mouse, at(SATURDAY), restriction="none")
    assert due(mouse, SUNDAY) == {}
    facts(mouse, at(MONDAY), restriction="water")
    assert due(mouse, MONDAY) == {"2026-11-30": "1200 ul"}


def test_an_animal_that_is_free_now_is_due_nothing_of_the_days_before(mouse: Path) -> None:
    facts(mouse, at(SUNDAY), restriction="none")
    assert due(mouse, SUNDAY) == {}


def test_facts_that_a_wrong_clock_dated_later_hide_nothing_today(tmp_path: Path) -> None:
    facts(tmp_path / "A", at(datetime.date(2031, 1, 1)), **MOUSE)
    assert due(tmp_path / "A", FRIDAY) == {"2026-11-27": "1200 ul"}


@pytest.mark.parametrize("said", [{"species": "human"}, {"species": "mouse", "restriction": "none"}, {"sex": "male"}])
def test_subjects_that_are_not_restricted_are_due_nothing(tmp_path: Path, said: dict[str, str]) -> None:
    facts(tmp_path / "H1", at(FRIDAY), **said)
    assert due(tmp_path / "H1", SUNDAY) == {}


def test_a_target_in_the_file_of_an_animal_without_facts_is_due_today(tmp_path: Path) -> None:
    (tmp_path / "A").mkdir()
    (tmp_path / "A" / "subject.yaml").write_text("daily_target_ul: 900\n")
    assert due(tmp_path / "A", SUNDAY) == {"2026-11-29": "900 ul"}


def test_restricted_animals_without_a_target_are_named_until_they_are_given_something(tmp_path: Path) -> None:
    facts(tmp_path / "R1", at(SUNDAY), species="rat", restriction="water")
    assert why(tmp_path / "R1", SUNDAY) == [
        "no entry on this day; no daily target is known: set daily_target_ul in its subject.yaml"
    ]
    water(tmp_path / "R1", 5000, at(SUNDAY))
    assert due(tmp_path / "R1", SUNDAY) == {}
    facts(tmp_path / "P1", at(SUNDAY), species="pigeon")
    weigh(tmp_path / "P1", 425, at(SUNDAY))
    assert why(tmp_path / "P1", SUNDAY) == [
        "no daily target is known: set daily_food_g in its subject.yaml, or a baseline weight and target_pct"
    ]


def test_a_daily_amount_in_the_file_of_an_animal_without_a_species_restricts_it(tmp_path: Path) -> None:
    for name, rule, amount in (("A", "daily_target_ul: 1000", "1000 ul"), ("B", "daily_food_g: 12", "12 g")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "subject.yaml").write_text(rule)
        assert due(tmp_path / name, SUNDAY) == {"2026-11-29": amount}


def test_a_rat_is_due_food(tmp_path: Path) -> None:
    rat = tmp_path / "R1"
    facts(rat, at(SUNDAY), species="rat")
    assert due(rat, SUNDAY) == {"2026-11-29": "14 g"}
    record_manual_delivery(rat, Amount(pellets=100), "Ada", "by hand", at(SUNDAY), food_g=5)
    assert due(rat, SUNDAY) == {"2026-11-29": "4.5 g"}


def test_a_pigeon_is_due_what_lifts_it_to_its_weight(tmp_path: Path) -> None:
    pigeon = tmp_path / "P1"
    facts(pigeon, at(SATURDAY), species="pigeon", baseline_g=500, baseline_date="2026-11-01")
    assert why(pigeon, SATURDAY) == ["no entry on this day; weigh it: rig subject weigh P1 GRAMS"]
    weigh(pigeon, 415, at(SATURDAY, 17))
    assert why(pigeon, SATURDAY) == ["415 of 425 g are reached"]
    record_manual_delivery(pigeon, Amount(), "Ada", "by hand", at(SATURDAY, 18), food_g=10)
    weigh(pigeon, 430, at(SATURDAY, 8))  # written later, of an earlier time
    assert due(pigeon, SATURDAY) == {}


def test_pellets_by_hand_count_for_a_pigeon_after_its_weight(tmp_path: Path) -> None:
    pigeon = tmp_path / "P1"
    facts(pigeon, at(SATURDAY), species="pigeon", baseline_g=500, baseline_date="2026-11-01")
    weigh(pigeon, 415, at(SATURDAY, 17))
    record_manual_delivery(pigeon, Amount(pellets=100), "Ada", "by hand", at(SATURDAY, 18), food_g=2)
    assert due(pigeon, SATURDAY) == {"2026-11-28": "3.5 g"}


def test_rewards_in_doubt_count_and_are_named(mouse: Path) -> None:
    book = Book()
    book.header(start="2026-11-27T09:00:00")
    book.footer(ul=5.0, unconfirmed_rewards=2)
    put(mouse / "2026-11-27" / "001", book.raw)
    assert why(mouse, FRIDAY) == ["5 of 1200 ul were given, 2 of the rewards in doubt and counted"]


def test_a_session_that_cannot_be_read_makes_its_day_unknown_and_no_other(mouse: Path) -> None:
    water(mouse, 1200, at(FRIDAY))
    journal = write_session(mouse, 29) / "journal.jsonl"
    journal.write_bytes(b"no journal\n")
    assert due(mouse, SATURDAY) == {"2026-11-28": "1200 ul"}
    assert due(mouse, SUNDAY)["2026-11-29"] == "unknown"


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system sets no time zone for a process")
@pytest.mark.parametrize("day", [datetime.date(2026, 3, 29), datetime.date(2026, 10, 25)])
def test_a_day_on_which_the_clocks_change_has_all_its_hours(
    tmp_path: Path, day: datetime.date, at_zone: Callable[[str], None]
) -> None:
    at_zone("Europe/Berlin")
    mouse, eve, morrow = tmp_path / "A", *(day + datetime.timedelta(days=by) for by in (-1, 1))
    facts(mouse, at(eve, 0), **MOUSE)
    for hour, minute in ((0, 0), (3, 0), (23, 59)):
        water(mouse, 100, at(day, hour, minute))
    assert due(mouse, morrow) == {eve.isoformat(): "1200 ul", day.isoformat(): "900 ul", morrow.isoformat(): "1200 ul"}


@pytest.fixture
def at_zone(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Set the time zone of this process, until the test has ended."""
    before = os.environ.get("TZ")

    def set_zone(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    yield set_zone
    if hasattr(time, "tzset"):
        os.environ.pop("TZ", None)
        if before is not None:
            os.environ["TZ"] = before
        time.tzset()


_ENTRIES = st.lists(
    st.tuples(
        st.integers(0, 7), st.integers(0, 7), st.integers(0, 23), st.sampled_from((0.0, 5.0, 600.0, 1200.0, 2500.0)),
        st.booleans(),
    ),
    max_size=8,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(_ENTRIES)
def test_an_entry_changes_what_is_due_of_its_own_day_alone_and_nothing_falls_below_zero(entries: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as place:
        mouse = Path(place) / "A"
        facts(mouse, at(WEEK[0], 0), **MOUSE)
        known = load_known_subject(mouse)

        def days() -> list[tuple[float, bool]]:
            found = [top_up_of(mouse, known, day) for day in WEEK]
            return [(each.due, each.is_open) for each in found if each is not None]

        before = days()
        for first, second, hour, ul, closes in entries:
            of, written = WEEK[min(first, second)], at(WEEK[max(first, second)], 23, 30)
            given_at = top_up_time(of, written) if closes else at(of, hour)
            water(mouse, ul, written, of if closes else None, given_at)
            after = days()
            changed = [day for day, old, new in zip(WEEK, before, after, strict=True) if old != new]
            assert set(changed) <= {of}
            assert all(amount >= 0 for amount, _ in after)
            assert (before[WEEK.index(of)][0] - after[WEEK.index(of)][0]) == pytest.approx(
                min(ul, before[WEEK.index(of)][0])
            )
            before = after
