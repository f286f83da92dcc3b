"""The catalog: one SQLite file with a row for each session of all subjects. It is never the truth.

Every use compares it with the folders: a session whose journal has another size, time or inode is read again, and a row
without a journal is dropped. Each row has a checksum. A file that is damaged, locked or not writable costs time only:
the catalog is then made again from the journals, in memory if it must be.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path

from rig.core.errors import RecordError
from rig.platform.files import move_path
from rig.records.journal.read import read_ends
from rig.records.session.brief import SessionBrief
from rig.records.session.history import journals
from rig.records.session.sums import SessionSums
from rig.records.session.task_version import TaskChange, TaskVersion, change_since, flat_params
from rig.records.session.void import void_text
from rig.system.atomic_files import os_error_text, read_errors
from rig.system.config_paths import NO_SUBJECTS, SIMULATED
from rig.system.file_stamp import Stamp, stamp_of

CATALOG = "catalog.sqlite"
VERSION = 3
_LOCK_S = 10.0
_UNUSABLE = (sqlite3.Error, OSError, ValueError, TypeError)
"""What a file that is damaged, locked or read only raises; damaged texts raise ``UnicodeDecodeError``."""
_PRAGMAS = ("PRAGMA journal_mode=DELETE", "PRAGMA synchronous=NORMAL")


@dataclass(frozen=True)
class CatalogRow:
    """One session: what its header and its footer say; what it came to so far if it has no end."""

    subject: str
    session: str
    """Its name below the subject's folder: ``2026-11-21/001``."""
    simulated: bool
    protocol: str | None = None
    """Its task; None for a journal whose header cannot be read."""
    variant: str | None = None
    """The name of its protocol's file, where that is another one."""
    curriculum: str | None = None
    stage: str | None = None
    start: str | None = None
    reason: str | None = None
    """None for a session without an end."""
    counts: bool = False
    """Whether it advances the state of its protocol."""
    trials: int = 0
    rewards: int = 0
    ul: float = 0.0
    pellets: int = 0
    access_s: float = 0.0
    weight_g: float | None = None
    breaks: int = 0
    """How often it broke off and went on."""
    code: str = "{}"
    """The SHA-256 of each file of its protocol, as JSON."""
    params: str = "{}"
    """Its parameters, as JSON."""
    voided: str | None = None
    """Who voided it, and why. It is not stored: a voided session has the same journal."""

    @property
    def day(self) -> str:
        """Return its date, YYYY-MM-DD."""
        return self.session.partition("/")[0]


Key = tuple[str, str, bool]
"""Subject, session, and whether it is simulated."""

_COLUMNS = tuple(field.name for field in fields(CatalogRow) if field.name != "voided")
_CREATE = f"""CREATE TABLE IF NOT EXISTS sessions ({", ".join(_COLUMNS)}, size, mtime_ns, ino, crc,
PRIMARY KEY (subject, session, simulated))"""
_INSERT = f"INSERT OR REPLACE INTO sessions VALUES ({', '.join('?' * (len(_COLUMNS) + 4))})"


def load_catalog(data: Path) -> list[CatalogRow]:
    """Return a row for each session, after the catalog was compared with the folders. Raises ``RecordError``."""
    places = dict(_places(data))
    try:
        return _marked(data, _updated(data, places))
    except _UNUSABLE:
        with suppress(*_UNUSABLE, RecordError):
            return _marked(data, rebuild_catalog(data))
        return _marked(data, sorted_rows(_read(path, stamp, key) for key, (path, stamp) in places.items()))


def _marked(data: Path, rows: list[CatalogRow]) -> list[CatalogRow]:
    """Return the rows with the voided ones marked."""
    marked = []
    for row in rows:
        voided = void_text(session_folder(data, row))
        marked.append(row if voided is None else replace(row, counts=False, voided=voided))
    return marked


def rebuild_catalog(data: Path) -> list[CatalogRow]:
    """Write the catalog again from the journals; return its rows. Raises ``RecordError``.

    It is written to a file beside it, which then takes its place: a program that is killed leaves the old one.
    """
    places = dict(_places(data))
    rows = {key: _read(path, stamp, key) for key, (path, stamp) in places.items()}
    fresh = data / f".{CATALOG}.{os.getpid()}.new"
    try:
        fresh.unlink(missing_ok=True)
        with closing(_opened(fresh)) as catalog, catalog:
            catalog.executemany(_INSERT, (_values(rows[key], stamp) for key, (_, stamp) in places.items()))
        for suffix in ("-journal", "-wal", "-shm"):  # what a killed writer left would be applied to the new file
            data.joinpath(CATALOG + suffix).unlink(missing_ok=True)
        move_path(fresh, data / CATALOG)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        reason = os_error_text(error) if isinstance(error, OSError) else str(error)
        raise RecordError(f"{data / CATALOG}: cannot be written: {reason}") from error
    return sorted_rows(rows.values())


def sorted_rows(rows: Iterable[CatalogRow]) -> list[CatalogRow]:
    """Return rows by subject, then by date and number; real sessions come first."""
    return sorted(rows, key=lambda row: (row.simulated, row.subject, row.day, int(row.session.partition("/")[2])))


def _updated(data: Path, places: Mapping[Key, tuple[Path, Stamp]]) -> list[CatalogRow]:
    """Read the catalog, and bring it up to date. Raises ``sqlite3.Error`` for a damaged one."""
    if not data.is_dir():
        return []
    with closing(_opened(data / CATALOG)) as catalog, catalog:
        known = dict(_stored(catalog))
        rows: dict[Key, CatalogRow] = {}
        changed: list[tuple[CatalogRow, Stamp]] = []
        for key, (path, stamp) in places.items():
            if key in known and known[key][1] == stamp:
                rows[key] = known[key][0]
            else:
                rows[key] = _read(path, stamp, key)
                changed.append((rows[key], stamp))
        gone = known.keys() - places.keys()
        if changed or gone:
            catalog.executemany(_INSERT, (_values(row, stamp) for row, stamp in changed))
            catalog.executemany("DELETE FROM sessions WHERE subject=? AND session=? AND simulated=?", gone)
    return sorted_rows(rows.values())


def _opened(path: Path) -> sqlite3.Connection:
    catalog = sqlite3.connect(path, timeout=_LOCK_S)
    try:
        for pragma in _PRAGMAS:
            catalog.execute(pragma)
        version = catalog.execute("PRAGMA user_version").fetchone()[0]
        if version not in (0, VERSION):
            raise sqlite3.DatabaseError(f"is of version {version}")
        catalog.execute(_CREATE)
        catalog.execute(f"PRAGMA user_version={VERSION}")
    except BaseException:
        catalog.close()
        raise
    return catalog


def _stored(catalog: sqlite3.Connection) -> Iterator[tuple[Key, tuple[CatalogRow, Stamp]]]:
    """Yield the rows whose checksums fit; the others are read again from their journals."""
    for values in catalog.execute("SELECT * FROM sessions NOT INDEXED"):
        *stored, crc = values
        if len(stored) == len(_COLUMNS) + 3 and crc == _checksum(stored):
            named = dict(zip(_COLUMNS, stored, strict=False))
            named |= {name: bool(named[name]) for name in ("simulated", "counts")}  # SQLite has no truth values
            row = CatalogRow(**named)
            yield key_of(row), (row, (stored[-3], stored[-2], stored[-1]))


def _values(row: CatalogRow, stamp: Stamp) -> list[object]:
    values = [getattr(row, name) for name in _COLUMNS]
    found = [int(value) if isinstance(value, bool) else value for value in values] + list(stamp)
    return [*found, _checksum(found)]


def _checksum(values: list[object]) -> int:
    return zlib.crc32(json.dumps(values, default=str).encode())


# --- what it is made from ---------------------------------------------------------------------------------------


def _places(data: Path) -> Iterator[tuple[Key, tuple[Path, Stamp]]]:
    """Yield all journals, each with its stamp. Raises ``RecordError``."""
    for simulated, place in ((False, data), (True, data / SIMULATED)):
        for subject in _subjects(place):
            for path in journals(subject):
                with suppress(FileNotFoundError):  # moved in this moment
                    session = f"{path.parent.parent.name}/{path.parent.name}"
                    yield (subject.name, session, simulated), (path, stamp_of(path))


def _subjects(place: Path) -> list[Path]:
    with read_errors(place), suppress(FileNotFoundError, NotADirectoryError):
        return sorted(path for path in place.iterdir() if path.is_dir() and path.name.lower() not in NO_SUBJECTS)
    return []


def _read(path: Path, stamp: Stamp, key: Key) -> CatalogRow:
    """Read a session from the ends of its journal; one that cannot be read has no protocol."""
    brief: SessionBrief | None = None
    with suppress(RecordError):
        ends = read_ends(path)  # each once: thousands of them are not kept
        if ends.header is not None:
            brief = SessionBrief(path, ends.header, ends.footer, stamp)
            return _row_of(brief, key, brief.sums)
    return CatalogRow(*key) if brief is None else _row_of(brief, key, SessionSums())


def _row_of(brief: SessionBrief, key: Key, sums: SessionSums) -> CatalogRow:
    header = brief.header
    return CatalogRow(
        *key,
        protocol=header.protocol,
        variant=header.variant or None,
        curriculum=None if header.curriculum is None else header.curriculum.name,
        stage=brief.stage,
        start=header.start,
        reason=brief.reason,
        counts=brief.ended_to_count,
        trials=sums.trials,
        rewards=sums.rewards,
        ul=sums.amount.ul,
        pellets=sums.amount.pellets,
        access_s=sums.amount.access_s,
        weight_g=header.weight_g,
        breaks=sums.breaks,
        code=json.dumps(header.code),
        params=json.dumps(header.params),
    )


def session_folder(data: Path, row: CatalogRow) -> Path:
    """Return the folder of a row's session."""
    return (data / SIMULATED if row.simulated else data) / row.subject / row.session


def key_of(row: CatalogRow) -> Key:
    """Return what names a row's session."""
    return row.subject, row.session, row.simulated


def task_changes(data: Path, rows: Iterable[CatalogRow]) -> dict[Key, TaskChange]:
    """Return how code and parameters of each session differ from those of its subject's sessions before.

    ``rows`` are in the order of :func:`sorted_rows`.
    """
    changes: dict[Key, TaskChange] = {}
    earlier: dict[tuple[str, bool], list[TaskVersion]] = {}
    for row in rows:
        if row.protocol is None:
            continue
        own = earlier.setdefault((row.subject, row.simulated), [])
        version = TaskVersion(
            row.session,
            row.protocol,
            row.variant or row.protocol,
            "" if row.stage is None else f"{row.stage} of {row.curriculum}",
            json.loads(row.code),
            flat_params(json.loads(row.params)),
            session_folder(data, row),
        )
        changes[key_of(row)] = change_since(version, reversed(own))
        if row.voided is None:
            own.append(version)
    return changes
