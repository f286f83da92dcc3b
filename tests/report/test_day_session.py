"""When a session of a day began and ended, as a technician reads it from the clock on the wall."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rig.report.day_session import DaySession, read_day_session
from tests.records.journals import Book, put


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The clocks of Berlin, which go forward in the night to 2026-03-29, and back in that to 2026-10-25."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone of a process can be set on POSIX")
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    yield
    if before is None:
        monkeypatch.delenv("TZ")
    else:
        monkeypatch.setenv("TZ", before)
    time.tzset()


def session(folder: Path, start: str, hours: float) -> DaySession:
    book = Book()
    book.header(subject="M1", start=start)
    book.footer(t_us=round(hours * 3600e6))
    return read_day_session(put(folder, book.raw) / "journal.jsonl", frozenset())


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("2026-03-28T22:00:00+01:00", "2026-03-29T07:00:00+02:00"),
        ("2026-10-24T22:00:00+02:00", "2026-10-25T05:00:00+01:00"),
        ("2026-11-21T22:00:00+01:00", "2026-11-22T06:00:00+01:00"),
        ("2026-03-28T22:00:00-05:00", "2026-03-29T06:00:00-05:00"),  # of another place, whose rules are not known
        ("2026-03-28T22:00:00", "2026-03-29T06:00:00"),
    ],
)
@pytest.mark.usefixtures("berlin")
def test_the_end_is_that_of_the_clock_on_the_wall(tmp_path: Path, start: str, end: str) -> None:
    found = session(tmp_path / "M1" / "2026-11-21" / "001", start, 8).end
    assert found is not None
    assert found.isoformat() == end
