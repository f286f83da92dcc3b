"""What a subject was given today, and what that leaves for the next session."""

from pathlib import Path

import pytest

from rig.core.errors import ConfigError
from rig.records.recover import recover
from rig.session.day import check_day, given_today
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
    book.header()
    for group, volume in enumerate(volumes, start=1):
        book.command(group, f"arm {group}: left.beam+ pulse left.valve 1000 ({volume:g} ul)")
        book.edge("left.beam", 1, fired=group)
    if ul is not None:
        book.footer(ul=ul)
    return put(subject / date / f"{number:03d}", book.raw)


def test_a_new_subject_has_been_given_nothing(subject: Path) -> None:
    assert given_today(subject, TODAY) == 0
    assert check_day(subject, TODAY, 1000) == 1000


def test_the_sessions_of_the_day_are_added_up_by_their_footers(subject: Path) -> None:
    session(subject, 1, 2.5, 2.5, ul=7.5)  # a manual reward has no trial
    session(subject, 2, ul=0)
    session(subject, 3, 2.5, ul=2.5)
    assert given_today(subject, TODAY) == 10.0


def test_other_days_and_other_subjects_do_not_count(subject: Path) -> None:
    session(subject, 1, ul=4, date="2026-11-20")
    session(subject.parent / "M2", 1, ul=5)
    session(subject, 1, ul=2)
    assert given_today(subject, TODAY) == 2.0


def test_a_session_that_crashed_counts_by_its_drops_also_those_of_a_trial_that_was_not_finished(subject: Path) -> None:
    session(subject, 1, 2.5, 4.0)
    session(subject, 2, ul=1)
    assert given_today(subject, TODAY) == 7.5


def test_recovering_a_session_changes_nothing_of_the_day(subject: Path) -> None:
    folder = session(subject, 1, 2.5, 4.0)
    recover(folder)
    assert given_today(subject, TODAY) == 6.5


@pytest.mark.parametrize("left", [1, 30, -1])
def test_a_torn_last_line_hides_no_other_drop(subject: Path, left: int) -> None:
    folder = session(subject, 1, 2.5, 4.0, 8.0)
    journal = folder / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][: left - (left == -1)])
    assert given_today(subject, TODAY) == 6.5


def test_a_folder_without_a_journal_counts_nothing(subject: Path) -> None:
    (subject / TODAY / "001").mkdir(parents=True)
    put(subject / TODAY / "002", b"")
    assert given_today(subject, TODAY) == 0


def test_what_is_left_is_the_limit_less_what_was_given(subject: Path) -> None:
    session(subject, 1, ul=400)
    assert check_day(subject, TODAY, 1000) == 600
    assert check_day(subject, TODAY, 400.5) == 0.5
    assert check_day(subject, "2026-11-22", 1000) == 1000


@pytest.mark.parametrize("max_ul", [400, 399.9, 1])
def test_a_day_whose_limit_is_reached_has_no_more_sessions(subject: Path, max_ul: float) -> None:
    session(subject, 1, ul=400)
    with pytest.raises(ConfigError) as refused:
        check_day(subject, TODAY, max_ul)
    assert str(refused.value) == (
        f"M1 has been given 400 ul on {TODAY}, and stop.max_ul_day is {max_ul:g}: no more today"
    )


def test_without_a_limit_nothing_is_read(subject: Path) -> None:
    put(subject / TODAY / "001", b'{"k":"footer"}\n')  # no line of ours: reading it would fail
    assert check_day(subject, TODAY, None) is None
