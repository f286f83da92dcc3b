"""Wall time of ``rig --version``, ``rig --help`` and shell completion, relative to an idle Python."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure import Measure, Options, interleaved

# A start is short, so single rounds scatter; the median of 25 does not.
ROUNDS = 25
RIG = str(Path(sys.executable).with_name("rig"))
NOTHING = (sys.executable, "-c", "pass")
LINE = "rig run two_armed_bandit_st"
COMPLETING = {"_ARGCOMPLETE": "1", "_ARGCOMPLETE_STDOUT_FILENAME": os.devnull, "COMP_LINE": LINE}
ASKED: dict[str, tuple[Sequence[str], dict[str, str]]] = {
    "rig --version": ((RIG, "--version"), {}),
    "rig --help": ((RIG, "--help"), {}),
    f"completing '{LINE}'": ((RIG,), COMPLETING | {"COMP_POINT": str(len(LINE))}),
}


def measure(options: Options) -> list[Measure]:
    """Return measures of the commands and an idle Python in turn; both are in the same environment."""
    rounds = range(options.rounds or ROUNDS)
    # Some containers set this variable; then every start would compile all modules, which no user's start does.
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    note = "wall time of the whole process"
    found = []
    for what, (words, settings) in ASKED.items():
        asked = partial(_wall_s, words, usual | settings)
        ratios = interleaved(asked, partial(_wall_s, NOTHING, usual), rounds)
        found.append(Measure(f"{what} / python -c pass", tuple(ratios), at_most=3, note=note))
    return found


def _wall_s(words: Sequence[str], environment: dict[str, str], _round: int) -> float:
    start = time.perf_counter()
    subprocess.run(words, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
