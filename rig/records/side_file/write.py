"""Append records to a file beside a journal."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from rig.core.errors import RecordError
from rig.records.side_file.format import CRC_BYTES, RecordFormat, digest_of
from rig.system.atomic_files import append_atomic, os_error_text


class Appended(NamedTuple):
    """Records that were appended together: what the journal must say of them, next."""

    first: int
    samples: int
    digest: str


class RecordFile:
    """Appends the records of one session. Making one makes the file; raises ``RecordError``, as every append may.

    One that ``goes_on`` keeps the whole records of a session that broke off.
    """

    def __init__(self, path: Path, layout: RecordFormat, *, goes_on: bool = False) -> None:
        self.path = path
        self._layout = layout
        self._records = 0
        try:
            if goes_on and path.exists():
                self._records = _keep_whole_records(path, layout)
                return
            # Mode x: no such file is ever written over.
            with path.open("xb", buffering=0) as file:
                file.write(layout.header)
        except OSError as error:
            raise RecordError(f"{path}: cannot be made: {os_error_text(error)}") from error

    def append(self, records: Sequence[tuple[Any, ...]]) -> Appended:
        """Write records, all or none."""
        bodies = [self._layout.body.pack(*record) for record in records]
        try:
            append_atomic(self.path, b"".join(body + zlib.crc32(body).to_bytes(CRC_BYTES, "little") for body in bodies))
        except OSError as error:
            what = self._layout.what
            raise RecordError(f"{self.path}: {what} could not be written: {os_error_text(error)}") from error
        block = Appended(self._records, len(records), digest_of(bodies))
        self._records += len(records)
        return block


def _keep_whole_records(path: Path, layout: RecordFormat) -> int:
    """Remove half a record at the end of a file, and return the number of whole ones. Raises ``OSError``."""
    start = layout.place(0)
    with path.open("r+b") as file:
        if file.read(start) != layout.header:  # torn within its header: it has no records
            file.seek(0)
            file.write(layout.header)
        records = (file.seek(0, os.SEEK_END) - start) // layout.size
        file.truncate(layout.place(records))
        return records
