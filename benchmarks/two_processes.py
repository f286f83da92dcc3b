"""Sessions share nothing, so two processes must do nearly twice the work of one."""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import stack
from benchmarks.measure import Measure, Options, interleaved

SESSIONS = 12
SESSION_S = 600
ROUNDS = 5


def run_one(seed: int) -> int:
    """Run one session; return how many trials it had."""
    with TemporaryDirectory() as folder:
        return stack.run(seed, Path(folder), SESSION_S).outcome.rows


def measure(options: Options) -> list[Measure]:
    """Run the same sessions in one process and in two, both warm."""
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context) as one, ProcessPoolExecutor(2, context) as two:
        for pool in (one, two):
            _time(pool)
        ratios = interleaved(lambda _: _time(one), lambda _: _time(two), range(options.rounds or ROUNDS))
    note = f"{SESSIONS} sessions of {SESSION_S // 60} min a round; this machine has {os.cpu_count()} cores"
    return [Measure("sessions per second: 2 processes / 1 process", tuple(ratios), at_least=1.7, note=note)]


def _time(pool: ProcessPoolExecutor) -> float:
    start = time.perf_counter()
    list(pool.map(run_one, range(SESSIONS)))
    return time.perf_counter() - start
