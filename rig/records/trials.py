"""The trial table: one row a trial, made from the journal alone."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rig.files import write_whole

TRIALS = "trials.csv"


def cell(name: str, value: Any) -> str:
    """Write one value: nothing for what never happened, times to the microsecond."""
    if value is None:
        return ""
    if isinstance(value, float) and (name.startswith("t_") or name.endswith("_s")):
        return f"{value:.6f}"
    return str(value)


def write_trials(folder: Path, columns: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write ``trials.csv`` into a session's folder, whole. Raises ``RecordError``."""
    table = io.StringIO(newline="")
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([[cell(name, row[name]) for name in columns] for row in rows])
    return write_whole(folder / TRIALS, table.getvalue().encode("ascii", "backslashreplace"))
