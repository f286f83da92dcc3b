"""Read the positions of a tracked animal from a file that may be torn or damaged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rig.core.journal.kinds import PositionsLine
from rig.core.model.line import Line
from rig.records.side_file.read import StoredRecords, read_records
from rig.records.track.positions import FORMAT, Sample

_SAMPLE = list(Sample._fields)


class Positions(StoredRecords):
    """The positions that a file holds, and what is wrong with it."""

    @property
    def samples(self) -> list[Sample]:
        """Return the records as samples."""
        return [Sample._make(record) for record in self.records[_SAMPLE].tolist()]


def read_positions(path: Path, lines: Iterable[Line]) -> Positions:
    """Read a file that may be torn or damaged; ``lines`` are those of its session's journal.

    Raises ``RecordError`` when it is no such file, or the file of another session.
    """
    blocks = (line for line in lines if isinstance(line, PositionsLine))
    return Positions(**vars(read_records(path, FORMAT, blocks)))
