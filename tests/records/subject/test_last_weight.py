"""The last weight of an animal, up to any moment."""

import datetime
from pathlib import Path

import pytest

from rig.core.journal.kinds import Weighed
from rig.records.subject.last_weight import last_weight
from rig.records.subject_events import append_events
from tests.records.journals import Book, put

NOON = datetime.datetime(2026, 11, 21, 12)


def session(folder: Path, day: str, grams: float) -> None:
    book = Book()
    book.header(start=f"{day}T09:00:00", facts={"weight_g": grams})
    book.footer()
    put(folder / day / "001", book.raw)


@pytest.mark.parametrize(
    ("until", "grams"), [("2026-11-18", None), ("2026-11-19", 23), ("2026-11-20", 24), ("2026-11-21", 25)]
)
def test_it_is_that_of_the_newest_session_or_weighing_before_a_moment(
    tmp_path: Path, until: str, grams: float | None
) -> None:
    session(tmp_path, "2026-11-19", 23)
    session(tmp_path, "2026-11-20", 24)
    session(tmp_path, "2027-11-20", 99)  # under a clock a year ahead
    append_events(tmp_path, [Weighed(weight_g=25, when="before")], "Ada", NOON)
    found = last_weight(tmp_path, datetime.datetime.fromisoformat(f"{until}T13:00"))
    assert (None if found is None else found[0]) == grams
