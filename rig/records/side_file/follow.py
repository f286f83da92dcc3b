"""The records of a session that may still run: those that its journal names, in its order."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import numpy as np

from rig.records.side_file.format import BlockIndex, RecordFormat
from rig.records.side_file.read import Records, record_dtype, records_digest

_MAX_BYTES = 1 << 20
"""So much is read at once, whatever a journal says."""


class RecordFollower:
    """Reads the records of a file that lines of the journal name; the file is never kept open.

    A block whose digest differs is left out, and counted in ``unreadable`` as one that the file does not have: its
    records are damaged, or those of another session.
    """

    def __init__(self, path: Path, layout: RecordFormat) -> None:
        self.path = path
        self.unreadable = 0
        self._layout = layout
        self._blocks: deque[BlockIndex] = deque()

    def note(self, block: BlockIndex) -> None:
        """Add a block that a line of the journal names; it is read the next time."""
        self._blocks.append(block)

    @property
    def has_more(self) -> bool:
        """Whether blocks were noted that are not read yet."""
        return bool(self._blocks)

    def read(self) -> Records:
        """Return the records of the blocks that were noted since the last time."""
        parts = [np.empty(0, dtype=record_dtype(self._layout))]
        while self.has_more:
            parts.append(self.read_some())
        return np.concatenate(parts)

    def read_some(self) -> Records:
        """Return the records of the next blocks, at most 1 MB of them."""
        run = self._next_run()
        blocks = self._read_run(run) if run else []
        self.unreadable += len(run) - len(blocks)
        return np.concatenate([np.empty(0, dtype=record_dtype(self._layout)), *blocks])

    def _next_run(self) -> list[BlockIndex]:
        """Return and remove the next blocks that follow each other in the file; none if the next one is nonsense."""
        most = _MAX_BYTES // self._layout.size
        run: list[BlockIndex] = []
        length = 0
        while self._blocks and 0 < self._blocks[0].samples <= most - length:
            if run and self._blocks[0].first != run[-1].first + run[-1].samples:
                break
            run.append(self._blocks.popleft())
            length += run[-1].samples
        if not run and self._blocks:
            self._blocks.popleft()
            self.unreadable += 1
        return run

    def _read_run(self, run: list[BlockIndex]) -> list[Records]:
        """Return the records of blocks that follow each other in the file, each block for itself."""
        layout, first, samples = self._layout, run[0].first, sum(block.samples for block in run)
        try:
            if not self.path.is_file():  # opening a pipe would block without end
                return []
            with self.path.open("rb") as file:
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
