"""Steps: places at which the other clock jumped, and gaps across which it cannot be followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from rig.align.anchors import Anchors
from rig.align.arrays import Floats

FEWEST = 3
"""Fewest anchors of a stretch: two decide its line, the third confirms it."""
_WINDOW = 8
"""Anchors on each side of a step. In the 40 s that 8 codes take, the drift of a clock is constant."""
_GAP_WINDOW = 40
"""The line beyond a gap must be known better: its error grows with the distance."""
_SIGMAS = 6.0
"""A step must exceed its standard error so many times: at 10,000 places, chance alone exceeds four times."""
SMALLEST_STEP_US = 50.0
"""No smaller step is looked for; it stays within the error that an alignment may have. The stairs of sampling at 20 kHz
and more are not larger, and a file may hide them by rounding its times."""
MAX_STEPS = 200


@dataclass(frozen=True)
class StepRules:
    """How noisy an anchor is, the sampling period of the recording, and which gaps are long.

    Across a gap of more than ``gap_us`` both sides must agree to ``bridge_us``, with certainty.
    """

    noise_us: float
    resolution_us: float
    gap_us: float
    bridge_us: float

    @property
    def smallest_us(self) -> float:
        """Return the smallest step to look for; coarse sampling makes stairs of one sample of a steady drift."""
        return max(SMALLEST_STEP_US, 1.5 * self.resolution_us)


def steady_stretches(anchors: Anchors, rules: StepRules) -> list[slice]:
    """Return the stretches of anchors without a step, in order; at most ``MAX_STEPS`` steps are looked for."""
    pending = [slice(0, len(anchors))]
    slices: list[slice] = []
    while pending:
        stretch = pending.pop()
        at = _largest_step(anchors.part(stretch), rules) if len(slices) + len(pending) < MAX_STEPS else None
        if at is None:
            slices.append(stretch)
        else:
            middle = stretch.start + at + 1
            pending += [slice(middle, stretch.stop), slice(stretch.start, middle)]
    return [stretch for stretch in slices if stretch.stop - stretch.start >= FEWEST]


def _largest_step(anchors: Anchors, rules: StepRules) -> int | None:
    """Return the place before the largest step, None without one."""
    if len(anchors) < 2:
        return None
    size, error = _steps(anchors, rules, _WINDOW)
    suspect = (size > _SIGMAS * error) & (size > rules.smallest_us)
    wide = np.diff(anchors.t_us) > rules.gap_us
    if wide.any():
        wide_size, wide_error = _steps(anchors, rules, _GAP_WINDOW)
        agree = wide_size + 2 * wide_error <= rules.bridge_us
        suspect = np.where(wide, ~agree, suspect)
    suspects = np.flatnonzero(suspect)
    if not len(suspects):
        return None
    return int(suspects[np.argmax(np.where(np.isnan(size[suspects]), np.inf, size[suspects]))])


def _steps(anchors: Anchors, rules: StepRules, window: int) -> tuple[Floats, Floats]:
    """Return the size of the step after each anchor but the last, and its standard error; NaN where neither is known.

    The lines of the anchors before and after it are compared in the middle. Near an end, where there are too few for
    a line, their mean is compared with the line of the others. A line of ``n`` anchors at ``x`` predicts the place
    ``x0`` with the variance ``1 / n + (x0 - mean(x))^2 / sum((x - mean(x))^2)``, in variances of one anchor (least
    squares; Draper and Smith, Applied Regression Analysis). Variances of both sides add.
    """
    middle = (anchors.t_us[:-1] + anchors.t_us[1:]) / 2
    # Sampling spreads an edge evenly over one sample: its standard deviation is that of a uniform distribution.
    noise = max(rules.noise_us, rules.resolution_us / np.sqrt(12), 0.1)
    before, before_var = _predictions(anchors.t_us, anchors.offset_us, middle, window)
    after, after_var = _predictions(-anchors.t_us[::-1], anchors.offset_us[::-1], -middle[::-1], window)
    size, variance = np.abs(after[::-1] - before), before_var + after_var[::-1]
    for few in range(1, FEWEST):
        for place, (step, spread) in (
            (-few, _beside_line(anchors.t_us, anchors.offset_us, few, window)),
            (few - 1, _beside_line(-anchors.t_us[::-1], anchors.offset_us[::-1], few, window)),
        ):
            if len(anchors) >= few + FEWEST:
                size[place], variance[place] = step, spread
    return size, noise * np.sqrt(variance)


def _beside_line(x: Floats, y: Floats, few: int, window: int) -> tuple[float, float]:
    """Return how far the mean of the last ``few`` anchors is from the line before, and the variance of that."""
    last = slice(-few - window if few + window < len(x) else 0, -few)
    if len(x[last]) < FEWEST:
        return np.nan, np.nan
    mean = float(x[last].mean())
    spread = float(((x[last] - mean) ** 2).sum())
    slope = float(((x[last] - mean) * y[last]).sum()) / spread
    ahead = float(x[-few:].mean()) - mean
    apart = float(y[-few:].mean()) - float(y[last].mean()) - slope * ahead
    return abs(apart), 1 / few + 1 / len(x[last]) + ahead**2 / spread


def _predictions(x: Floats, y: Floats, at: Floats, window: int) -> tuple[Floats, Floats]:
    """Return what the line through the last anchors before each place says there, and its variance in anchors' ones."""
    count = len(at)
    value, variance = np.full(count, np.nan), np.full(count, np.nan)
    for size in range(FEWEST, min(window, count) + 1):
        last = slice(size - 1, count if size == window else size)
        xs = sliding_window_view(x, size)[: last.stop - last.start]
        ys = sliding_window_view(y, size)[: last.stop - last.start]
        mean_x, mean_y = xs.mean(axis=1), ys.mean(axis=1)
        spread = ((xs - mean_x[:, None]) ** 2).sum(axis=1)
        slope = ((xs - mean_x[:, None]) * (ys - mean_y[:, None])).sum(axis=1) / spread
        ahead = at[last] - mean_x
        value[last] = mean_y + slope * ahead
        variance[last] = 1 / size + ahead**2 / spread
    return value, variance
