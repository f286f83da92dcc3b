"""Read the positions of a tracked animal from a file that may be torn or damaged."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.core.errors import RecordError
from rig.core.journal.kinds import PositionsLine
from rig.core.model.line import Line
from rig.records.track.positions import HEADER, SIZE, Sample
from rig.system.atomic_files import read_errors

RECORD = np.dtype(
    [("t_us", "<i8"), ("raw_us", "<i8"), ("x_cm", "<f4"), ("y_cm", "<f4"), ("frame", "<u4"), ("crc", "<u4")]
)
MAX_BYTES = 1 << 30
"""Maximum size of a file that is read; a day at 100 frames a second has about 280 MB."""
_SAMPLE = list(Sample._fields)
_BODY_BYTES = SIZE - 4
_BODY = struct.Struct(f"{_BODY_BYTES}s")

Records = NDArray[np.void]
"""Records of the file, with the fields of ``RECORD``."""


@dataclass(frozen=True)
class Positions:
    """What a file holds, and what is wrong with it.

    ``damaged`` records are left out. ``torn_bytes`` end the file in half a record. ``missing`` records have a journal
    line and are not in the file; ``unindexed`` ones are in the file, whole, and have no line.
    """

    records: Records
    damaged: int
    torn_bytes: int
    missing: int
    unindexed: int

    @property
    def samples(self) -> list[Sample]:
        """Return the records as samples."""
        return [Sample._make(record) for record in self.records[_SAMPLE].tolist()]


def read_positions(path: Path, lines: Iterable[Line]) -> Positions:
    """Read a file that may be torn or damaged; ``lines`` are those of its session's journal.

    Raises ``RecordError`` when it is no such file, or the file of another session.
    """
    with read_errors(path):
        # Opening a pipe would block without end, and a file of nothing may seem to fill any disk.
        if path.stat().st_size > MAX_BYTES or not path.is_file():
            raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 20} MB")
        data = path.read_bytes()
    # A file that was torn within its header is torn, and no other kind of file.
    if not HEADER.startswith(data[:SIZE]):
        raise RecordError(f"{path}: does not begin with '{HEADER.decode()}': it is no file of positions of this format")
    records = np.frombuffer(data[SIZE : max(SIZE, len(data) - len(data) % SIZE)], dtype=RECORD)
    blocks = [line for line in lines if isinstance(line, PositionsLine)]
    good = _crcs(records) == records["crc"]
    if good.all():  # a damaged record is not one of another session
        _check_blocks(path, records, blocks)
    indexed = max((block.first + block.samples for block in blocks), default=0)
    return Positions(
        records=records[good],
        damaged=int(np.count_nonzero(~good)),
        torn_bytes=len(data) % SIZE,
        missing=max(0, indexed - len(records)),
        unindexed=max(0, len(records) - indexed),
    )


def digest_of(records: Records) -> str:
    """Return the digest that the journal has of a block of records."""
    return f"{zlib.crc32(_bodies(records)):08x}"


def _crcs(records: Records) -> NDArray[np.uint32]:
    sums = (zlib.crc32(body) for (body,) in _BODY.iter_unpack(_bodies(records)))
    return np.fromiter(sums, np.uint32, len(records))


def _bodies(records: Records) -> bytes:
    """Return records without their checksums."""
    return np.frombuffer(records.tobytes(), dtype=np.uint8).reshape(-1, SIZE)[:, :_BODY_BYTES].tobytes()


def _check_blocks(path: Path, records: Records, blocks: Iterable[PositionsLine]) -> None:
    for block in blocks:
        last = block.first + block.samples
        if last <= len(records) and digest_of(records[block.first : last]) != block.digest:
            raise RecordError(
                f"{path}: records {block.first} to {last - 1} are not those that the journal beside it names: "
                "it is the file of another session"
            )
