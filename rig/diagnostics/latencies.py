"""Latencies: pairs of cause and effect in, a summary and a histogram out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

BARS = 20


@dataclass(frozen=True)
class Latencies:
    """Times between causes and effects, in microseconds, sorted; at least one."""

    name: str
    us: tuple[float, ...]

    @property
    def n(self) -> int:
        """Return the number of latencies."""
        return len(self.us)

    def quantile(self, part: float) -> float:
        """Return the smallest value that at least this fraction does not exceed, without interpolation."""
        # Without interpolation the p99.9 of fewer than 1,000 values is the worst of them, and not better.
        return self.us[max(0, math.ceil(part * self.n) - 1)]

    def summary(self) -> dict[str, float]:
        """Return count, median, p99, p99.9 and maximum."""
        quoted = {"median_us": 0.5, "p99_us": 0.99, "p999_us": 0.999, "max_us": 1.0}
        return {"n": self.n, **{name: round(self.quantile(part), 3) for name, part in quoted.items()}}

    def histogram(self, bars: int = BARS) -> list[tuple[float, float, int]]:
        """Return equal bins as (from, to, count); one bin when all values are equal."""
        low, high = self.us[0], self.us[-1]
        if high <= low:
            return [(low, high, self.n)]
        width = (high - low) / bars
        counts = [0] * bars
        for value in self.us:
            # The largest value is the upper end of the last bin, and belongs in it.
            counts[min(bars - 1, int((value - low) / width))] += 1
        return [(low + index * width, low + (index + 1) * width, count) for index, count in enumerate(counts)]


def latencies(name: str, pairs: Iterable[tuple[float, float]]) -> Latencies:
    """Return the latencies of pairs of cause and effect, in microseconds of one clock: a host's or a pin trace's.

    Raises ``ValueError`` without any pair.
    """
    us: Sequence[float] = sorted(round(effect - cause, 3) for cause, effect in pairs)  # finer digits are float noise
    if not us:
        raise ValueError(f"{name}: nothing was measured")
    return Latencies(name, tuple(us))
