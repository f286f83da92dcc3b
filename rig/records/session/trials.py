"""The trial table, one row a trial, and a protocol's further tables: made from the journal alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rig.core.journal.cells import csv_text, escape_formula
from rig.core.journal.header import Header
from rig.core.model.rows import TRIAL_TABLE
from rig.system.atomic_files import write_atomic

TRIALS = f"{TRIAL_TABLE}.csv"


def format_cell(name: str, value: object) -> str:
    """Write one value: nothing for what never happened, times to the microsecond."""
    if value is None:
        return ""
    if isinstance(value, float) and (name == "t" or name.startswith("t_") or name.endswith("_s")):
        return f"{value:.6f}"
    # A spreadsheet would run a text that begins with '=' as a formula.
    return escape_formula(value) if isinstance(value, str) else str(value)


Rows = Sequence[Mapping[str, object]]


def write_tables(folder: Path, header: Header, tables: Mapping[str, Rows]) -> None:
    """Write every table of a session into its folder, with the columns of its header. Raises ``RecordError``."""
    columns = header.columns_by_table
    for name, rows in tables.items():
        write_table(folder / f"{name}.csv", columns[name], rows)


def write_trials(folder: Path, columns: Sequence[str], rows: Rows) -> Path:
    """Write ``trials.csv`` into a session's folder, completely or not at all. Raises ``RecordError``."""
    return write_table(folder / TRIALS, columns, rows)


def write_table(path: Path, columns: Sequence[str], rows: Rows) -> Path:
    """Write a table, completely or not at all. Raises ``RecordError``."""
    return write_atomic(
        path, csv_text([columns, *([format_cell(name, row[name]) for name in columns] for row in rows)])
    )
