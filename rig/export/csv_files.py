"""Tables as CSV files, which any program reads and no spreadsheet executes; see `rig.core.journal.cells`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from rig.records.session.trials import write_table
from rig.records.tables.table import Table, json_text


def write_csv(path: Path, table: Table) -> None:
    """Write a table as `rig.records.session.trials` does. Raises ``RecordError``.

    A table of the protocol has the same bytes as beside the journal. In the others objects and lists are JSON.
    """
    names = [column.name for column in table.columns]
    rows = table.rows if table.is_recorded else ([_plain(value) for value in row] for row in table.rows)
    write_table(path, names, [dict(zip(names, row, strict=True)) for row in rows])


def _plain(value: object) -> object:
    return json_text(value) if isinstance(value, Collection) and not isinstance(value, str) else value
