"""Where a tracked animal was: the one side file of a session, which its journal indexes.

``positions.bin`` begins with 32 bytes of header; each record after it has 32 bytes, little-endian: ``t_us`` (int64, on
the session's axis), ``raw_us`` (int64, the camera's own clock), ``x_cm`` and ``y_cm`` (float32, NaN of a frame in
which nothing was found), ``frame`` (uint32, the camera's number), and CRC-32 of the 28 bytes before. Record *i* stands
at 32 (i + 1). What was tracked in half a second is one append, then one journal line of the kind ``positions``: its
``first`` record, how many (``samples``), how many of them do not have the animal (``lost``), and ``digest``, in hex the
CRC-32 of the records without theirs (with them it would be the same for all). A crash between the two leaves records
without a line, and never a line without records.
"""

from __future__ import annotations

import math
import os
import struct
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.core.journal.kinds import PositionsLine
from rig.system.atomic_files import append_atomic, os_error_text

POSITIONS = "positions.bin"
HEADER = b"rig positions, 1: <qqffI, crc-32"
SIZE = len(HEADER)
LOST = float("nan")

_BODY = struct.Struct("<qqffI")
_WITH_CRC = struct.Struct("<28sI")


class Sample(NamedTuple):
    """One frame; both coordinates are NaN when the animal was not found in it."""

    t_us: int
    raw_us: int
    x_cm: float
    y_cm: float
    frame: int


class PositionsFile:
    """Appends the positions of one session. Making one makes the file; raises ``RecordError``, as every append may.

    One that ``goes_on`` keeps the whole records of a session that broke off.
    """

    def __init__(self, folder: Path, *, goes_on: bool = False) -> None:
        self.path = folder / POSITIONS
        self._records = 0
        try:
            if goes_on and self.path.exists():
                self._records = _keep_whole_records(self.path)
                return
            # Mode x: no file of positions is ever written over.
            with self.path.open("xb", buffering=0) as file:
                file.write(HEADER)
        except OSError as error:
            raise RecordError(f"{self.path}: cannot be made: {os_error_text(error)}") from error

    def append(self, samples: Sequence[Sample], uncertainty_us: int = 0) -> PositionsLine:
        """Write samples, all or none; return what the journal must say of them, next.

        ``uncertainty_us`` is the largest one of their times.
        """
        bodies = [_BODY.pack(*sample) for sample in samples]
        try:
            append_atomic(self.path, b"".join(_WITH_CRC.pack(body, zlib.crc32(body)) for body in bodies))
        except OSError as error:
            raise RecordError(f"{self.path}: positions could not be written: {os_error_text(error)}") from error
        lost = sum(math.isnan(sample.x_cm) for sample in samples)
        line = PositionsLine(samples[-1].t_us, self._records, len(samples), lost, _digest(bodies), uncertainty_us)
        self._records += len(samples)
        return line


def _keep_whole_records(path: Path) -> int:
    """Remove half a record at the end of a file, and return the number of whole ones. Raises ``OSError``."""
    with path.open("r+b") as file:
        if file.read(SIZE) != HEADER:  # torn within its header: it has no records
            file.seek(0)
            file.write(HEADER)
        size = file.seek(0, os.SEEK_END)
        file.truncate(size - size % SIZE)
        return size // SIZE - 1


def _digest(bodies: Iterable[bytes]) -> str:
    digest = 0
    for body in bodies:
        digest = zlib.crc32(body, digest)
    return f"{digest:08x}"
