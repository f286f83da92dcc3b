"""What a campaign has run so far, in one folder: finished subjects as Parquet, and the sessions of unfinished ones.

``tables/TABLE/study=NAME/arm=ARM/subject=SUBJECT/sessions.parquet`` has all sessions of one subject. It is written when
the subject's last session has run, from its sessions in their order: so the bytes do not depend on when a campaign was
stopped and went on. ``unfinished/ARM/SUBJECT/NNN`` has one session of a subject that has more to come.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from rig.campaigns.session_job import KeptSession, SessionProduct
from rig.campaigns.session_tables import SESSIONS, ArrowTables
from rig.core.errors import RecordError
from rig.session.subject import STATE
from rig.system.atomic_files import new_name, read_errors, write_atomic
from rig.system.config_paths import SIMULATED

TABLES, JOURNALS, HEADERS = "tables", "journals", "headers.json"
_UNFINISHED = "unfinished"
_FILE = "sessions.parquet"
_ARROW = ".arrow"
_LEVEL = 12
"""Level of the compression: above it files become 0.2 % smaller, in twice the time."""


class CampaignStore:
    """The records of one campaign below a folder; ``study`` is the name of the partition.

    ``headers`` are those of the arms, with which the headers of their sessions have most in common. They are written
    beside the tables. Raises ``RecordError``.
    """

    def __init__(
        self, folder: Path, study: str, headers: Mapping[str, Mapping[str, Any]], *, keeps_journals: bool
    ) -> None:
        self.folder = folder
        self.study = study
        self.keeps_journals = keeps_journals
        with read_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        write_atomic(folder / HEADERS, json.dumps(dict(sorted(headers.items())), indent=1, ensure_ascii=False) + "\n")

    # --- finished subjects ------------------------------------------------------------------------------------------

    def is_finished(self, arm: str, subject: str) -> bool:
        """Whether all sessions of a subject are in the tables."""
        return self._parquet(SESSIONS, arm, subject).is_file()

    def read(self, arm: str, subject: str) -> ArrowTables:
        """Read the tables of a finished subject. Raises ``RecordError``."""
        names = sorted(path.name for path in (self.folder / TABLES).iterdir())
        paths = {name: self._parquet(name, arm, subject) for name in names}
        try:
            # One file and no dataset: the folders' names would become columns.
            return {name: pq.ParquetFile(path).read() for name, path in paths.items() if path.is_file()}
        except (OSError, pa.ArrowException) as error:
            raise RecordError(f"{self._parquet(SESSIONS, arm, subject)}: cannot be read: {error}") from None

    def forget(self, arm: str) -> None:
        """Remove all sessions of an arm. Raises ``RecordError``."""
        with read_errors(self.folder):
            for table in (self.folder / TABLES).glob("*"):
                _remove(table / f"study={self.study}" / f"arm={arm}")
            _remove(self.folder / _UNFINISHED / arm)
            _remove(self.folder / JOURNALS / arm)

    def _parquet(self, table: str, arm: str, subject: str) -> Path:
        return self.folder / TABLES / table / f"study={self.study}" / f"arm={arm}" / f"subject={subject}" / _FILE

    def _finish(self, arm: str, subject: str, sessions: list[ArrowTables]) -> None:
        for name in sorted(sessions[0], key=SESSIONS.__eq__):  # the one that proves the end comes last
            path = self._parquet(name, arm, subject)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomic(path, parquet_bytes(pa.concat_tables([tables[name] for tables in sessions])))

    # --- unfinished ones --------------------------------------------------------------------------------------------

    def add(self, product: SessionProduct, *, last: bool) -> None:
        """Write a session, and the tables of its subject if it is the ``last`` one. Raises ``RecordError``."""
        arm = product.arm
        with read_errors(self.folder):
            if self.keeps_journals and product.record is not None:
                self._keep_journal(arm, product.subject, product.record)
            if not last:
                self._write_session(self._session(product), product)
                return
            folder = self.folder / _UNFINISHED / arm / product.subject
            earlier = [_read_tables(path) for path in _numbered(folder)]
            self._finish(arm, product.subject, [*earlier, *([] if product.tables is None else [product.tables])])
            _remove(folder)

    def unfinished(self, arm: str, subject: str) -> list[SessionProduct]:
        """Read the sessions that a subject has run, in order. Raises ``RecordError``."""
        with read_errors(self.folder):
            return [_read_session(path, arm, subject) for path in _numbered(self.folder / _UNFINISHED / arm / subject)]

    def unfinished_count(self, arm: str, subject: str) -> int:
        """Return how many sessions a subject has run that has more to come. Raises ``RecordError``."""
        with read_errors(self.folder):
            return len(_numbered(self.folder / _UNFINISHED / arm / subject))

    def _session(self, product: SessionProduct) -> Path:
        return self.folder / _UNFINISHED / product.arm / product.subject / f"{product.number:05d}"

    def _write_session(self, folder: Path, product: SessionProduct) -> None:
        """Write a session into a folder of its own, completely or not at all."""
        new = folder.with_name(new_name(folder.name))
        _remove(new)
        new.mkdir(parents=True)
        for name, table in (product.tables or {}).items():
            with ipc.new_file(new / f"{name}{_ARROW}", table.schema) as file:
                file.write_table(table)
        if product.record is not None:
            (new / "record").mkdir()
            (new / "record" / "name").write_text(product.record.name, encoding="ascii")
            for name, content in product.record.files.items():
                (new / "record" / f"{name}.z").write_bytes(content)
        (new / STATE).write_bytes(product.state)
        os.rename(new, folder)

    def _keep_journal(self, arm: str, subject: str, record: KeptSession) -> None:
        place = self.folder / JOURNALS / arm / SIMULATED / subject
        _remove(place / record.name)
        record.write(place)


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
    return pa.schema(
        [(field.name, pa.string() if pa.types.is_dictionary(field.type) else field.type) for field in schema]
    )


def _numbered(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(path for path in folder.iterdir() if path.name.isdecimal())


def _read_tables(folder: Path) -> ArrowTables:
    found = {}
    for path in sorted(folder.glob(f"*{_ARROW}")):
        with ipc.open_file(path) as file:
            found[path.name.removesuffix(_ARROW)] = file.read_all()
    return found


def _read_session(folder: Path, arm: str, subject: str) -> SessionProduct:
    record = None
    if (folder / "record").is_dir():
        files = {path.name.removesuffix(".z"): path.read_bytes() for path in (folder / "record").glob("*.z")}
        record = KeptSession((folder / "record" / "name").read_text(encoding="ascii"), files)
    return SessionProduct(
        arm, subject, int(folder.name), _read_tables(folder), record=record, state=(folder / STATE).read_bytes()
    )


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
