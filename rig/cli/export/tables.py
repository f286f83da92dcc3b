"""``rig export csv`` and ``parquet``: the tables of sessions as files of other programs."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.export.csv_files import write_csv
from rig.export.files import Writer, plan_exports, write_export
from rig.export.load import INSTALL
from rig.records.journal.read import MAX_LISTED
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.tables.table import Table
from rig.system.statuses import OK, WRONG_INPUT
from rig.terminal.format import pluralize


def csv(arguments: argparse.Namespace) -> int:
    """Write the tables. Raises ``ConfigError``, ``RecordError``."""
    return export_tables(arguments, "csv", _write)


def _write(path: Path, table: Table, session: dict[str, object]) -> None:
    write_csv(path, table)


def parquet(arguments: argparse.Namespace) -> int:
    """Write the tables. Raises ``ConfigError``, also without the extra ``data``, and ``RecordError``."""
    try:
        from rig.export.parquet import write_parquet
    except ImportError as error:
        raise ConfigError(f"rig export parquet needs pyarrow, which is not installed: {INSTALL}") from error
    return export_tables(arguments, "parquet", write_parquet)


def export_tables(arguments: argparse.Namespace, kind: str, write: Writer) -> int:
    """Write the tables of the sessions, and go on behind one that cannot be read or written.

    Raises ``ConfigError`` and ``RecordError`` before the first one.
    """
    results: list[dict[str, object]] = []
    targets = plan_exports(arguments.sessions, arguments.to, kind, force=arguments.force)
    for target in targets:
        try:
            recorded = read_session(target.journal)
            write_export(recorded, target.folder, f".{kind}", write)
        except RecordError as error:
            print(*error.lines, sep="\n", file=sys.stderr)
            continue
        tables = {name: len(table.rows) for name, table in recorded.tables.items()}
        told = {"session": str(target.journal), "folder": str(target.folder), "tables": tables}
        results.append({**told, "complete": recorded.complete, "damage": list(recorded.left_out)})
        if not arguments.json:
            print(f"{recorded.subject} {recorded.name}: {pluralize(len(tables), 'table')} in {target.folder}")
            print(*_warnings(recorded), sep="\n", end="", file=sys.stderr)
    if arguments.json:
        print_json(results)
    return OK if len(results) == len(targets) else WRONG_INPUT


def _warnings(recorded: RecordedSession) -> list[str]:
    found = [] if recorded.footer is not None else ["  the session has no end: it still runs, or was broken off"]
    found += [f"  {text}; left out" for text in recorded.left_out[:MAX_LISTED]]
    if len(recorded.left_out) > MAX_LISTED:
        found.append(f"  and {len(recorded.left_out) - MAX_LISTED} more")
    return [*found, ""] if found else []
