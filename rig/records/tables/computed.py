"""The columns of the trial table that the program fills after a session: ``trials.csv`` has them, the journal not."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.core.journal.cells import unescape_formula
from rig.records.session.trials import TRIALS, format_cell
from rig.records.tables.table import Table

Row = Mapping[str, Any]

MAX_BYTES = 256 << 20
"""Maximum size of the file; a day of 100,000 trials has about 20 MB."""


def read_computed(folder: Path) -> list[dict[str, str]]:
    """Return the cells of a session's ``trials.csv``; none if it is missing, too large or no table."""
    path = folder / TRIALS
    try:
        # Opening a pipe would block without end.
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return []
        with path.open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, strict=True))
    except (OSError, ValueError, csv.Error):
        return []


def fill_computed(folder: Path, trials: Table) -> None:
    """Add the values of the columns that the program has computed after the session to the trial table."""
    empty = [n for n, values in enumerate(trials.column_values()) if not any(value is not None for value in values)]
    cells = read_computed(folder) if empty and trials.rows else []
    if not cells:
        return
    rows = [dict(zip((column.name for column in trials.columns), row, strict=True)) for row in trials.rows]
    for index in empty:
        column = trials.columns[index]
        values = computed_values(cells, rows, column.name, column.kind)
        trials.rows = [[*row[:index], value, *row[index + 1 :]] for row, value in zip(trials.rows, values, strict=True)]


def computed_values(cells: Sequence[Mapping[str, str]], rows: Sequence[Row], column: str, kind: str) -> list[Any]:
    """Return the values of a column in ``trials.csv``, for the rows of the journal; None if the file is of other rows.

    ``kind`` is that of the column in the header.
    """
    if len(cells) != len(rows) or not all(map(_agrees, cells, rows)):
        return [None] * len(rows)
    return [_value(cell.get(column, ""), kind) for cell in cells]


def _agrees(cells: Mapping[str, str], row: Row) -> bool:
    """Whether a row of the file has each value that the journal has."""
    return all(cells.get(name) == format_cell(name, value) for name, value in row.items() if value is not None)


def _value(cell: str | None, kind: str) -> Any:
    if not cell:
        return None
    if kind == "boolean":
        return {"True": True, "False": False}.get(cell)
    if kind not in ("integer", "number"):
        return unescape_formula(cell)
    try:
        return int(cell) if kind == "integer" else float(cell)
    except ValueError:
        return None
