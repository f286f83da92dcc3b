"""The two kinds of files of records, positions and samples, for tests that hold for both.

python -m tests.records.side_file.kinds KIND FOLDER writes records and their journal until it is killed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.core.journal.journal import Journal
from rig.core.journal.kinds import PositionsLine, SamplesLine
from rig.records.sampled import samples
from rig.records.sampled.read import read_samples
from rig.records.side_file.format import RecordFormat
from rig.records.side_file.read import StoredRecords
from rig.records.track import positions
from rig.records.track.positions import PositionsFile, Sample
from rig.records.track.read import read_positions

Record = tuple[Any, ...]
Line = PositionsLine | SamplesLine
BLOCK = 40
"""The records of a block that is written until the program is killed."""


@dataclass(frozen=True)
class Kind:
    """A kind of file: its writer for a folder, its reader for a folder and lines of the journal, and its records."""

    layout: RecordFormat
    name: str
    file: Callable[..., Any]
    stored: Callable[[Path, Sequence[Line]], StoredRecords]
    numbered: Callable[[int], Record]

    @property
    def start(self) -> int:
        """How long the header is."""
        return len(self.layout.header)

    def records(self, count: int, first: int = 0) -> list[Record]:
        return [self.numbered(number) for number in range(first, first + count)]

    def written(self, folder: Path, *blocks: Sequence[Record]) -> tuple[Path, list[Line]]:
        """Write a new file, and return the lines of the journal that name its blocks."""
        path = folder / self.name
        path.unlink(missing_ok=True)
        file = self.file(folder)
        return path, [file.append(block) for block in blocks]

    def read(self, folder: Path, lines: Sequence[Line]) -> list[Record]:
        return [record[:-1] for record in self.stored(folder, lines).records.tolist()]

    def write_until_killed(self, folder: Path) -> None:
        file = self.file(folder)
        journal = Journal((folder / "journal.jsonl").open("wb", buffering=0).write)
        for first in range(0, 10**9, BLOCK):
            journal.write(file.append(self.records(BLOCK, first)))
            if first == 10 * BLOCK:
                sys.stdout.write("going\n")
                sys.stdout.flush()


KINDS = {
    "positions": Kind(
        positions.FORMAT,
        positions.POSITIONS,
        PositionsFile,
        lambda folder, lines: read_positions(folder / positions.POSITIONS, lines),
        lambda n: Sample(16_667 * n, 1_000_000 + 16_667 * n, n / 4, -n / 8, n),
    ),
    "samples": Kind(
        samples.FORMAT,
        "samples.wheel.bin",
        lambda folder, **more: samples.SamplesFile(folder, "wheel", **more),
        lambda folder, lines: read_samples(folder, "wheel", [line for line in lines if isinstance(line, SamplesLine)]),
        lambda n: (1_000 * n, -n),
    ),
}

if __name__ == "__main__":
    KINDS[sys.argv[1]].write_until_killed(Path(sys.argv[2]))
