"""Sessions on a disk, for the tests of tables: of each protocol, each run once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal.read import JOURNAL
from rig.records.session.trials import write_tables
from tests.harness import FaultHarness, run_harness
from tests.rules.test_breaks_of_each_protocol import CASES

PROTOCOLS = tuple(CASES)


@cache
def played(protocol: str) -> FaultHarness:
    case = CASES[protocol]
    return run_harness(case.spec, case.live())


def save(data: Path, harness: FaultHarness, subject: str = "M1", number: int = 1, raw: bytes | None = None) -> Path:
    """Write a session where that of a subject would be, with its tables."""
    folder = data / subject / "2026-11-21" / f"{number:03d}"
    folder.mkdir(parents=True)
    (folder / JOURNAL).write_bytes(b"".join(harness.raw) if raw is None else raw)
    header = harness.spec.header
    write_tables(folder, header, {name: harness.table(name) for name in (TRIAL_TABLE, *header.tables)})
    return folder
