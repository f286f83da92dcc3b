"""Throughput of two processes relative to one: sessions share nothing, so it must nearly double.

This needs two free cores. Rounds in which other programs used more than ``QUIET_CORES`` are repeated. On a machine that
is never quiet every round counts, and the note says how many cores the other programs used.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import stack
from benchmarks.measure import Measure, Options, Others, in_quiet

SESSIONS = 12
SESSION_S = 600
ROUNDS = 5


def run_one(seed: int) -> float:
    """Run one session; return its processor time in seconds."""
    start = time.process_time()
    with TemporaryDirectory() as folder:
        stack.run(seed, Path(folder), SESSION_S)
    return time.process_time() - start


def measure(options: Options) -> list[Measure]:
    """Return the measure of the same sessions in one process and in two, after a warm-up of both."""
    # spawn on every system: a forked process would share memory that a user's second process does not.
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context) as one, ProcessPoolExecutor(2, context) as two:
        for pool in (one, two):
            _time(pool)
        ratios, quiet = in_quiet(lambda: _turn(one, two), options.rounds or ROUNDS)
    note = f"{SESSIONS} sessions of {SESSION_S // 60} min a round on {os.cpu_count()} cores; {quiet}"
    return [Measure("sessions per second: 2 processes / 1 process", tuple(ratios), at_least=1.7, note=note)]


def _turn(one: ProcessPoolExecutor, two: ProcessPoolExecutor) -> tuple[float, float]:
    """Run one round; return the ratio and the cores used by other programs."""
    with Others() as others:
        slow_s, own_slow_s = _time(one)
        fast_s, own_fast_s = _time(two)
        others.own_s = own_slow_s + own_fast_s
    return slow_s / fast_s, others.cores


def _time(pool: ProcessPoolExecutor) -> tuple[float, float]:
    """Run the sessions; return wall time and processor time in seconds."""
    start = time.perf_counter()
    own_s = sum(pool.map(run_one, range(SESSIONS)))
    return time.perf_counter() - start, own_s
