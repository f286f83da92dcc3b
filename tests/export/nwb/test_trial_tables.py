"""The tables of a session by columns, and when its trials began and ended."""

from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import HealthLine, Paused, Resumed, StateLine
from rig.core.model.rows import TRIAL_TABLE
from rig.export.nwb.states import state_columns
from rig.export.nwb.trial_tables import further_tables, trial_table
from rig.records.recorded_session import RecordedSession
from tests.export.nwb.exported import session_of
from tests.records.journals import Book

COLUMNS = ("trial", "t", "t_out", "side")


def trial(book: Book, t_us: int, **values: Any) -> None:
    book.row(t_us, TRIAL_TABLE, {name: values.get(name) for name in COLUMNS})


def values_of(session: RecordedSession) -> dict[str, list[Any]]:
    return {column.name: list(column.data) for column in trial_table(session).columns}


def test_a_trial_lasts_from_the_first_time_of_its_row_until_the_row_was_complete(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        trial(book, 2_500_000, trial=1, t=1.0, t_out=2.0, side="left")
        trial(book, 5_000_000, trial=2, t=None, t_out=4.5, side="right")
        trial(book, 6_000_000, trial=3, t=None, t_out=None, side="")

    found = values_of(session_of(tmp_path, columns=COLUMNS, fill=fill))
    assert found["start_time"] == [1.0, 4.5, 5.0]
    assert found["stop_time"] == [2.5, 5.0, 6.0]


def test_a_trial_that_took_no_time_has_an_end_after_its_start(tmp_path: Path) -> None:
    session = session_of(tmp_path, columns=COLUMNS, fill=lambda book: trial(book, 1_000_000, trial=1, t=1.0))
    found = values_of(session)
    assert found["stop_time"][0] > found["start_time"][0]


def test_columns_without_a_value_are_left_out_and_named(tmp_path: Path) -> None:
    session = session_of(tmp_path, columns=COLUMNS, fill=lambda book: trial(book, 1_000_000, trial=1, t=1.0))
    table = trial_table(session)
    assert list(table.empty) == ["t_out", "side"]
    assert "t_out" not in [column.name for column in table.columns]


def test_times_of_tables_are_put_on_the_axis_of_the_session(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        book.write(Paused(1_500_000))
        book.write(Resumed(2_500_000, 1_000_000))
        trial(book, 3_500_000, trial=1, t=1.0, t_out=2.25)

    found = values_of(session_of(tmp_path, columns=COLUMNS, fill=fill))
    assert (found["t"], found["t_out"], found["stop_time"]) == ([1.0], [3.25], [3.5])


def test_further_tables_keep_their_rows(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        book.row(1000, "intervals", {"disk": 3, "t": 0.5})
        book.row(2000, "intervals", {"disk": 4, "t": None})

    session = session_of(tmp_path, tables={"intervals": ["disk", "t"], "answers": ["answer"]}, fill=fill)
    (table,) = further_tables(session)
    assert (table.name, table.rows) == ("intervals", 2)
    assert [column.name for column in table.columns] == ["disk", "t"]


def test_states_follow_each_other_until_the_end(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        for t_us, name in ((1_000_000, "wait"), (2_000_000, "choose"), (2_000_000, "wait")):
            book.write(StateLine(t_us, name))
        book.write(HealthLine(9_000_000, True, 0))

    starts, stops, names = (list(column.data) for column in state_columns(session_of(tmp_path, fill=fill)))
    assert (starts, names) == ([1.0, 2.0, 2.0], ["wait", "choose", "wait"])
    assert stops[0] == 2.0
    assert all(stop > start for start, stop in zip(starts, stops, strict=True))


def test_a_session_that_entered_no_state_has_none(tmp_path: Path) -> None:
    assert state_columns(session_of(tmp_path)) == []


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["1.000000,2.5", "2.000000,"], [2.5, None]),
        (["1.000000,2.5"], None),
        (["1.000000,2.5", "3.000000,1"], None),
        (["1.000000,x", "2.000000,"], None),
    ],
)
def test_a_computed_column_comes_from_the_table_beside_the_journal_if_that_is_of_the_same_rows(
    tmp_path: Path, cells: list[str], found: list[Any] | None
) -> None:
    def fill(book: Book) -> None:
        for t_s in (1.0, 2.0):
            book.row(int(t_s * 1e6), TRIAL_TABLE, {"t": t_s, "idphi": None})

    descriptions = {"trials": {"idphi": {"kind": "number", "unit": "", "text": ""}}}
    session = session_of(tmp_path, columns=("t", "idphi"), descriptions=descriptions, fill=fill)
    (session.folder / "trials.csv").write_text("\r\n".join(["t,idphi", *cells, ""]), newline="")
    columns = {column.name: column.data for column in trial_table(session).columns}
    read = columns.get("idphi")
    assert (None if read is None else [None if each != each else each for each in read]) == found
