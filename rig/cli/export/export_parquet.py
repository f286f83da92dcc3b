"""``rig export parquet``: the tables of sessions as Parquet files."""

from __future__ import annotations

import argparse

from rig.cli.export.tables import export_tables
from rig.core.errors import ConfigError
from rig.export.load import INSTALL


def run(arguments: argparse.Namespace) -> int:
    """Write the tables. Raises ``ConfigError``, also without the extra ``data``, and ``RecordError``."""
    try:
        from rig.export.parquet import write_parquet
    except ImportError as error:
        raise ConfigError(f"rig export parquet needs pyarrow, which is not installed: {INSTALL}") from error
    return export_tables(arguments, "parquet", write_parquet)
