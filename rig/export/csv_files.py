"""Tables as CSV files, which any program reads and no spreadsheet executes; see `rig.core.journal.cells`."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

from rig.records.session.trials import write_table
from rig.records.tables.table import Table, json_text


def write_csv(path: Path, table: Table) -> None:
    """Write a table as `rig.records.session.trials` does. Raises ``RecordError``.

    A table of the protocol has the same bytes as beside the journal. In the others objects and lists are JSON.
    """
    names = [column.name for column in table.columns]
    cell = _same if table.is_recorded else _as_json
    write_table(path, names, [dict(zip(names, map(cell, row), strict=True)) for row in table.rows])


def _same(value: Any) -> Any:
    return value


def _as_json(value: Any) -> Any:
    return json_text(value) if isinstance(value, Collection) and not isinstance(value, str) else value
