"""The events of a session, by kind."""

from pathlib import Path
from typing import Any

from rig.core.journal.kinds import AllOffDone, OutputDone
from rig.core.model.actions import Amount, Pulse, Set
from rig.export.nwb.events import EventTable, event_tables
from tests.export.nwb.exported import session_of
from tests.records.journals import Book


def tables_of(folder: Path, fill: Any) -> dict[str, EventTable]:
    return {table.name: table for table in event_tables(session_of(folder, fill=fill))}


def values_of(table: EventTable) -> dict[str, list[Any]]:
    return {column.name: list(column.data) for column in table.columns}


def test_an_input_is_on_from_one_edge_to_the_next(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        book.edge("left.beam", 1)
        book.edge("left.beam", 0)
        book.edge("right.beam", 1)

    found = values_of(tables_of(tmp_path, fill)["inputs"])
    assert (found["timestamp"], found["channel"]) == ([0.001, 0.003], ["left.beam", "right.beam"])
    assert found["duration"][0] == 0.001


def test_an_output_is_on_as_ordered_and_reported(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        book.command(1, Set("left.light", on=True), Pulse("left.valve", us=500))
        book.done(1)
        book.write(OutputDone(2_500, "left.valve", "finished"))
        book.write(AllOffDone(3_000, 0))

    found = values_of(tables_of(tmp_path, fill)["outputs"])
    assert sorted(found["channel"]) == ["left.light", "left.valve"]
    assert dict(zip(found["channel"], found["duration"], strict=True))["left.valve"] == 0.0005


def test_the_last_status_of_a_reward_counts_and_what_was_not_given_is_no_reward(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        for number, *statuses in ((1, "pending", "delivered"), (2, "pending", "cancelled"), (3, "unconfirmed")):
            for status in statuses:
                book.gave(number, status, Amount(2.5))

    found = values_of(tables_of(tmp_path, fill)["rewards"])
    assert sorted(found["status"]) == ["delivered", "unconfirmed"]
    assert found["amount"] == [2.5, 2.5]
    assert found["timestamp"] == sorted(found["timestamp"])


def test_the_log_begins_and_ends_and_has_notes_with_their_fields(tmp_path: Path) -> None:
    def fill(book: Book) -> None:
        book.line("note", what="assignment", by_disk={"0": 3, "1": [1, 2]}, text="é")
        book.line("overflow", lost=3, executed=0, effects=0, number=9)

    found = values_of(tables_of(tmp_path, fill)["log"])
    assert found["kind"] == ["begin", "note", "fault", "end"]
    assert found["what"] == ["", "assignment", "overflow", "time_limit"]
    assert found["details"][1] == 'by_disk.0=3; by_disk.1=[1, 2]; text="é"'


def test_kinds_that_did_not_happen_have_no_table(tmp_path: Path) -> None:
    assert set(tables_of(tmp_path, lambda book: None)) == {"log"}
