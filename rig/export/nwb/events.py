"""The events of a session, one table for each kind: inputs, outputs, rewards, what the screen reported, and the log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter

import numpy as np

from rig.core.journal.kinds import FAULTS, Note, OperatorNote, ParamsChanged, Paused, Resumed, SessionLine, fault_word
from rig.core.model.events import Continued, Request
from rig.core.model.line import kind_of
from rig.core.model.microseconds import to_s
from rig.core.model.reward import RewardStatus
from rig.export.nwb.columns import ColumnData, column_of, described
from rig.export.nwb.flat import flat_items
from rig.export.nwb.other_clocks import with_other_clocks
from rig.records.recorded_session import RecordedSession
from rig.records.tables import columns
from rig.records.tables.clock_columns import frames_table
from rig.records.tables.other_clocks import NumberedFrames
from rig.records.tables.session_tables import further_fields
from rig.records.tables.table import Table, TableColumn

TIMESTAMP, DURATION = "timestamp", "duration"
_NAMES = {columns.TIME.name: TIMESTAMP, columns.START.name: TIMESTAMP, columns.DURATION.name: DURATION}
"""The names that NWB has for columns of the session's tables."""
_LEFT_OUT = ("id", "direction", columns.END.name, "x_px", "y_px")
_GIVEN = (RewardStatus.DELIVERED, RewardStatus.UNCONFIRMED, RewardStatus.PENDING)


@dataclass(frozen=True)
class EventTable:
    """A table of events in the order of their times, in seconds from the start of the session."""

    name: str
    description: str
    columns: Sequence[ColumnData]


def event_tables(session: RecordedSession) -> list[EventTable]:
    """Return the tables that have rows."""
    own = session.session_tables
    tables = [
        _table("inputs", _INPUTS, _rows_with(own["spans"], "direction", "input")),
        _table("outputs", _OUTPUTS, _rows_with(own["spans"], "direction", "output")),
        _table("rewards", _REWARDS, _rows_with(own["rewards"], "status", *_GIVEN)),
        _table("touches", _TOUCHES, own["touches"]),
        _table("keys", "Keys that were pressed.", own["keys"]),
        _table("hovers", "Items under the pointer of the mouse.", own["hovers"]),
        _table("frames_shown", "Pictures that appeared on the screen.", own["scenes_shown"]),
        _table("log", _LOG, Table("log", _LOG_COLUMNS, [*_log(session)])),
        *(_frames(numbered) for numbered in session.clocks.frames),
    ]
    return [_on_other_clocks(session, table) for table in tables if table is not None]


def _on_other_clocks(session: RecordedSession, table: EventTable) -> EventTable:
    times = [column for column in table.columns if column.name == TIMESTAMP]
    return replace(table, columns=with_other_clocks(session, table.columns, times))


_BY_BOARD = "The board stamped the times; zones of a tracker and what the host reads have the host's stamps."
_INPUTS = f"Spans in which inputs were on: from one edge to the next. {_BY_BOARD}"
_OUTPUTS = (
    "Spans in which outputs were on. Of an output with a limit, such as a valve, the board reported the start. Other "
    "spans follow from the orders, from what the board reported as executed, and from the ends that it reported."
)
_REWARDS = (
    "Rewards that were delivered, or that count as given because their delivery is not confirmed. The time is when "
    "the board reported that the output went on; of one that is not confirmed, the latest possible one."
)
_TOUCHES = "Contacts with the screen. The host stamped them and converted the times to the board's clock."
_LOG = (
    "What else happened: begin and end, pauses, requests and notes of a person, notes of the protocol, changes of "
    "parameters, and faults."
)


def _rows_with(table: Table, name: str, *values: str) -> Table:
    """Return the rows of a table that have one of some values in a column."""
    index = [column.name for column in table.columns].index(name)
    return replace(table, rows=[row for row in table.rows if row[index] in values])


def _table(name: str, description: str, table: Table) -> EventTable | None:
    """Return the rows of a session's table that have a time, ordered by it; None without any."""
    time = next(index for index, column in enumerate(table.columns) if _NAMES.get(column.name) == TIMESTAMP)
    rows = sorted((row for row in table.rows if row[time] is not None), key=itemgetter(time))
    if not rows:
        return None
    made = [ColumnData(TIMESTAMP, described(name, table.columns[time]), np.array([row[time] for row in rows]))]
    for column, values in zip(table.columns, zip(*rows, strict=True), strict=True):
        if column.name not in (*_LEFT_OUT, table.columns[time].name):
            data = column_of(_NAMES.get(column.name, column.name), described(name, column), values)
            made += [] if data is None else [data]
    return EventTable(name, description, made)


def _frames(numbered: NumberedFrames) -> EventTable | None:
    """Return the frames of a camera that have a time."""
    left_out = sum(frame.t_us is None for frame in numbered.frames)
    text = f"Frames of a camera, whose exposures went to {numbered.channel}."
    if left_out:
        text += f" Left out are {left_out} before the first and after the last edge: their times are not known."
    return _table(numbered.name, text, frames_table(numbered))


# --- the log --------------------------------------------------------------------------------------------------------


_column = TableColumn.of
_LOG_COLUMNS = (
    columns.TIME,
    _column("kind", "text", "kind of the event"),
    _column("what", "text", "which note, fault or request it was; empty for others"),
    columns.SOURCE,
    _column("details", "text", "further facts, each as name=value; values as JSON"),
)


def _log(session: RecordedSession) -> Iterator[tuple[float, str, str, str, str]]:
    yield 0.0, "begin", "", "host", ""
    for line in session.lines:
        if (entry := _entry(line)) is not None:
            kind, what, details = entry
            yield to_s(line.t_us), kind, what, line.src, _text(details)
    footer = session.footer
    texts = ("no end recorded",) if footer is None else (footer.reason, footer.detail)
    yield to_s(session.end_us), "end", "; ".join(filter(None, texts)), "host", ""


def _entry(line: SessionLine) -> tuple[str, str, Mapping[str, object]] | None:
    """Return what the log has of a line: its kind, what it was, and its details."""
    match line:
        case Note():
            return "note", line.what, line.fields
        case OperatorNote():
            return "note", kind_of(line), further_fields(line)
        case Request():
            return "request", line.what, further_fields(line, "what")
        case Paused() | Resumed() | Continued() | ParamsChanged():
            return kind_of(line), "", further_fields(line)
        case _ if isinstance(line, FAULTS):
            return "fault", fault_word(line), further_fields(line, "what")
    return None


def _text(details: Mapping[str, object]) -> str:
    values = flat_items(dict(details)) if details else ()
    return "; ".join(f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in values)
