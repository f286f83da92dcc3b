"""What a subject may still be given today."""

import datetime
from pathlib import Path

import pytest

from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.subject.deliveries import record_manual_delivery
from rig.session.daily_total import DailyTotal, amount_text, load_daily_total
from tests.records.journals import Book, put

TODAY = "2026-11-21"


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    folder = tmp_path / "M1"
    folder.mkdir()
    return folder


def session(subject: Path, number: int, *volumes: float, ul: float | None = None, date: str = TODAY) -> Path:
    """A session that gave drops of ``volumes``; with ``ul`` it ended, and its footer says so."""
    book = Book()
    book.header(start=f"{date}T09:00:00")
    for group, volume in enumerate(volumes, start=1):
        book.gave(group, "pending", Amount(volume))
        book.edge("left.beam", 1, fired=group)
    if ul is not None:
        book.footer(ul=ul)
    return put(subject / date / f"{number:03d}", book.raw)


def day_of(subject: Path, at: str = f"{TODAY}T12:00:00") -> DailyTotal:
    return load_daily_total(subject, limits_of(subject), datetime.datetime.fromisoformat(at))


def limited(subject: Path, text: str) -> None:
    (subject / "subject.yaml").write_text(text)


def test_a_new_subject_has_all_of_the_shipped_limits(subject: Path) -> None:
    assert day_of(subject).remaining_amounts(("ul",)) == {"ul": 2000, "pellets": 360, "access_s": 960}


def test_what_is_left_is_the_limit_less_what_sessions_and_hands_gave(subject: Path) -> None:
    session(subject, 1, ul=400)
    record_manual_delivery(
        subject, Amount(ul=50, pellets=3), "AB", "bait", datetime.datetime.fromisoformat(f"{TODAY}T10:00")
    )
    assert day_of(subject).remaining_amounts(("ul",)) == {"ul": 1550, "pellets": 357, "access_s": 960}
    assert day_of(subject, "2026-11-22T12:00:00").remaining_amounts(("ul",))["ul"] == 2000


def test_a_limit_of_24_hours_reaches_over_midnight(subject: Path) -> None:
    limited(subject, "max_ul_24h: 500\n")
    session(subject, 1, ul=400)
    assert day_of(subject, "2026-11-22T08:00:00").remaining_amounts(("ul",))["ul"] == 100
    assert day_of(subject, "2026-11-22T10:00:00").remaining_amounts(("ul",))["ul"] == 500


def test_what_is_dated_later_by_a_clock_that_was_wrong_counts(subject: Path) -> None:
    session(subject, 1, ul=400, date="2027-03-01")
    assert day_of(subject).remaining_amounts(("ul",))["ul"] == 1600


def test_a_drop_after_midnight_counts_for_the_day_on_which_it_fell(subject: Path) -> None:
    book = Book()
    book.header(start=f"{TODAY}T23:30:00")
    book.footer(ul=300, t_us=3_600_000_000, given=[[10, 100.0, 0, 0.0], [40, 200.0, 0, 0.0]])
    put(subject / TODAY / "001", book.raw)
    assert day_of(subject, "2026-11-22T01:00:00").remaining_amounts(("ul",))["ul"] == 1800


def test_the_rest_of_what_was_given_before_midnight_counts_for_24_hours(subject: Path) -> None:
    session(subject, 1, ul=1900, date="2026-11-20")
    session(subject, 1, ul=1000)
    assert day_of(subject, f"{TODAY}T08:59:00").remaining_amounts(("ul",))["ul"] == 100


@pytest.mark.parametrize("max_ul", [400, 399.9, 1])
def test_a_day_whose_limit_is_reached_has_no_more_sessions(subject: Path, max_ul: float) -> None:
    limited(subject, f"\nmax_ul_day: {max_ul}\n")
    session(subject, 1, ul=400)
    with pytest.raises(ConfigError) as refused:
        day_of(subject).remaining_amounts(("ul",))
    assert str(refused.value).startswith(f"M1 has been given 400 ul on {TODAY}, and max_ul_day is {max_ul:g} (")
    assert "M1/subject.yaml:2): no more today" in str(refused.value)


def test_a_limit_of_what_the_rig_does_not_give_is_no_hindrance(subject: Path) -> None:
    session(subject, 1, ul=2000)
    assert day_of(subject).remaining_amounts(("pellets",))["ul"] == 0


def test_what_nobody_knows_is_refused_with_the_command_that_settles_it(subject: Path) -> None:
    (subject / TODAY / "002" / "config").mkdir(parents=True)
    session(subject, 1, ul=7.5)
    with pytest.raises(ConfigError) as refused:
        day_of(subject).remaining_amounts(("ul",))
    assert f"rig subject give M1 AMOUNT --session {TODAY}/002" in str(refused.value)
    assert "M1 was given at least 7.5 ul in 24 hours" in str(refused.value)


def test_an_amount_of_several_kinds_is_said_with_all_of_them() -> None:
    assert amount_text(Amount(2.5, 3, 1.5)) == "2.5 ul, 3 pellets, 1.5 s"
    assert amount_text(Amount()) == "0 ul"
