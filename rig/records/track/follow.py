"""The positions of a session that may still run: those records that its journal names, in its order."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rig.core.journal.kinds import PositionsLine
from rig.records.track.positions import HEADER, POSITIONS, SIZE
from rig.records.track.read import RECORD, Records, digest_of

_MAX_BYTES = 1 << 22
"""So much is read at once, whatever a journal says."""


class NewPositions(NamedTuple):
    """Positions in the order of their records: microseconds on the session's axis, and centimeters."""

    t_us: NDArray[np.int64]
    x_cm: NDArray[np.float64]
    y_cm: NDArray[np.float64]


class PositionsFollower:
    """Reads the records of ``positions.bin`` that lines of the journal name; the file is never kept open.

    A block whose digest differs is left out: its records are damaged, or those of another session.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / POSITIONS
        self._blocks: list[PositionsLine] = []

    def note(self, block: PositionsLine) -> None:
        """Add a block that a line of the journal names; it is read the next time."""
        self._blocks.append(block)

    def read(self) -> NewPositions:
        """Return the positions of the blocks that were noted since the last time."""
        blocks, self._blocks = self._blocks, []
        samples = [block for run in _runs(blocks) for block in self._read_run(run)]
        records = np.concatenate(samples) if samples else np.empty(0, dtype=RECORD)
        return NewPositions(
            records["t_us"].astype(np.int64), records["x_cm"].astype(np.float64), records["y_cm"].astype(np.float64)
        )

    def _read_run(self, run: list[PositionsLine]) -> list[Records]:
        """Return the records of blocks that follow each other in the file, each block for itself."""
        first, samples = run[0].first, sum(block.samples for block in run)
        try:
            if not self._path.is_file():  # opening a pipe would block without end
                return []
            with self._path.open("rb") as file:
                if file.read(SIZE) != HEADER:
                    return []
                file.seek(SIZE * (first + 1))
                data = file.read(SIZE * samples)
        except (OSError, OverflowError, ValueError):  # the file was removed, or the place is nonsense
            return []
        records = np.frombuffer(data[: len(data) - len(data) % SIZE], dtype=RECORD)
        places = [(block.first - first, block) for block in run]
        parts = [(records[place : place + block.samples], block) for place, block in places]
        return [part for part, block in parts if len(part) == block.samples and digest_of(part) == block.digest]


def _runs(blocks: list[PositionsLine]) -> list[list[PositionsLine]]:
    """Return blocks that follow each other together, so that a long file is read in a few bites."""
    runs: list[list[PositionsLine]] = []
    most = _MAX_BYTES // SIZE
    size = 0
    for block in blocks:
        if not 0 < block.samples <= most:
            continue
        last = runs[-1][-1] if runs else None
        follows = last is not None and block.first == last.first + last.samples and size + block.samples <= most
        if follows:
            runs[-1].append(block)
            size += block.samples
        else:
            runs.append([block])
            size = block.samples
    return runs
