"""How things are measured here: two of them, round by round, and only their ratio counts."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any


@dataclass(frozen=True)
class Options:
    """What the command line may change; None leaves it to the benchmark."""

    seeds: tuple[int, ...] | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class Measure:
    """One number: its value in every round, and what its median must be."""

    what: str
    rounds: tuple[float, ...]
    at_most: float | None = None
    at_least: float | None = None
    unit: str = ""
    note: str = ""

    @property
    def median(self) -> float:
        """Give the median of the rounds."""
        return median(self.rounds)

    @property
    def holds(self) -> bool:
        """Tell whether the number is what it must be."""
        low, high = self.at_least, self.at_most
        return (low is None or self.median >= low) and (high is None or self.median <= high)

    @property
    def must_be(self) -> str:
        """Say what the number must be."""
        if self.at_most is not None:
            return f"<= {self.at_most:g}{self.unit}"
        return "" if self.at_least is None else f">= {self.at_least:g}{self.unit}"

    @property
    def measured(self) -> str:
        """Say what was measured."""
        spread = f" ({min(self.rounds):.2f}-{max(self.rounds):.2f})" if len(self.rounds) > 1 else ""
        return f"{self.median:.2f}{self.unit}{spread}"

    def to_dict(self) -> dict[str, Any]:
        """Give the number as plain data."""
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
    """Measure two costs in turn, each right after a full collection; return the ratio of every round.

    The collector stays on, as it is when people simulate; both start with nothing to collect.
    """
    ratios = []
    for key in rounds:
        gc.collect()
        cost = one(key)
        gc.collect()
        ratios.append(cost / other(key))
    return ratios
