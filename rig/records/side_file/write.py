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

    ``indexed`` is how many records the journal of a session that goes on names; the file keeps those that it has.
    """

    def __init__(self, path: Path, layout: RecordFormat, *, indexed: int | None = None) -> None:
        self.path = path
        self._layout = layout
        self._records = 0
        try:
            if indexed is None or not path.exists():
                # Mode x: no such file is ever written over.
                with path.open("xb", buffering=0) as file:
                    file.write(layout.header)
            if indexed is not None:
                self._records = _continue_file(path, layout, indexed)
        except OSError as error:
            raise RecordError(f"{path}: cannot be made: {os_error_text(error)}") from error

    def append(self, records: Sequence[tuple[Any, ...]]) -> Appended:
        """Write records, all or none."""
        bodies = [self._layout.body.pack(*record) for record in records]
        try:
            self.path.stat()  # if the file was removed, an append would make one without a header
            append_atomic(self.path, b"".join(body + zlib.crc32(body).to_bytes(CRC_BYTES, "little") for body in bodies))
        except OSError as error:
            what = self._layout.what
            raise RecordError(f"{self.path}: {what} could not be written: {os_error_text(error)}") from error
        block = Appended(self._records, len(records), digest_of(bodies))
        self._records += len(records)
        return block


def _continue_file(path: Path, layout: RecordFormat, indexed: int) -> int:
    """Remove half a record at the end of a file, fill it up to the end of its index, and return its records.

    Raises ``OSError``, and ``RecordError`` if it is no such file.
    """
    start = layout.place(0)
    with path.open("r+b") as file:
        head = file.read(start)
        layout.check_header(path, head)
        if len(head) < start:  # torn within its header: it has no records
            file.seek(0)
            file.write(layout.header)
        # After a power cut the journal, which is synced, may name records that the file, which is not, has lost. No
        # other records may take their numbers. The zeros in their places have a wrong checksum: they are damaged.
        records = max((file.seek(0, os.SEEK_END) - start) // layout.size, indexed)
        file.truncate(layout.place(records))
        return records
