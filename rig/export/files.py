"""Write the tables of recorded sessions as files: one folder for each session, all of it or nothing."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.cells import escape_surrogates
from rig.platform.files import move_path
from rig.records.journal.read import JOURNAL
from rig.records.recorded_session import RecordedSession
from rig.records.session.find import find_sessions
from rig.records.tables.table import Table
from rig.system.atomic_files import new_name, os_error_text, read_errors, write_atomic

COLUMNS = "columns.json"
FORMAT = 1
"""A new number whenever a field of ``columns.json`` changes its meaning."""
_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_LONGEST_NAME = 100
_SUFFIXES = (".csv", ".parquet")

Writer: TypeAlias = Callable[[Path, Table, dict[str, object]], None]
"""Writes a table to a path; gets what `about` says of the session."""


@dataclass(frozen=True)
class Target:
    """A session and the folder for its tables."""

    journal: Path
    folder: Path


def plan_exports(paths: Sequence[Path], to: Path, kind: str, *, force: bool) -> list[Target]:
    """Return the sessions below some paths, each with the folder for its tables of a ``kind``.

    The folders are in ``to``. Raises ``ConfigError``, which lists every folder that is there already, is that of two
    sessions or lies among a subject's records, and ``RecordError`` for a path without sessions.
    """
    targets = [Target(path, _folder(path, to, kind)) for place in paths for path in find_sessions(place)]
    counts = Counter(target.folder for target in targets)
    wrong = [f"{folder}: would be the folder of {count} sessions" for folder, count in counts.items() if count > 1]
    wrong += [text for target in targets if (text := _refusal(target, force=force))]
    if wrong:
        raise ConfigError(*dict.fromkeys(wrong))
    return targets


def _folder(path: Path, to: Path, kind: str) -> Path:
    place = _place(path)
    parts = place.parts[-3:] if _is_among_records(place) else (place.stem,)
    return to / _safe("_".join((*parts, kind)))


def _place(path: Path) -> Path:
    """Return the folder of a session, or the file of a copied journal."""
    return (path.parent if path.name == JOURNAL else path).resolve()


def _is_among_records(place: Path) -> bool:
    return place.name.isdecimal() and _DAY.fullmatch(place.parent.name) is not None


def _safe(name: str) -> str:
    """Return a name that is a folder's on every system."""
    return _UNSAFE.sub("_", name)[-_LONGEST_NAME:].lstrip("-") or "_"


def _refusal(target: Target, *, force: bool) -> str:
    """Return why a folder cannot be written; empty if it can."""
    folder, place = target.folder, _place(target.journal)
    # Tables without a journal there are taken for a session whose journal is lost, and what it gave is not known.
    if _is_among_records(place) and folder.resolve().is_relative_to(place.parent.parent):
        return f"{folder}: lies among the records of a subject: --to names another folder"
    if not os.path.lexists(folder):
        return ""
    if not force:
        return f"{folder}: is there already: --force replaces it"
    tables = None if folder.is_symlink() else _tables_of_export(folder)
    if tables is None:
        return f"{folder}: is no export (it has no {COLUMNS} of one), so nothing replaces it"
    foreign = _foreign(folder, tables)
    if foreign:
        return f"{folder}: has {foreign[0]}, which no export wrote: move it, or --to names another folder"
    return ""


def _foreign(folder: Path, tables: Collection[str]) -> list[str]:
    """Return what a person has put into an export; hidden files are those of systems and other programs."""
    own = {COLUMNS, *(f"{name}{suffix}" for name in tables for suffix in _SUFFIXES)}
    with read_errors(folder):
        return sorted(name for name in os.listdir(folder) if name not in own and not name.startswith("."))


def _tables_of_export(folder: Path) -> Collection[str] | None:
    """Return the names of the tables in a folder; None if it is no export."""
    try:
        described = json.loads((folder / COLUMNS).read_text(encoding="utf-8"))
        tables = described["tables"] if described["format"] == FORMAT else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return tables if isinstance(tables, dict) else None


def write_export(recorded: RecordedSession, folder: Path, suffix: str, write: Writer) -> None:
    """Write the tables of a session and ``columns.json`` into a new folder; replace an old export.

    Raises ``RecordError``, and leaves the old folder as it was then.
    """
    new = folder.with_name(new_name(folder.name))
    session = about(recorded)
    try:
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        try:
            for name, table in recorded.tables.items():
                write(new / f"{name}{suffix}", table, session)
            write_atomic(new / COLUMNS, _columns_text(recorded, session))
            _put(new, folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise RecordError(f"{folder}: cannot be written: {os_error_text(error)}") from error


def _put(new: Path, folder: Path) -> None:
    """Move a folder to its place; what is there comes back if that fails. Raises ``OSError``."""
    old = folder.with_name(f"{new.name}.old")
    if folder.is_dir():
        shutil.rmtree(old, ignore_errors=True)
        move_path(folder, old)
    try:
        move_path(new, folder)
    except OSError:
        with suppress(OSError):
            move_path(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)


def about(recorded: RecordedSession) -> dict[str, object]:
    """Return what a person must know of the session whose tables they are."""
    header, footer = recorded.header, recorded.footer
    named = {name: getattr(header, name) for name in ("protocol", "start", "model", "simulated", "seed", "params")}
    return {
        "subject": recorded.subject,
        "session": recorded.name,
        **named,
        "reason": None if footer is None else footer.reason,
        "complete": recorded.complete,
        "damage": list(recorded.left_out),
    }


def _columns_text(recorded: RecordedSession, session: dict[str, object]) -> str:
    tables = {name: {"rows": len(table.rows), "columns": table.described()} for name, table in recorded.tables.items()}
    described = {"format": FORMAT, "session": session, "tables": tables}
    return json.dumps(escape_surrogates(described), indent=1, ensure_ascii=False) + "\n"
