"""Memory of a process that runs many sessions in sequence: it must not grow.

A full garbage collection follows each session, so the value is what is referenced, not what is still uncollected.
"""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import stack
from benchmarks.measure import Measure, Options

SESSIONS = 50
EVERY = 10
MOST_MB = 120
MOST_GROWTH = 1.03


def run_them() -> list[float]:
    """Run the same ten sessions repeatedly; return the resident memory in megabytes after every ten."""
    sizes = []
    for session in range(1, SESSIONS + 1):
        with TemporaryDirectory() as folder:
            stack.run(session % EVERY, Path(folder))
        gc.collect()
        if session % EVERY == 0:
            sizes.append(_resident_mb())
    return sizes


def measure(options: Options) -> list[Measure]:
    """Return measures of the sessions in a new process; Linux only, for its ``/proc``."""
    if not sys.platform.startswith("linux"):
        return []
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        sizes = pool.submit(run_them).result()
    note = f"{SESSIONS} sessions of 40 min in one process: {', '.join(f'{size:.1f}' for size in sizes)} MB"
    return [
        Measure("resident memory after 50 sessions", (max(sizes),), at_most=MOST_MB, unit=" MB", note=note),
        Measure("resident memory after 50 sessions / after 10", (sizes[-1] / sizes[0],), at_most=MOST_GROWTH),
    ]


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
