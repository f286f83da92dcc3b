"""Where a tracked animal was: a file of records beside a journal (`rig.records.side_file`).

``positions.bin`` begins with 32 bytes of header; each record after it has 32 bytes: ``t_us`` (int64, on the session's
axis), ``raw_us`` (int64, the camera's own clock), ``x_cm`` and ``y_cm`` (float32, NaN of a frame in which nothing was
found), ``frame`` (uint32, the camera's number), and CRC-32. The journal indexes it by lines of the kind ``positions``,
which also say how many of the records do not have the animal (``lost``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rig.core.journal.kinds import PositionsLine
from rig.records.side_file.format import RecordFormat
from rig.records.side_file.write import RecordFile

POSITIONS = "positions.bin"
FORMAT = RecordFormat(
    "positions",
    b"rig positions, 1: <qqffI, crc-32",
    (("t_us", "q"), ("raw_us", "q"), ("x_cm", "f"), ("y_cm", "f"), ("frame", "I")),
)
LOST = float("nan")


class Sample(NamedTuple):
    """One frame; both coordinates are NaN when the animal was not found in it."""

    t_us: int
    raw_us: int
    x_cm: float
    y_cm: float
    frame: int


class PositionsFile:
    """Appends the positions of one session; see `RecordFile`."""

    def __init__(self, folder: Path, *, indexed: int | None = None) -> None:
        self.path = folder / POSITIONS
        self._file = RecordFile(self.path, FORMAT, indexed=indexed)

    def append(self, samples: Sequence[Sample], uncertainty_us: int = 0) -> PositionsLine:
        """Write samples, all or none; return what the journal must say of them, next.

        ``uncertainty_us`` is the largest one of their times.
        """
        block = self._file.append(samples)
        lost = sum(math.isnan(sample.x_cm) for sample in samples)
        return PositionsLine(
            samples[-1].t_us, block.first, block.samples, lost, digest=block.digest, uncertainty_us=uncertainty_us
        )
