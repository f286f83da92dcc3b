"""Read a file of records that may be torn or damaged."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.core.errors import RecordError
from rig.records.side_file.format import MAX_BYTES, BlockIndex, RecordFormat, digest_of
from rig.system.atomic_files import read_errors

Records = NDArray[np.void]
"""Records of a file, with the fields of its format and ``crc``."""


@dataclass(frozen=True)
class StoredRecords:
    """What a file holds, and what is wrong with it.

    ``damaged`` records are left out. ``torn_bytes`` end the file in half a record. ``missing`` records have a journal
    line and are not in the file; ``unindexed`` ones are in the file, whole, and have no line.
    """

    records: Records
    damaged: int
    torn_bytes: int
    missing: int
    unindexed: int

    def damage(self, name: str) -> Iterator[str]:
        """Yield in sentences what cannot be read of the file with this name."""
        for what, count in {"damaged": self.damaged, "missing": self.missing}.items():
            if count:
                yield f"{name}: {count} records are {what}"


def record_dtype(layout: RecordFormat) -> np.dtype[np.void]:
    """Return the type of a record, with its checksum."""
    return np.dtype([*((name, f"<{code}") for name, code in layout.fields), ("crc", "<I")])


def read_records(path: Path, layout: RecordFormat, blocks: Iterable[BlockIndex]) -> StoredRecords:
    """Read a file that may be torn or damaged; ``blocks`` are the lines of its session's journal that index it.

    Raises ``RecordError`` when it is no such file, or the file of another session.
    """
    with read_errors(path):
        # Opening a pipe would block without end, and a file of nothing may seem to fill any disk.
        if path.stat().st_size > MAX_BYTES or not path.is_file():
            raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 20} MB")
        data = path.read_bytes()
    start = layout.place(0)
    layout.check_header(path, data[:start])
    torn_bytes = len(data) if len(data) < start else (len(data) - start) % layout.size
    records = np.frombuffer(data[start : max(start, len(data) - torn_bytes)], dtype=record_dtype(layout))
    blocks = list(blocks)
    good = np.fromiter(map(zlib.crc32, _bodies(records, layout)), np.uint32, len(records)) == records["crc"]
    _check_blocks(path, layout, records, good, blocks)
    indexed = max((block.first + block.samples for block in blocks), default=0)
    return StoredRecords(
        records=records[good],
        damaged=int(np.count_nonzero(~good)),
        torn_bytes=torn_bytes,
        missing=max(0, indexed - len(records)),
        unindexed=max(0, len(records) - indexed),
    )


def records_digest(records: Records, layout: RecordFormat) -> str:
    """Return the digest that the journal has of a block of records."""
    bodies = np.frombuffer(records.tobytes(), np.uint8).reshape(-1, layout.size)[:, : layout.body.size]
    # As one run of bytes: 1,000 values a second are 30 million records in a day.
    return digest_of([bodies.tobytes()])


def _bodies(records: Records, layout: RecordFormat) -> Iterator[bytes]:
    """Yield the records without their checksums."""
    with_crc = struct.Struct(f"{layout.body.size}s4x")
    return (body for (body,) in with_crc.iter_unpack(records.tobytes()))


def _check_blocks(
    path: Path, layout: RecordFormat, records: Records, good: NDArray[np.bool_], blocks: Iterable[BlockIndex]
) -> None:
    for block in blocks:
        last = block.first + block.samples
        if last > len(records) or not good[block.first : last].all():  # missing or damaged, and of this session
            continue
        if records_digest(records[block.first : last], layout) != block.digest:
            raise RecordError(
                f"{path}: records {block.first} to {last - 1} are not those that the journal beside it names: "
                "it is the file of another session"
            )
