"""Cost of a journal line (numbered, formatted, with checksum, written), relative to a bare write."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options, interleaved
from rig.core.journal.journal import Journal
from rig.core.model.events import Edge
from rig.session.run.journal_file import Recorder

LINES = 20_000
ROUNDS = 9
# About as long as a line for an edge.
BARE = b"x" * 119 + b"\n"


def measure(options: Options) -> list[Measure]:
    """Return the measure of many lines and as many bare writes, in turn."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        recorder = Recorder(folder, synced=False)
        bare = os.open(folder / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        journal = Journal(recorder.append)
        try:
            rounds = range(options.rounds or ROUNDS)
            ratios = interleaved(lambda _: _lines(journal), lambda _: _writes(bare), rounds)
            size = (folder / "journal.jsonl").stat().st_size / journal.seq
        finally:
            os.close(bare)
            recorder.close()
    note = f"{LINES} edges of {size:.0f} bytes a round, each one os.write"
    return [Measure("a line of the journal / one write of 120 bytes", tuple(ratios), at_most=4, note=note)]


def _timed(work: Callable[[], None]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _lines(journal: Journal) -> float:
    edges = [Edge(1_000_000_000 + n, "center.beam", n & 1, 0, n & 0xFFFF) for n in range(LINES)]

    def work() -> None:
        for edge in edges:
            journal.write(edge)

    return _timed(work)


def _writes(bare: int) -> float:
    def work() -> None:
        for _ in range(LINES):
            os.write(bare, BARE)

    return _timed(work)
