"""Wall time of whole commands: short answers relative to an idle Python, and short work in seconds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.measure import Measure, Options, interleaved

# A start is short, so single rounds scatter; the median of 25 does not.
ROUNDS = 25
WORK_ROUNDS = 5
RIG = str(Path(sys.executable).with_name("rig"))
NOTHING = (sys.executable, "-c", "pass")
LINE = "rig run two_armed_bandit_st"
COMPLETING = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": os.devnull, "COMP_LINE": LINE}
ASKED: dict[str, tuple[Sequence[str], dict[str, str]]] = {
    "rig --version": ((RIG, "--version"), {}),
    "rig --help": ((RIG, "--help"), {}),
    f"completing '{LINE}'": ((RIG,), COMPLETING | {"COMP_POINT": str(len(LINE))}),
}
MOUSE = ("two_armed_bandit", "--model", "rflr", "--seed", "1", "--start", "2026-11-21T09:00")
ONE_S = ("--set", "stop.session_s=1")
WORK: dict[str, Sequence[str]] = {
    "rig check, a protocol with its rehearsals": ("check", "two_armed_bandit"),
    "rig sim, a session of 1 min": ("sim", *MOUSE, "--subject", "S1", "--set", "stop.session_s=60"),
    "rig run, a simulated session of 1 s": ("run", *MOUSE, "--subject", "R1", "--new", "--yes", *ONE_S),
    "rig report, of a session of 1 min": ("report", "data/sim/S1/2026-11-21/001"),
}
"""Commands in the order in which they run, in one folder: the report is of a session that was simulated before."""


def measure(options: Options) -> list[Measure]:
    """Return measures of short commands and an idle Python in turn, and of commands that work."""
    # Some containers set this variable; then every start would compile all modules, which no user's start does.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return [*_starts(options.rounds or ROUNDS, usual), *_works(options.rounds or WORK_ROUNDS, usual)]


def _starts(rounds: int, usual: dict[str, str]) -> list[Measure]:
    measures = []
    for what, (words, settings) in ASKED.items():
        asked = partial(_wall_s, words, usual | settings)
        ratios = interleaved(asked, partial(_wall_s, NOTHING, usual), range(rounds))
        note = "wall time of the whole process"
        measures.append(Measure(f"{what} / python -c pass", tuple(ratios), at_most=3, note=note))
    return measures


def _works(rounds: int, usual: dict[str, str]) -> list[Measure]:
    """Return the seconds of commands that do something; each round begins with an empty folder."""
    times: dict[str, list[float]] = {what: [] for what in WORK}
    for number in range(rounds):
        with TemporaryDirectory() as folder:
            environment = {**usual, "RIG_DATA": f"{folder}/data"}
            for what, words in WORK.items():
                times[what].append(_wall_s((RIG, *words), environment, number, folder))
    return [Measure(what, tuple(seconds), unit=" s", note="wall time") for what, seconds in times.items()]


def _wall_s(words: Sequence[str], environment: dict[str, str], _round: int, folder: str | None = None) -> float:
    start = time.perf_counter()
    nothing = subprocess.DEVNULL
    subprocess.run(words, env=environment, cwd=folder, stdin=nothing, stdout=nothing, stderr=nothing, check=True)
    return time.perf_counter() - start
