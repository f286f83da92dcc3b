"""A campaign of very many sessions: memory, size of the tables, and whether the cost of a session stays the same.

``python -m benchmarks.long_campaign`` runs 10,000 sessions of 40 minutes, which takes an hour. Each line has the state
after some hundred sessions. The cost of a session is processor time of all processes, relative to sessions that this
process runs at the same moment, because other programs may make every session slower.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.campaigns import bandit
from benchmarks.measure import family, family_s
from rig.campaigns.session_job import SessionProduct, run_job
from rig.campaigns.store import TABLES, CampaignStore
from rig.config.models.study_file import StudyFile
from rig.jobs.open_engine import open_engine
from rig.studies.sessions import ArmSessions, run_sessions

REPORT_EVERY = 100
REFERENCES = 3
"""Sessions of this process beside each hundred."""


def main() -> int:
    """Run the campaign; return 1 if it misses a bound."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.long_campaign", description=__doc__)
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        return _run(Path(folder), asked.sessions, asked.jobs)


def _run(folder: Path, sessions: int, jobs: int) -> int:
    condition = bandit()
    arm = {"protocol": "two_armed_bandit", "model": "rflr", "subjects": sessions}
    file = StudyFile.model_validate({"title": "long", "arms": {"base": arm}})
    arms = {"base": ArmSessions.of(file, "base", condition)}
    store = CampaignStore(folder, "long", {"base": condition.header}, keeps_journals=False)
    watch = _Watch(arms["base"], folder)
    with open_engine(jobs) as engine:
        run_sessions(arms, store, engine, watch)
    return watch.verdict(sessions)


class _Watch:
    """Prints memory, size and cost after every hundred sessions."""

    def __init__(self, arm: ArmSessions, folder: Path) -> None:
        self._arm = arm
        self._tables = folder / TABLES
        self._done = 0
        self._busy_s = family_s()
        self._costs: list[float] = []
        self._memory_mb: list[float] = []

    def __call__(self, product: SessionProduct) -> None:
        self._done += 1
        if self._done % REPORT_EVERY:
            return
        spent_s = family_s() - self._busy_s
        reference_s = _cost_s(self._reference)
        self._costs.append(spent_s / REPORT_EVERY / reference_s)
        self._memory_mb.append(_memory_mb())
        print(
            f"{self._done} sessions: {self._memory_mb[-1]:.0f} MB of memory, {self._size_mb():.1f} MB of tables, "
            f"{spent_s / REPORT_EVERY:.3f} s a session, {self._costs[-1]:.3f} of one in this process",
            flush=True,
        )
        self._busy_s = family_s()

    def _reference(self) -> None:
        for number in range(REFERENCES):
            run_job(self._arm.order(f"reference-{number}", ()))

    def _size_mb(self) -> float:
        return sum(path.stat().st_size for path in self._tables.rglob("*.parquet")) / 1e6

    def verdict(self, sessions: int) -> int:
        """Print whether all bounds are met; return the exit status."""
        first, rest = self._costs[0], self._costs[1:]
        drift = sum(rest[-10:]) / len(rest[-10:]) / first
        size_mb = self._size_mb() * 10_000 / sessions
        held = {
            f"memory at most 1000 MB: {max(self._memory_mb):.0f}": max(self._memory_mb) <= 1000,
            f"tables of 10,000 sessions at most 400 MB: {size_mb:.0f}": size_mb <= 400,
            # The first hundred also pays for the start of the processes, so that later ones may cost less.
            f"cost of the last thousand at most 5 % above the first hundred's: {drift:.3f}": drift <= 1.05,
        }
        for said, holds in held.items():
            print(f"{said}: {'holds' if holds else 'does not hold'}")
        return 0 if all(held.values()) else 1


def _cost_s(work: Callable[[], None]) -> float:
    gc.collect()
    begun_s = time.process_time()
    work()
    return (time.process_time() - begun_s) / REFERENCES


def _memory_mb() -> float:
    """Return the memory that is only theirs or shared in parts, of all processes."""
    total_kb = 0
    for pid in family():
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
            if line.startswith("Pss:"):
                total_kb += int(line.split()[1])
    return total_kb / 1024


if __name__ == "__main__":
    sys.exit(main())
