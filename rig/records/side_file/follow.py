"""The records of a session that may still run: those that its journal names, in its order."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.records.side_file.format import BlockIndex, RecordFormat
from rig.records.side_file.read import Records, record_dtype, records_digest

_MAX_BYTES = 1 << 22
"""So much is read at once, whatever a journal says."""


class RecordFollower:
    """Reads the records of a file that lines of the journal name; the file is never kept open.

    A block whose digest differs is left out: its records are damaged, or those of another session.
    """

    def __init__(self, path: Path, layout: RecordFormat) -> None:
        self._path = path
        self._layout = layout
        self._blocks: list[BlockIndex] = []

    def note(self, block: BlockIndex) -> None:
        """Add a block that a line of the journal names; it is read the next time."""
        self._blocks.append(block)

    def read(self) -> Records:
        """Return the records of the blocks that were noted since the last time."""
        blocks, self._blocks = self._blocks, []
        samples = [block for run in _runs(blocks, self._layout.size) for block in self._read_run(run)]
        return np.concatenate(samples) if samples else np.empty(0, dtype=record_dtype(self._layout))

    def _read_run(self, run: list[BlockIndex]) -> list[Records]:
        """Return the records of blocks that follow each other in the file, each block for itself."""
        layout, first, samples = self._layout, run[0].first, sum(block.samples for block in run)
        try:
            if not self._path.is_file():  # opening a pipe would block without end
                return []
            with self._path.open("rb") as file:
                if file.read(layout.place(0)) != layout.header:
                    return []
                file.seek(layout.place(first))
                data = file.read(layout.size * samples)
        except (OSError, OverflowError, ValueError):  # the file was removed, or the place is nonsense
            return []
        records = np.frombuffer(data[: len(data) - len(data) % layout.size], dtype=record_dtype(layout))
        places = [(block.first - first, block) for block in run]
        parts = [(records[place : place + block.samples], block) for place, block in places]
        return [
            part for part, block in parts if len(part) == block.samples and records_digest(part, layout) == block.digest
        ]


def _runs(blocks: list[BlockIndex], size: int) -> list[list[BlockIndex]]:
    """Return blocks that follow each other together, so that a long file is read in a few bites."""
    runs: list[list[BlockIndex]] = []
    most = _MAX_BYTES // size
    length = 0
    for block in blocks:
        if not 0 < block.samples <= most:
            continue
        last = runs[-1][-1] if runs else None
        follows = last is not None and block.first == last.first + last.samples and length + block.samples <= most
        if follows:
            runs[-1].append(block)
            length += block.samples
        else:
            runs.append([block])
            length = block.samples
    return runs
