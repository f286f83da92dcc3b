"""The columns of the trial table that the program fills after a session: ``trials.csv`` has them, the journal not."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rig.core.journal.cells import unescape_formula
from rig.records.session.trials import TRIALS, format_cell
from rig.records.tables.table import Table

Row = Mapping[str, object]

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


def with_computed(folder: Path, trials: Table) -> Table:
    """Return the trial table with the columns that the program has computed after the session.

    Of a file that is of other rows nothing is taken.
    """
    columns: list[Sequence[object]] = [*trials.column_values()]
    empty = [index for index, values in enumerate(columns) if all(value is None for value in values)]
    cells = read_computed(folder) if empty and trials.rows else []
    if len(cells) != len(trials.rows) or not all(map(_agrees, cells, trials.row_dicts())):
        return trials
    for index in empty:
        column = trials.columns[index]
        columns[index] = [_value(cell.get(column.name, ""), column.kind) for cell in cells]
    return replace(trials, rows=list(zip(*columns, strict=True)))


def _agrees(cells: Mapping[str, str], row: Row) -> bool:
    """Whether a row of the file has each value that the journal has."""
    return all(cells.get(name) == format_cell(name, value) for name, value in row.items() if value is not None)


def _value(cell: str | None, kind: str) -> object:
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
