"""Measures with bounds, interleaved rounds, and the share of the machine used by other programs."""

from __future__ import annotations

import gc
import itertools
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import TypeVar

QUIET_CORES = 0.15
"""Most cores that other programs may use in a round that counts."""

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """Options of the command line; None means the benchmark's default."""

    seeds: tuple[int, ...] | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class Measure:
    """One number: its value in every round, and the bound of its median."""

    what: str
    rounds: tuple[float, ...]
    at_most: float | None = None
    at_least: float | None = None
    unit: str = ""
    note: str = ""

    @property
    def median(self) -> float:
        """Return the median of the rounds."""
        return median(self.rounds)

    @property
    def holds(self) -> bool:
        """Whether the median is within its bound."""
        low, high = self.at_least, self.at_most
        return (low is None or self.median >= low) and (high is None or self.median <= high)

    @property
    def must_be(self) -> str:
        """Return the bound as text."""
        if self.at_most is not None:
            return f"<= {self.at_most:g}{self.unit}"
        return "" if self.at_least is None else f">= {self.at_least:g}{self.unit}"

    @property
    def measured(self) -> str:
        """Return the median and the range of the rounds as text."""
        spread = f" ({min(self.rounds):.2f}-{max(self.rounds):.2f})" if len(self.rounds) > 1 else ""
        return f"{self.median:.2f}{self.unit}{spread}"

    def to_dict(self) -> dict[str, object]:
        """Return the number as data for JSON."""
        return {
            "what": self.what,
            "median": self.median,
            "min": min(self.rounds),
            "max": max(self.rounds),
            "rounds": list(self.rounds),
            "unit": self.unit,
            "must_be": self.must_be,
            "holds": self.holds,
            "note": self.note,
        }


def interleaved(one: Callable[[int], float], other: Callable[[int], float], rounds: Sequence[int]) -> list[float]:
    """Return the ratio of two costs in every round, measured in turn, each right after a full garbage collection.

    The collector stays on, as it is for users who simulate.
    """
    # A ratio within one round does not depend on the machine, nor on its load if that is the same for both.
    ratios = []
    for key in rounds:
        gc.collect()
        cost = one(key)
        gc.collect()
        ratios.append(cost / other(key))
    return ratios


class Others:
    """Cores used by other programs: ``with Others() as others: …``, then ``others.cores``.

    Programs that this one has started are none of them.
    """

    def __enter__(self) -> Others:
        self.cores = 0.0
        self._busy, self._own, self._start = _busy_s(), family_s(), time.perf_counter()
        return self

    def __exit__(self, *exc: object) -> None:
        others_s = _busy_s() - self._busy - (family_s() - self._own)
        self.cores = max(0.0, others_s) / (time.perf_counter() - self._start)


def _busy_s() -> float:
    """Return the busy time of all processors of the machine in seconds; Linux only, 0 elsewhere."""
    try:
        first = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0]
    except OSError:
        return 0.0
    user, nice, system, _idle, _wait, irq, softirq, steal = (int(word) for word in first.split()[1:9])
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")


def family() -> list[int]:
    """Return this process and all that it has started and that still run; Linux only, this one elsewhere."""
    pids = [os.getpid()]
    for pid in itertools.chain(pids):
        for task in Path(f"/proc/{pid}/task").glob("*/children"):
            with suppress(OSError):  # it has just ended
                pids += map(int, task.read_text(encoding="ascii").split())
    return pids


def family_s() -> float:
    """Return the processor time in seconds of this process and of all that it has started; Linux only, 0 elsewhere."""
    ticks = 0
    for pid in family():
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))  # its own, and that of its children that have ended
    return ticks / os.sysconf("SC_CLK_TCK") if ticks else 0.0


def in_quiet(turn: Callable[[], tuple[T, float]], wanted: int) -> tuple[list[T], str]:
    """Run ``turn`` until ``wanted`` rounds were quiet; return their results and a note.

    A turn returns its result and the cores used by other programs. If after four times as many rounds too few were
    quiet, all rounds count.
    """
    turns: list[tuple[T, float]] = []
    quiet: list[tuple[T, float]] = []
    while len(quiet) < wanted and len(turns) < 4 * wanted:
        turns.append(turn())
        quiet = [each for each in turns if each[1] <= QUIET_CORES]
    used = quiet if len(quiet) >= wanted else turns
    others = mean(cores for _, cores in used)
    note = (
        f"{len(quiet)} of {len(turns)} rounds were quiet; in the counted rounds other programs used {others:.2f} cores"
    )
    return [result for result, _ in used], note
