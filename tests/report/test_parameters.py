"""The values of a session, with their changes."""

from __future__ import annotations

from pathlib import Path

from rig.records.recorded_session import read_session
from rig.report.parameters import MOST_CHANGES, ValueSources
from tests.records.journals import Book, put


def test_of_many_changes_the_first_are_listed_and_the_others_counted(tmp_path: Path) -> None:
    book = Book()
    book.header(params={"reward_ul": 2.5})
    for trial in range(MOST_CHANGES + 7):
        book.line("params", trial=trial, changed={"reward_ul": 3})
    (row,) = ValueSources(read_session(put(tmp_path, book.raw))).params(book.lines)
    assert row.changed[0] == "3 from trial 0 on"
    assert len(row.changed) == MOST_CHANGES + 1
    assert row.changed[-1] == "7 more changes"
