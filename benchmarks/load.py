"""Processor time of `rig.load` for a session of 40 minutes, with its frames, beside that of parsing its lines."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import rig
from benchmarks.measure import Measure, Options
from rig.records.journal.read import JOURNAL

MOST_S, MOST_TIMES = 1.0, 15


def measure(options: Options) -> list[Measure]:
    """Return measures of a simulated session of the two-armed bandit; the session lasts 40 minutes."""
    seed = options.seeds[0] if options.seeds else 1
    with TemporaryDirectory() as name:
        session = _simulated(Path(name), seed)
        lines = (session / JOURNAL).read_bytes().splitlines()
        _load(session)  # imports pandas
        rounds = [(_load(session), _parse(lines)) for _ in range(options.rounds or 5)]
    loads = tuple(load_s for load_s, _ in rounds)
    ratios = tuple(load_s / parse_s for load_s, parse_s in rounds)
    note = f"{len(lines)} lines"
    return [
        Measure("rig.load of 40 minutes, processor time", loads, at_most=MOST_S, unit=" s", note=note),
        Measure("rig.load against parsing the lines as JSON", ratios, at_most=MOST_TIMES, unit=" times"),
    ]


def _simulated(data: Path, seed: int) -> Path:
    words = ("two_armed_bandit", "--model", "rflr", "--subject", "M1", "--start", "2026-11-21T09:00")
    command = [sys.executable, "-m", "rig.cli.main", "sim", *words, "--seed", str(seed), "--data", str(data)]
    subprocess.run(command, check=True, capture_output=True)
    return next(data.glob("sim/M1/*/*"))


def _load(session: Path) -> float:
    began = time.process_time()
    loaded = rig.load(session)
    for name in loaded.table_names:
        loaded[name]
    return time.process_time() - began


def _parse(lines: list[bytes]) -> float:
    began = time.process_time()
    for line in lines:
        json.loads(line)
    return time.process_time() - began
