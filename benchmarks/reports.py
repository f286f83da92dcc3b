"""Processor time of `rig report`, from its start: of a session of 40 minutes, and of a subject with 300 sessions."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options

SESSION_S, SUBJECT_S = 3.0, 10.0
"""The longest times that a person should wait."""
SESSIONS = 300
MODELS = {"two_armed_bandit": "rflr", "delay_discounting": "rat", "disk_bandit": "pigeon", "disk_bandit_human": "human"}


def measure(options: Options) -> list[Measure]:
    """Return measures of a whole session of each protocol, and of a subject with many sessions."""
    rounds = options.rounds or 3
    with TemporaryDirectory() as name:
        data = Path(name)
        found = [
            Measure(
                f"rig report of a session of {protocol}, processor time",
                tuple(_report(str(_simulated(data, protocol, model))) for _ in range(rounds)),
                at_most=SESSION_S,
                unit=" s",
            )
            for protocol, model in MODELS.items()
        ]
        _many(data)
        words = ("--subject", "many", "--sim", "--data", str(data))
        times = tuple(_report(*words) for _ in range(rounds))
    what = f"rig report of a subject with {SESSIONS} sessions, processor time"
    return [*found, Measure(what, times, at_most=SUBJECT_S, unit=" s")]


def _simulated(data: Path, protocol: str, model: str) -> Path:
    session = data / "sim" / protocol / "2026-01-01" / "001"
    if not session.is_dir():
        words = ("--model", model, "--subject", protocol, "--start", "2026-01-01T09:00", "--seed", "1")
        _rig("sim", protocol, *words, "--data", str(data))
    return session


def _many(data: Path) -> None:
    """Write the sessions of a subject, as copies of one, each on a day of its own."""
    one = _simulated(data, "two_armed_bandit", MODELS["two_armed_bandit"])
    for number in range(SESSIONS):
        day = f"20{26 + number // 336:02d}-{1 + number % 336 // 28:02d}-{1 + number % 28:02d}"
        shutil.copytree(one, data / "sim" / "many" / day / "001")


def _report(*words: str) -> float:
    """Return the processor time of one report, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _rig("report", *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _rig(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "rig.cli.main", *words], check=True, capture_output=True)
