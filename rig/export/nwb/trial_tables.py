"""The tables of a session, by columns: the trial table, and the further tables of its protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rig.core.model.microseconds import US, to_s
from rig.core.model.rows import TRIAL_TABLE
from rig.export.nwb.columns import ColumnData, column_of, described
from rig.export.nwb.other_clocks import with_other_clocks
from rig.records.recorded_session import RecordedSession
from rig.records.tables.table import Table
from rig.records.tables.times import is_time, session_s

SHORTEST_S = 1 / US
"""The length of a trial or state that took no time: tools for NWB want each end after its start."""


@dataclass(frozen=True)
class SessionTable:
    """A table: its name, its columns that have values, and the names of those that have none."""

    name: str
    columns: Sequence[ColumnData]
    empty: Sequence[str]
    rows: int


def trial_table(session: RecordedSession) -> SessionTable:
    """Return the trial table, with the start and the end of each trial."""
    table = _table(session, session.protocol_tables[TRIAL_TABLE])
    starts, stops = _spans(session)
    spans = [ColumnData("start_time", _START, starts), ColumnData("stop_time", _STOP, stops)]
    columns = with_other_clocks(session, [*spans, *table.columns], spans)
    return SessionTable(TRIAL_TABLE, columns, table.empty, table.rows)


def further_tables(session: RecordedSession) -> list[SessionTable]:
    """Return the protocol's further tables that have rows."""
    return [
        _table(session, table) for name, table in session.protocol_tables.items() if name != TRIAL_TABLE and table.rows
    ]


def _table(session: RecordedSession, table: Table) -> SessionTable:
    columns, times, empty = [], [], []
    for column, values in zip(table.columns, table.column_values(), strict=True):
        times_s = _in_session_time(session, values) if is_time(values, column.name) else None
        text = described(table.name, column, is_time=times_s is not None)
        data = column_of(column.name, text, values if times_s is None else times_s)
        if data is None:
            empty.append(column.name)
            continue
        columns.append(data)
        times += [] if times_s is None else [data]
    return SessionTable(table.name, with_other_clocks(session, columns, times), empty, len(table.rows))


def _in_session_time(session: RecordedSession, values: Sequence[float | None]) -> list[float | None]:
    return [None if value is None else session_s(session.clock, value) for value in values]


# --- when a trial began and ended -----------------------------------------------------------------------------------

_START = (
    "start of the trial: the earliest time in its row; without one the end of the trial before; in seconds from the "
    "start of the session"
)
_STOP = "end of the trial: when its row was complete, in seconds from the start of the session"


def _spans(session: RecordedSession) -> tuple[list[float], list[float]]:
    """Return the starts and the ends of trials. A start is never before that of the trial before."""
    starts: list[float] = []
    stops: list[float] = []
    trials = session.recorded_tables[TRIAL_TABLE]
    for row, t_us in zip(trials.row_dicts(), trials.times_us, strict=True):
        times = [
            session_s(session.clock, value)
            for name, value in row.items()
            if value is not None and is_time([value], name)
        ]
        start_s = min(times, default=stops[-1] if stops else 0.0)
        starts.append(max([start_s, *starts[-1:]]))
        stops.append(max(to_s(t_us), starts[-1] + SHORTEST_S, *times))
    return starts, stops
