"""Wrong cells: an error of the protocol in a rehearsal, a note in the session of a real subject."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.core.engine.task_log import TaskLog
from rig.core.engine.task_time import TaskTime
from rig.core.errors import TaskError
from rig.core.journal.journal import Journal
from rig.core.journal.kinds import Note, SessionLine, TrialLine
from rig.core.model.events import Edge
from rig.core.model.rows import OneOf, Row, line_of, trace_lines
from tests.journal_lines import read_line
from tests.recording_observer import RecordingObserver

POKE = Edge(1_510_691, "left.beam", 1, 2, 5)


class Mute:
    """An object that has no text."""

    def __repr__(self) -> str:
        raise ValueError


@dataclass
class Choice(Row):
    choice: Annotated[str, OneOf("", "left", "right")] = ""
    t: float = 0.0
    anything: Any = None


class Bench:
    """A log of a task, and what it writes."""

    def __init__(self, *, keep: bool) -> None:
        self.lines: list[SessionLine] = []
        self.observer = RecordingObserver()
        journal = Journal(lambda line: self.lines.append(read_line(line)))
        self.log = TaskLog(journal, TaskTime(now_us=2_000_000), self.observer, keep_mistakes=keep)

    @property
    def notes(self) -> list[Any]:
        return [line for line in self.lines if isinstance(line, Note)]


def test_a_wrong_cell_is_an_error_with_the_line_that_set_it() -> None:
    bench, row = Bench(keep=False), Choice()
    trace_lines(row, ("task.py", 7))
    row.choice = POKE  # type: ignore[assignment]
    with pytest.raises(TaskError, match=r"^Choice\.choice is Edge\(.*, wanted '', 'left' or 'right'; did you") as told:
        bench.log.row(row)
    assert told.value.where == line_of(row, "choice")
    assert bench.lines == []


def test_a_wrong_cell_of_a_further_table_is_an_error_with_the_line_that_records_it() -> None:
    with pytest.raises(TaskError, match=r"^Choice\.choice is 'LEFT', wanted .* did you mean 'left'") as told:
        Bench(keep=False).log.record("choices", Choice("LEFT"), ("task.py", 9))
    assert told.value.where == ("task.py", 9)


def test_a_real_session_keeps_the_row_and_writes_one_note_for_each_column_and_the_sum_at_the_end() -> None:
    bench = Bench(keep=True)
    for choice in ("left", "LEFT", "up"):
        bench.log.row(Choice(choice))
    bench.log.record("choices", Choice(t=math.nan))
    bench.log.conclude()
    assert [line.row["choice"] for line in bench.lines if isinstance(line, TrialLine)] == ["left", "LEFT", "up"]
    assert [(note.what, note.fields.get("column"), note.fields.get("cells")) for note in bench.notes] == [
        ("wrong_cell", "trials.choice", None),
        ("wrong_cell", "choices.t", None),
        ("wrong_cells", None, {"trials.choice": 2, "choices.t": 1}),
    ]
    assert bench.notes[0].fields["detail"] == "'LEFT', wanted '', 'left' or 'right'; did you mean 'left'?"
    assert bench.log.rows == 3


def test_a_session_without_a_wrong_cell_has_no_note() -> None:
    bench = Bench(keep=True)
    bench.log.row(Choice("left"))
    bench.log.conclude()
    assert bench.notes == []


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (POKE, repr(POKE)),
        (object(), "<object object>"),
        (math.nan, "nan"),
        (Mute(), "<Mute: ValueError>"),
        (1 << 70, str(1 << 70)),
        ({1, 2}, "{1, 2}"),
        ("x" * (1 << 23), "'" + "x" * 999),
    ],
)
def test_a_value_that_is_no_json_is_written_as_its_text_and_the_row_has_it_too(value: Any, text: str) -> None:
    bench = Bench(keep=True)
    row = Choice(value) if value is POKE else Choice(anything=value)
    bench.log.row(row)
    assert bench.lines[0].row == row.values()
    assert text in row.values().values()
    assert [note.what for note in bench.notes] == ["wrong_cell"]


@pytest.mark.parametrize("value", [object(), math.nan, Mute(), 1 << 70])
def test_a_value_that_is_no_json_is_an_error_of_a_rehearsal(value: Any) -> None:
    with pytest.raises(TaskError, match=r"^Choice\.anything is .*, wanted a value that JSON has"):
        Bench(keep=False).log.row(Choice(anything=value))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just(POKE) | st.builds(Mute),
    lambda inner: st.lists(inner) | st.dictionaries(st.integers() | st.text(), inner) | st.tuples(inner),
    max_leaves=5,
)


@given(ANYTHING, ANYTHING, ANYTHING)
def test_a_real_session_writes_every_row_whatever_its_cells_hold(choice: Any, t: Any, anything: Any) -> None:
    bench, row = Bench(keep=True), Choice(choice, t, anything)
    bench.log.row(row)
    assert isinstance(bench.lines[0], TrialLine)
    assert bench.lines[0].row == json.loads(json.dumps(row.values()))
