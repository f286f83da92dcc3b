"""Read the values of a source from a file that may be torn or damaged."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rig.core.journal.kinds import SamplesLine
from rig.records.sampled.samples import FORMAT, samples_path
from rig.records.side_file.read import StoredRecords, read_records


def read_samples(folder: Path, source: str, lines: Iterable[SamplesLine]) -> StoredRecords:
    """Read the file of a source, which may be torn or damaged; ``lines`` index it.

    Raises ``RecordError`` when it is no such file, or the file of another session.
    """
    return read_records(samples_path(folder, source), FORMAT, lines)
