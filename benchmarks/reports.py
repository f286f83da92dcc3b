"""Processor time of `rig report`, from its start: of sessions up to 2 hours, and of a subject with 300 sessions.

Also its memory for a session of a day.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options
from benchmarks.window_journal import write_journal
from rig.records.journal.read import JOURNAL

SESSION_S, SUBJECT_S = 3.0, 10.0
"""The longest times that a person should wait."""
SESSIONS = 300
DAY_TRIALS, DAY_EDGES, DAY_MB = 24_000, 480_000, 200
BANDIT = "two_armed_bandit"
SIMULATED = {
    BANDIT: "two_armed_bandit --model rflr",
    "delay_discounting": "delay_discounting --model rat",
    "disk_bandit": "disk_bandit --model pigeon",
    "disk_bandit_human": "disk_bandit_human --model human",
    "two_armed_bandit of 2 h": "two_armed_bandit --model rflr --set stop.session_s=7200 --set stop.max_rewards=5000 "
    "--set stop.max_ul=20000",
    "delay_discounting with a tracker": "delay_discounting --model rat --rig sim_t_maze_tracked",
}
"""Sessions, with what ``rig sim`` runs for each."""


def measure(options: Options) -> list[Measure]:
    """Return measures of a whole session of each protocol, and of a subject with many sessions."""
    rounds = options.rounds or 3
    with TemporaryDirectory() as folder:
        data = Path(folder)
        found = [
            Measure(
                f"rig report of a session of {name}, processor time",
                tuple(_report(str(_simulated(data, name))) for _ in range(rounds)),
                at_most=SESSION_S,
                unit=" s",
            )
            for name in SIMULATED
        ]
        _many(data)
        words = ("--subject", "many", "--sim", "--data", str(data))
        times = tuple(_report(*words) for _ in range(rounds))
        size_mb = _day_mb(data / "day" / "2026-11-21" / "001")
    what = f"rig report of a subject with {SESSIONS} sessions, processor time"
    note = f"{DAY_TRIALS} trials and {DAY_EDGES} edges in 24 h"
    return [
        *found,
        Measure(what, times, at_most=SUBJECT_S, unit=" s"),
        Measure("rig report of a session of a day, peak memory", (size_mb,), at_most=DAY_MB, unit=" MB", note=note),
    ]


def _simulated(data: Path, name: str) -> Path:
    subject = name.replace(" ", "_")
    session = data / "sim" / subject / "2026-01-01" / "001"
    if not session.is_dir():
        words = ("--subject", subject, "--start", "2026-01-01T09:00", "--seed", "1", "--data", str(data))
        _rig("sim", *SIMULATED[name].split(), *words)
    return session


def _many(data: Path) -> None:
    """Write the sessions of a subject, as copies of one, each on a day of its own."""
    one = _simulated(data, BANDIT)
    for number in range(SESSIONS):
        day = f"20{26 + number // 336:02d}-{1 + number % 336 // 28:02d}-{1 + number % 28:02d}"
        shutil.copytree(one, data / "sim" / "many" / day / "001")


def _report(*words: str) -> float:
    """Return the processor time of one report, in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _rig("report", *words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def _day_mb(session: Path) -> float:
    """Return the peak memory of the report of a session of a day, in megabytes."""
    write_journal(session / JOURNAL, DAY_TRIALS, DAY_EDGES, 24)
    words = (sys.executable, "-m", "rig.cli.main", "report", str(session))
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as report:
        _, status, usage = os.wait4(report.pid, 0)
    if status:
        raise RuntimeError(f"the report of {session} failed")
    return usage.ru_maxrss / 1024


def _rig(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "rig.cli.main", *words], check=True, capture_output=True)
