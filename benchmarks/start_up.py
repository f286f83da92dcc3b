"""How long a person waits for an answer of one line, against a Python that does nothing."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from benchmarks.measure import Measure, Options, interleaved

ROUNDS = 25
RIG = str(Path(sys.executable).with_name("rig"))
NOTHING = (sys.executable, "-c", "pass")
ANSWERS = ((RIG, "--version"), (RIG, "--help"))


def measure(options: Options) -> list[Measure]:
    """Start the command and an idle Python in turn; both are installed in the same environment."""
    rounds = range(options.rounds or ROUNDS)
    note = "wall time of the whole process"
    found = []
    for words in ANSWERS:
        ratios = interleaved(partial(_wall_s, words), partial(_wall_s, NOTHING), rounds)
        found.append(Measure(f"rig {' '.join(words[1:])} / python -c pass", tuple(ratios), at_most=3, note=note))
    return found


def _wall_s(words: Sequence[str], _round: int) -> float:
    start = time.perf_counter()
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start
