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
from rig.export.nwb.session import Session

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
    columns = [
        TableColumn("start_time", _START, starts),
        TableColumn("stop_time", _STOP, stops),
        *table.columns,
    ]
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
    columns, empty = [], []
    for column in session.columns(name):
        values = [row[column] for row in rows]
        if name == TRIAL_TABLE and not any(value is not None for value in values):
            values = computed_values(session.computed, rows, column, said.get(column, {}).get("kind"))
        is_time = _is_time(column, values)
        text = described(name, column, said.get(column, {}), is_time=is_time)
        found = column_of(column, text, _in_session_time(session, values) if is_time else values)
        if found is None:
            empty.append(column)
        else:
            columns.append(found)
    return SessionTable(name, columns, empty, len(rows))


def _is_time(name: str, values: Sequence[Any]) -> bool:
    """Whether a column holds times: by its name, ``t`` or ``t_...``, and numbers alone."""
    return (name == "t" or name.startswith("t_")) and {type(value) for value in values} <= {int, float, type(None)}


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
            if value is not None and _is_time(name, [value])
        ]
        start_s = min(times, default=stops[-1] if stops else 0.0)
        starts.append(max([start_s, *starts[-1:]]))
        stops.append(max(to_s(line["t"]), starts[-1] + SHORTEST_S, *times))
    return starts, stops
