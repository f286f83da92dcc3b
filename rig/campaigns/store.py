"""What a campaign has run so far, in one folder: finished subjects as Parquet, and the sessions of unfinished ones.

``tables/TABLE/study=NAME/arm=ARM/subject=SUBJECT/sessions.parquet`` has all sessions of one subject. It is written when
the subject's last session has run, from its sessions in their order: so the bytes do not depend on when a campaign was
stopped and went on. ``unfinished/ARM/SUBJECT/NNN`` has one session of a subject that has more to come.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import to_builtins

from rig.campaigns.campaign_session import CampaignSession
from rig.campaigns.session_job import KeptSession, SessionProduct
from rig.campaigns.session_tables import SESSIONS, ArrowTables, plain_type, sessions_of
from rig.campaigns.unfinished import UnfinishedSessions, damaged, remove
from rig.core.journal.header import Header
from rig.system.atomic_files import read_errors, write_atomic, write_errors
from rig.system.config_paths import SIMULATED

TABLES, JOURNALS, HEADERS = "tables", "journals", "headers.json"
_UNFINISHED = "unfinished"
_FILE = "sessions.parquet"
_LEVEL = 12
"""Level of the compression: above it files become 0.2 % smaller, in twice the time."""


class CampaignStore:
    """The records of one campaign below a folder; ``study`` is the name of the partition.

    ``headers`` are those of the arms, with which the headers of their sessions have most in common. They are written
    beside the tables, with those of other arms that are there, as their tables are. Raises ``RecordError``.
    """

    def __init__(self, folder: Path, study: str, headers: Mapping[str, Header], *, keeps_journals: bool) -> None:
        self.folder = folder
        self.study = study
        self.keeps_journals = keeps_journals
        self._headers = headers
        self.unfinished = UnfinishedSessions(folder / _UNFINISHED)
        """The sessions of the subjects that are not finished."""
        with write_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        _write_headers(folder / HEADERS, headers)

    def is_finished(self, arm: str, subject: str) -> bool:
        """Whether all sessions of a subject are in the tables."""
        return self._parquet(SESSIONS, arm, subject).is_file()

    def read(self, arm: str, subject: str) -> ArrowTables:
        """Read the tables of a finished subject. Raises ``RecordError``."""
        names = sorted(path.name for path in (self.folder / TABLES).glob("*"))
        paths = {name: self._parquet(name, arm, subject) for name in names}
        with read_errors(self.folder), self._damaged_tables(arm, subject):
            # One file and no dataset: the folders' names would become columns.
            return {name: pq.ParquetFile(path).read() for name, path in paths.items() if path.is_file()}

    def sessions(self, arm: str, subject: str) -> Iterator[CampaignSession]:
        """Yield the sessions of a finished subject as analyses read them, in order. Raises ``RecordError``."""
        tables = self.read(arm, subject)
        with self._damaged_tables(arm, subject):
            yield from sessions_of(tables, self._headers[arm], self.folder / arm / subject)

    def counts(self, arm: str, subject: str) -> tuple[int, int]:
        """Return the numbers of sessions and trials of a finished subject. Raises ``RecordError``."""
        tables = self.read(arm, subject)
        with self._damaged_tables(arm, subject):
            sessions = tables[SESSIONS]
            return sessions.num_rows, sum(map(int, sessions.column("trials").to_pylist()))

    def _damaged_tables(self, arm: str, subject: str) -> AbstractContextManager[None]:
        path = self._parquet(SESSIONS, arm, subject)
        each = self.folder / TABLES / "*" / path.parent.relative_to(self.folder / TABLES / SESSIONS)
        return damaged(each, f"remove {path}, and the sessions of {subject} run again")

    def forget(self, arm: str) -> None:
        """Remove all sessions of an arm. Raises ``RecordError``."""
        with write_errors(self.folder):
            for folder in _folders_of(self.folder, self.study, arm):
                shutil.rmtree(folder)

    def others(self, wanted: Mapping[str, Collection[str]]) -> dict[str, list[str]]:
        """Return the subjects of each arm that are here, and are none of those wanted. Raises ``RecordError``."""
        found: dict[str, dict[str, None]] = {}
        with read_errors(self.folder):
            for arm, subject, _ in self._subject_folders():
                if subject not in wanted.get(arm, ()):
                    found.setdefault(arm, {})[subject] = None
        return {arm: sorted(subjects) for arm, subjects in sorted(found.items())}

    def keep_only(self, wanted: Mapping[str, Collection[str]]) -> None:
        """Remove the sessions of all other subjects of this study, and the headers of all other arms.

        Raises ``RecordError``.
        """
        others = self.others(wanted)
        for arm in others.keys() - wanted.keys():
            self.forget(arm)
        with write_errors(self.folder):
            for arm, subject, folder in list(self._subject_folders()):
                if subject in others.get(arm, ()):
                    shutil.rmtree(folder)
        write_atomic(self.folder / HEADERS, _headers_text(self._headers))

    def _subject_folders(self) -> Iterator[tuple[str, str, Path]]:
        """Yield every folder of a subject, with its arm and the subject."""
        for path in (self.folder / TABLES).glob(f"*/study={self.study}/arm=*/subject=*/"):
            yield path.parent.name.removeprefix("arm="), path.name.removeprefix("subject="), path
        for path in (self.folder / _UNFINISHED).glob("*/*/"):
            yield path.parent.name, path.name, path
        for path in (self.folder / JOURNALS).glob(f"*/{SIMULATED}/*/"):
            yield path.parents[1].name, path.name, path

    def _parquet(self, table: str, arm: str, subject: str) -> Path:
        return self.folder / TABLES / table / f"study={self.study}" / f"arm={arm}" / f"subject={subject}" / _FILE

    def _finish(self, arm: str, subject: str, tables: ArrowTables) -> None:
        for name in sorted(tables, key=SESSIONS.__eq__):  # the one that proves the end comes last
            path = self._parquet(name, arm, subject)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, parquet_bytes(tables[name]))

    def add(self, product: SessionProduct, *, last: bool) -> None:
        """Write a session, and the tables of its subject if it is the ``last`` one. Raises ``RecordError``."""
        arm, subject = product.arm, product.subject
        if self.keeps_journals and product.record is not None:
            with write_errors(self.folder):
                self._keep_journal(arm, subject, product.record)
        if not last:
            self.unfinished.add(product)
            return
        tables = self.unfinished.join_tables(arm, subject, product.tables)
        with write_errors(self.folder):
            self._finish(arm, subject, tables)
        self.unfinished.remove(arm, subject)

    def _keep_journal(self, arm: str, subject: str, record: KeptSession) -> None:
        place = self.folder / JOURNALS / arm / SIMULATED / subject
        remove(place / record.name)
        record.write(place)


def _write_headers(path: Path, headers: Mapping[str, Header]) -> None:
    before: Any = {}
    with read_errors(path), damaged(path, "remove this file"):
        if path.exists():
            before = json.loads(path.read_text(encoding="utf-8"))
        kept = {**before, **headers}
    write_atomic(path, _headers_text(kept))


def _headers_text(headers: Mapping[str, Any]) -> str:
    return json.dumps(dict(sorted(headers.items())), indent=1, ensure_ascii=False, default=to_builtins) + "\n"


def has_sessions(folder: Path, study: str, arm: str) -> bool:
    """Whether anything of an arm is below the folder of a campaign. Raises ``RecordError``."""
    with read_errors(folder):
        return bool(_folders_of(folder, study, arm))


def _folders_of(folder: Path, study: str, arm: str) -> list[Path]:
    """Return the folders that are an arm's alone, those that are there."""
    tables = [table / f"study={study}" / f"arm={arm}" for table in (folder / TABLES).glob("*")]
    return [path for path in (*tables, folder / _UNFINISHED / arm, folder / JOURNALS / arm) if path.is_dir()]


def parquet_bytes(table: pa.Table) -> bytes:
    """Return a table as a Parquet file, as small as it gets; the same table gives the same bytes."""
    encodings = {
        field.name: "BYTE_STREAM_SPLIT" if pa.types.is_floating(field.type) else "DELTA_BINARY_PACKED"
        for field in table.schema
        if pa.types.is_floating(field.type) or pa.types.is_integer(field.type)
    }
    file = io.BytesIO()
    pq.write_table(
        # What the columns hold stands once in headers.json: in each file it would take as much as 100 trials.
        pa.table({name: table.column(name) for name in table.column_names}).cast(_plain(table.schema)),
        file,
        compression="zstd",
        compression_level=_LEVEL,
        use_dictionary=[name for name in table.column_names if name not in encodings],
        column_encoding=encodings,
        write_statistics=False,
        store_schema=False,
    )
    return file.getvalue()


def _plain(schema: pa.Schema) -> pa.Schema:
    """Return a schema without metadata, in which texts are plain texts."""
    return pa.schema([(field.name, plain_type(field.type)) for field in schema])
