"""Record what the board samples: the values of its analog inputs and encoders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rig.core.errors import RecordError, RigError
from rig.core.journal.journal import Journal
from rig.core.model.board import Block
from rig.core.model.rig_spec import RigSpec
from rig.records.sampled.samples import SamplesFile, samples_path
from rig.session.run.tracking import APPEND_EVERY_US


def build_sample_recorder(
    plan: RigSpec, folder: Path | None, indexed: Mapping[str, int] | None = None
) -> SampleRecorder:
    """Build the recorder of a rig's sources; without a folder no values are kept. Raises ``RecordError``.

    ``indexed`` is of a session that goes on: how many records of each file in the folder its journal names.
    """
    if folder is None:
        return SampleRecorder({})
    sources = [source.name for source in plan.wiring.sources]
    ends = {name: None if indexed is None else indexed.get(samples_path(folder, name).name, 0) for name in sources}
    return SampleRecorder({name: SamplesFile(folder, name, indexed=end) for name, end in ends.items()})


@dataclass
class _Unwritten:
    """Values of a source that are not in its file yet, and the blocks that are missing among them."""

    records: list[tuple[int, int]] = field(default_factory=list)
    lost: int = 0
    unsent: int = 0


class SampleRecorder:
    """Recorder of the values of sources, each with its file; values of other sources are not kept."""

    def __init__(self, files: Mapping[str, SamplesFile]) -> None:
        self._files = dict(files)
        self._unwritten = {source: _Unwritten() for source in files}
        self._journal: Journal | None = None
        self._fail: Callable[[RigError], None] = lambda error: None

    def start(self, journal: Journal, fail: Callable[[RigError], None]) -> None:
        """Start to write what the board sends; ``fail`` is called if values cannot be written."""
        self._journal, self._fail = journal, fail

    def record(self, block: Block) -> None:
        """Record values of a source; they are written with those of half a second."""
        if block.source not in self._files:
            return
        unwritten = self._unwritten[block.source]
        unwritten.records += zip(block.times_us, block.values, strict=True)
        unwritten.lost += block.lost
        unwritten.unsent += block.unsent
        if self._journal is not None and unwritten.records[-1][0] - unwritten.records[0][0] >= APPEND_EVERY_US:
            self._append(block.source, self._journal)

    def _append(self, source: str, journal: Journal) -> None:
        file, unwritten = self._files.get(source), self._unwritten[source]
        if file is None or not unwritten.records:
            return
        self._unwritten[source] = _Unwritten()
        try:
            # The records before their line: after a crash in between no line names records that do not exist.
            journal.write(file.append(unwritten.records, unwritten.lost, unwritten.unsent))
        except RecordError as error:
            self._files.clear()
            self._fail(error)

    def close(self) -> RigError | None:
        """Write the remaining values; return the error, if any. Idempotent."""
        failures: list[RigError] = []
        # The session is ending: a failure is returned, and must not end it a second time.
        self._fail = failures.append
        if self._journal is not None:
            for source in self._unwritten:
                self._append(source, self._journal)
        return failures[0] if failures else None
