"""``rig export csv``: the tables of sessions as CSV files."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from rig.cli.export.tables import export_tables
from rig.export.csv_files import write_csv
from rig.export.table import Table


def run(arguments: argparse.Namespace) -> int:
    """Write the tables. Raises ``ConfigError``, ``RecordError``."""
    return export_tables(arguments, "csv", _write)


def _write(path: Path, table: Table, session: dict[str, Any]) -> None:
    write_csv(path, table)
