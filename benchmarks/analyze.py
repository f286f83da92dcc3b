"""Time and memory of ``rig analyze`` with all fits, for as many sessions as the public data set has (475)."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.measure import Measure, Options, Others, in_quiet
from protocols.two_armed_bandit.analysis.simulate import TaskCondition, simulate
from protocols.two_armed_bandit.analysis.stack import Stack
from protocols.two_armed_bandit.tables.decisions import COLUMNS

MICE = ("baby", "dill", "mustard", "raspberry", "sky", "wine")
CONDITIONS = (
    ("90-10", 83, TaskCondition(0.9, 0.1), (0.56, 1.84, 1.25)),
    ("80-20", 164, TaskCondition(0.8, 0.2), (0.78, 2.05, 1.43)),
    ("70-30", 228, TaskCondition(0.7, 0.3), (1.10, 1.92, 1.54)),
)
"""Name, sessions, odds, and alpha, beta, tau of each condition: 475 sessions as in the public data set."""

# Trials per session, about as in the public data set: mean, SD, and the range kept.
MEAN_TRIALS, SD_TRIALS, LEAST, MOST = 726, 150, 200, 1219
MOST_S, MOST_GB = 60, 2


def measure(options: Options) -> list[Measure]:
    """Return measures of the analysis of written files in a new process; Linux only, for its measure of peak memory."""
    if not sys.platform.startswith("linux"):
        return []
    seed = options.seeds[0] if options.seeds else 1
    with TemporaryDirectory() as name:
        trials = write_sessions(Path(name), seed)
        paths = sorted(str(path) for path in Path(name).iterdir())
        rounds, note = in_quiet(lambda: _analyze(paths), options.rounds or 1)
    note = f"{len(paths)} files, {trials} trials; {note}"
    return [
        Measure("rig analyze of 475 sessions", tuple(s for s, _ in rounds), at_most=MOST_S, unit=" s", note=note),
        Measure("rig analyze of 475 sessions, peak memory", tuple(gb for _, gb in rounds), at_most=MOST_GB, unit=" GB"),
    ]


def write_sessions(folder: Path, seed: int) -> int:
    """Write sessions of simulated mice in the public format; return the number of their trials."""
    draw = np.random.default_rng(seed)
    total = 0
    for name, sessions, world, (alpha, beta, tau) in CONDITIONS:
        each = (np.full(sessions, value) for value in (alpha, beta, tau))
        stack = simulate(*each, world, MOST, seed + sessions)
        lengths = np.clip(draw.normal(MEAN_TRIALS, SD_TRIALS, sessions), LEAST, MOST).astype(int)
        for row, trials in enumerate(lengths):
            path = folder / f"{MICE[row % len(MICE)]}_{name}_{row:03d}.csv"
            _write(path, stack, row, int(trials), world, draw)
        total += int(lengths.sum())
    return total


def _write(path: Path, stack: Stack, row: int, trials: int, world: TaskCondition, draw: np.random.Generator) -> None:
    waits = 1 + draw.lognormal(np.log(0.65), 0.6, trials)
    latencies = draw.lognormal(np.log(0.455), 0.28, trials)
    times = np.cumsum(1.2 + waits + latencies)
    left_high = stack.high[row, :trials] > 0
    columns = (
        times,
        waits,
        latencies,
        np.where(stack.choice[row, :trials] > 0, 2, 1),
        np.where(left_high, world.p_low, world.p_high),
        np.where(left_high, world.p_high, world.p_low),
        stack.reward[row, :trials],
    )
    # Five significant digits, as the public files have.
    lines = (",".join(f"{value:.5g}" for value in line) for line in zip(*columns, strict=True))
    path.write_text("\n".join((",".join(COLUMNS), *lines)) + "\n", encoding="ascii")


def _analyze(paths: list[str]) -> tuple[tuple[float, float], float]:
    """Run the command; return its seconds and gigabytes, and the cores used by other programs."""
    command = [sys.executable, "-m", "rig.cli.main", "analyze", "--json", *paths]
    with Others() as others:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"rig analyze failed with status {process.returncode}")
    return (seconds, usage.ru_maxrss / 1024**2), others.cores
