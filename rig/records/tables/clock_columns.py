"""Further columns of a table: its times on the clocks of other systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rig.core.model.microseconds import to_s
from rig.core.model.task_clock import TaskClock
from rig.records.tables.columns import END, START, TIME, frame_columns
from rig.records.tables.other_clocks import NumberedFrames, OtherClocks
from rig.records.tables.table import Table, TableColumn
from rig.records.tables.times import are_numbers, is_time, session_s

_TIMES = frozenset({TIME.name, START.name, END.name})


def with_clock_columns(table: Table, clocks: OtherClocks, clock: TaskClock) -> Table:
    """Return a table with its times on the other clocks; ``clock`` is that of the times in a table of the protocol."""
    names = [column.name for column in table.columns]
    columns = dict(zip(names, table.column_values(), strict=True))
    added = clocks.columns(_session_times(table, columns, clock), names, "_s") if clocks.alignments else []
    if not added:
        return table
    further = (TableColumn.of(column.name, "number", column.text) for column in added)
    values = zip(*(column.values for column in added), strict=True)
    rows: list[Sequence[object]] = [[*row, *more] for row, more in zip(table.rows, values, strict=True)]
    return replace(table, columns=(*table.columns, *further), rows=rows)


def _session_times(
    table: Table, columns: dict[str, tuple[object, ...]], clock: TaskClock
) -> dict[str, Sequence[float | None]]:
    if not table.is_recorded:
        return {name: values for name, values in columns.items() if name in _TIMES and are_numbers(values)}
    return {
        name: [None if value is None else session_s(clock, value) for value in values]
        for name, values in columns.items()
        if is_time(values, name)
    }


def frames_table(numbered: NumberedFrames) -> Table:
    """Return the table of a camera's numbered frames."""
    rows = [(None if frame.t_us is None else to_s(frame.t_us), frame.number, frame.edge) for frame in numbered.frames]
    return Table(numbered.name, frame_columns(numbered.channel), list(rows))
