"""The tables of a session, by columns: the trial table, and the further tables of its protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rig.core.journal.lines import Line, row_of
from rig.core.model.columns import described_in
from rig.core.model.rows import TRIAL_TABLE
from rig.core.model.units import US, to_s
from rig.export.computed import computed_values
from rig.export.nwb.columns import TableColumn, column_of, described
from rig.export.nwb.other_clocks import with_other_clocks
from rig.export.nwb.session import Session
from rig.export.times import is_time

SHORTEST_S = 1 / US
"""The length of a trial or state that took no time: tools for NWB want each end after its start."""


@dataclass(frozen=True)
class SessionTable:
    """A table: its name, its columns that have values, and the names of those that have none."""

    name: str
    columns: Sequence[TableColumn]
    empty: Sequence[str]
    rows: int


def trial_table(session: Session) -> SessionTable:
    """Return the trial table, with the start and the end of each trial."""
    lines = [line for line in session.lines if line["k"] == "trial"]
    table = _table(session, TRIAL_TABLE, [row_of(line) for line in lines])
    starts, stops = _spans(session, lines)
    spans = [TableColumn("start_time", _START, starts), TableColumn("stop_time", _STOP, stops)]
    columns = with_other_clocks(session, [*spans, *table.columns], spans)
    return SessionTable(TRIAL_TABLE, columns, table.empty, table.rows)


def further_tables(session: Session) -> list[SessionTable]:
    """Return the protocol's further tables that have rows."""
    rows: dict[str, list[Line]] = {name: [] for name in session.header.get("tables", ())}
    for line in session.lines:
        if line["k"] == "row" and line["table"] in rows:
            rows[line["table"]].append(row_of(line))
    return [_table(session, name, found) for name, found in rows.items() if found]


def _table(session: Session, name: str, rows: Sequence[Mapping[str, Any]]) -> SessionTable:
    said = described_in(session.header, name)
    columns, times, empty = [], [], []
    for column in session.columns(name):
        values = [row[column] for row in rows]
        if name == TRIAL_TABLE and not any(value is not None for value in values):
            values = computed_values(session.computed, rows, column, said.get(column, {}).get("kind"))
        has_times = is_time(column, values)
        text = described(name, column, said.get(column, {}), is_time=has_times)
        column_data = column_of(column, text, _in_session_time(session, values) if has_times else values)
        if column_data is None:
            empty.append(column)
            continue
        columns.append(column_data)
        times += [column_data] if has_times else []
    return SessionTable(name, with_other_clocks(session, columns, times), empty, len(rows))


def _in_session_time(session: Session, values: Sequence[Any]) -> list[Any]:
    return [None if value is None else session.session_s(value) for value in values]


# --- when a trial began and ended -----------------------------------------------------------------------------------

_START = (
    "start of the trial: the earliest time in its row; without one the end of the trial before; in seconds from the "
    "start of the session"
)
_STOP = "end of the trial: when its row was complete, in seconds from the start of the session"


def _spans(session: Session, lines: Sequence[Line]) -> tuple[list[float], list[float]]:
    """Return the starts and the ends of trials. A start is never before that of the trial before."""
    starts: list[float] = []
    stops: list[float] = []
    for line in lines:
        times = [
            session.session_s(value)
            for name, value in row_of(line).items()
            if value is not None and is_time(name, [value])
        ]
        start_s = min(times, default=stops[-1] if stops else 0.0)
        starts.append(max([start_s, *starts[-1:]]))
        stops.append(max(to_s(line["t"]), starts[-1] + SHORTEST_S, *times))
    return starts, stops
