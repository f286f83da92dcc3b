"""Sessions leave nothing behind: the memory of a process that runs one after another.

Each is followed by a full collection, so that what is seen is what is kept, and not when Python last tidied up.
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
    """Run the same ten sessions again and again; return the resident memory after each ten, in megabytes."""
    sizes = []
    for session in range(1, SESSIONS + 1):
        with TemporaryDirectory() as folder:
            stack.run(session % EVERY, Path(folder))
        gc.collect()
        if session % EVERY == 0:
            sizes.append(_resident_mb())
    return sizes


def measure(options: Options) -> list[Measure]:
    """Run them in a fresh process; Linux only, for nowhere else is it known as simply."""
    if not sys.platform.startswith("linux"):
        return []
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        sizes = pool.submit(run_them).result()
    note = f"{SESSIONS} sessions of 40 min in one process: {', '.join(f'{size:.1f}' for size in sizes)} MB"
    return [
        Measure("resident memory after 50 sessions", (max(sizes),), at_most=MOST_MB, unit=" MB", note=note),
        Measure("its growth: after 50 sessions / after 10", (sizes[-1] / sizes[0],), at_most=MOST_GROWTH),
    ]


def _resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024
