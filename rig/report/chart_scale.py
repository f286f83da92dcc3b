"""Axes of drawn charts: the range that an axis shows, and where it has ticks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.views.chart import Axis, Floats
from rig.views.log_marks import log_marks

MARGIN = 0.05
"""Share of the range that is left free at both ends of an axis without bounds."""
MAX_DECADE = 300.0
FARTHEST = 10.0**MAX_DECADE
"""Larger numbers, which only a strange journal has, are drawn here: their differences must be finite."""
MAX_NAME = 24
"""A longer name of a tick is cut: it would leave no room for the chart."""


@dataclass(frozen=True)
class Tick:
    """A tick: its share of the length of the axis from 0 to 1, and the lines of its text."""

    share: float
    lines: Sequence[str]


@dataclass(frozen=True)
class Scale:
    """The range of an axis; on a logarithmic one ``low`` and ``high`` are logarithms to the base 10."""

    low: float
    high: float
    log: bool = False

    @property
    def span(self) -> float:
        """Return the length of the range."""
        return self.high - self.low

    def shares(self, values: Floats) -> Floats:
        """Return where values are, from 0 (low) to 1 (high); NaN for those without a place."""
        return (_placed(values, log=self.log) - self.low) / self.span


def scale_of(axis: Axis, values: Floats, *, from_zero: bool = False) -> Scale:
    """Return the scale that shows all values within the bounds of an axis; bars stand on its end (``from_zero``)."""
    placed = _placed(values, log=axis.log)
    placed = placed[np.isfinite(placed)]
    low, high = (float(placed.min()), float(placed.max())) if placed.size else (0.0, 1.0)
    if low == high:
        half = max(abs(low) * MARGIN, 0.5 if axis.log or low == 0 else abs(low) * 1e-6)
        low, high = low - half, high + half
    margin = MARGIN * (high - low)
    low = low if from_zero and low == 0 else low - margin
    high = high if from_zero and high == 0 else high + margin
    lower, upper = (_bound(bound, log=axis.log) for bound in axis.bounds)
    low, high = low if lower is None else lower, high if upper is None else upper
    if axis.log:
        low, high = max(low, -MAX_DECADE), min(high, MAX_DECADE)
    # Bounds may leave no range, such as a lower one above all values.
    return Scale(low, high if high > low else low + max(1.0, abs(low) * 1e-6), axis.log)


def ticks_of(axis: Axis, scale: Scale, most: int) -> list[Tick]:
    """Return the ticks within a scale, at most about ``most`` unless the axis names its own."""
    if axis.ticks is not None:
        shares = scale.shares(np.array(list(axis.ticks), dtype=np.float64))
        names = [[line[:MAX_NAME] for line in str(name).split("\n")] for name in axis.ticks.values()]
        return [Tick(float(share), name) for share, name in zip(shares, names, strict=True) if 0 <= share <= 1]
    if axis.log:
        marks = np.array(log_marks(scale.low, scale.high), dtype=np.float64)
        return [Tick(float((mark - scale.low) / scale.span), [f"{10**mark:g}"]) for mark in marks]
    step = _nice_step(scale.span / max(1, most))
    first, last = math.ceil(scale.low / step - 1e-9), math.floor(scale.high / step + 1e-9)
    values = [number * step for number in range(first, min(last, first + 2 * most) + 1)]
    return [Tick((value - scale.low) / scale.span, [_number(value, step)]) for value in values]


def _placed(values: Floats, *, log: bool) -> Floats:
    with np.errstate(divide="ignore", invalid="ignore"):
        placed = np.where(np.isfinite(values), np.clip(values, -FARTHEST, FARTHEST), np.nan)
        placed = np.log10(placed) if log else placed
    return np.where(np.isfinite(placed), placed, np.nan)


def _bound(bound: float | None, *, log: bool) -> float | None:
    if bound is None or not math.isfinite(bound) or (log and bound <= 0):
        return None
    return math.log10(bound) if log else max(-FARTHEST, min(FARTHEST, bound))


def _nice_step(least: float) -> float:
    """Return the smallest step of 1, 2 or 5 times a power of ten that is not below ``least``."""
    power: float = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least * (1 - 1e-9))


def _number(value: float, step: float) -> str:
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    written = f"{value:.{decimals}f}" if decimals <= 6 and abs(value) < 1e6 else f"{value:g}"
    return written.removeprefix("-") if float(written) == 0 else written.replace("-", "−")
