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

    A block is read once the file has it: on a network share the journal may come first. A block whose digest differs is
    left out: its records are damaged, or those of another session. So is one with records that were read before.
    """

    def __init__(self, path: Path, layout: RecordFormat) -> None:
        self.path = path
        self._layout = layout
        self._blocks: deque[BlockIndex] = deque()
        self._missing: list[BlockIndex] = []
        """The blocks that the file did not have at the last look."""
        self._stored = 0
        """How many records the file had at the last look."""
        self._end = 0
        """The number of the record behind those that were read."""
        self._left_out = 0

    def note(self, block: BlockIndex) -> None:
        """Add a block that a line of the journal names; it is read the next time."""
        self._blocks.append(block)

    @property
    def unreadable(self) -> int:
        """Return how many blocks were left out, or are not in the file yet."""
        return self._left_out + len(self._missing)

    @property
    def has_more(self) -> bool:
        """Whether blocks were noted since the last time, or the file has grown that had not all of them."""
        return bool(self._blocks) or (bool(self._missing) and self._count() > self._stored)

    def read(self) -> Records:
        """Return the records of the blocks that were noted since the last time."""
        parts = [np.empty(0, dtype=record_dtype(self._layout))]
        while self.has_more:
            parts.append(self.read_some())
        return np.concatenate(parts)

    def read_some(self) -> Records:
        """Return the records of the next blocks, at most 1 MB of them."""
        stored = self._count()
        if stored > self._stored:
            self._blocks.extendleft(reversed(self._missing))
            self._missing.clear()
        self._stored = stored
        run = self._next_run()
        blocks = self._read_run(run) if run else []
        self._left_out += len(run) - len(blocks)
        return np.concatenate([np.empty(0, dtype=record_dtype(self._layout)), *blocks])

    def _count(self) -> int:
        """Return how many records the file has."""
        try:
            # Opening a pipe would block without end.
            size = self.path.stat().st_size if self.path.is_file() else 0
        except OSError:  # removed meanwhile
            size = 0
        return max(0, size - self._layout.place(0)) // self._layout.size

    def _next_run(self) -> list[BlockIndex]:
        """Return and remove the next blocks that follow each other in the file; sort out those before and between."""
        most = _MAX_BYTES // self._layout.size
        run: list[BlockIndex] = []
        while self._blocks:
            block = self._blocks[0]
            if not 0 < block.samples <= most or block.first < self._end:
                self._left_out += 1
            elif block.first + block.samples > self._stored:
                self._missing.append(block)
            elif not run or (block.first == self._end and block.first + block.samples <= run[0].first + most):
                run.append(block)
                self._end = block.first + block.samples
            else:
                break
            self._blocks.popleft()
        return run

    def _read_run(self, run: list[BlockIndex]) -> list[Records]:
        """Return the records of blocks that follow each other in the file, each block for itself."""
        layout, first, samples = self._layout, run[0].first, sum(block.samples for block in run)
        try:
            with self.path.open("rb") as file:
                if file.read(layout.place(0)) != layout.header:
                    return []
                file.seek(layout.place(first))
                data = file.read(layout.size * samples)
        except OSError:  # the file was removed meanwhile
            return []
        records = np.frombuffer(data[: len(data) - len(data) % layout.size], dtype=record_dtype(layout))
        places = [(block.first - first, block) for block in run]
        parts = [(records[place : place + block.samples], block) for place, block in places]
        return [
            part for part, block in parts if len(part) == block.samples and records_digest(part, layout) == block.digest
        ]
