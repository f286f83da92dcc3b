"""How much a rat turns at the choice point: IdPhi, from nothing but times and positions (Papale et al. 2012).

Velocity is by adaptive windowing (Janabi-Sharifi et al. 2000): the window that reaches back from a sample is the one
whose chord lies nearest to the samples between, in mean square, and so long as the path is straight, short where it
bends. The same operator takes the heading's rate of change; IdPhi adds up its magnitude over a pass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from rig.analysis.common.arrays import Flags, Floats
from rig.core.errors import ConfigError

Path: TypeAlias = npt.NDArray[np.float32]

SHORTEST_WINDOW = 3
LONGEST_GAP_S = 0.5
"""Across shorter losses of the animal its path is taken as straight; a pass with a longer one is not judged."""

STANDING_CM_PER_S = 5.0
FEWEST_SAMPLES = 10
MOST_SAMPLES = 10_000_000
"""A day at 100 frames a second has fewer."""


@dataclass(frozen=True)
class Operator:
    """The two lengths of the derivative, those of the authors' program of 2012: longest window, smoothing after it."""

    window_s: float = 0.5
    smoothing_s: float = 0.1


@dataclass(frozen=True, eq=False)
class Track:
    """An even series of positions, and which of them are known; begins at ``start_s``."""

    start_s: float
    rate_hz: float
    x_cm: Floats
    y_cm: Floats
    known: Flags


class Pass(NamedTuple):
    """One way past the choice point: how much the rat turned, in radians, and how long it stood; NaN if not known.

    ``path_cm`` holds a row of x and y for each sample; none if not known.
    """

    idphi: float
    pause_s: float
    path_cm: Path


UNSEEN = Pass(math.nan, math.nan, np.zeros((0, 2), np.float32))


def track(t_s: Floats, x_cm: Floats, y_cm: Floats) -> Track | None:
    """Make positions even: frames that were dropped, or in which the animal was lost, are filled along straight lines.

    The rate is that of the median frame. Returns None when there are too few to tell it.
    """
    seen = np.isfinite(x_cm) & np.isfinite(y_cm) & np.isfinite(t_s)
    t_seen, first = np.unique(t_s[seen], return_index=True)
    if t_seen.size < FEWEST_SAMPLES:
        return None
    step_s = float(np.median(np.diff(np.unique(t_s[np.isfinite(t_s)]))))
    if (t_seen[-1] - t_seen[0]) / step_s > MOST_SAMPLES:
        raise ConfigError(
            f"a track of {t_seen[-1] - t_seen[0]:g} s, with a frame every {step_s:g} s, is longer than any session: "
            "its times are not those of frames"
        )
    grid = np.arange(t_seen[0], t_seen[-1] + step_s / 2, step_s)
    after = np.clip(np.searchsorted(t_seen, grid), 1, t_seen.size - 1)
    known = t_seen[after] - t_seen[after - 1] <= LONGEST_GAP_S
    x, y = (np.interp(grid, t_seen, values[seen][first]) for values in (x_cm, y_cm))
    return Track(float(t_seen[0]), 1 / step_s, x, y, known)


def slope(values: Floats, rate_hz: float, operator: Operator) -> Floats:
    """Take the rate of change by adaptive windowing, per second.

    Of the windows of 3 samples to the longest that end at a sample, the one with the smallest mean square error of
    the samples within about the chord between its ends; then a moving average.
    """
    longest = min(max(SHORTEST_WINDOW, math.ceil(operator.window_s * rate_hz)), values.size - 1)
    best, least = np.zeros(values.size), np.full(values.size, np.inf)
    squares, products = np.zeros(values.size), np.zeros(values.size)
    for length in range(1, longest + 1):
        here = slice(length, None)
        back = values[:-length] - values[here]
        if length >= SHORTEST_WINDOW:  # squares and products are over the samples between the ends
            chord = -back / length
            weights = (length - 1) * length * (2 * length - 1) / 6
            error = (squares[here] + 2 * chord * products[here] + chord**2 * weights) / (length - 1)
            better = error < least[here]
            least[here] = np.where(better, error, least[here])
            best[here] = np.where(better, chord, best[here])
        squares[here] += back**2
        products[here] += length * back
    best[:SHORTEST_WINDOW] = best[SHORTEST_WINDOW : SHORTEST_WINDOW + 1]
    return smoothed(best, math.ceil(operator.smoothing_s * rate_hz)) * rate_hz


def smoothed(values: Floats, width: int) -> Floats:
    """Average over a moving window, which is cut at the ends."""
    if width < 2 or values.size < width:
        return values
    window = np.ones(width)
    return np.asarray(np.convolve(values, window, "same") / np.convolve(np.ones(values.size), window, "same"))


def passes(found: Track | None, enter_s: Floats, exit_s: Floats, operator: Operator) -> list[Pass]:
    """Judge every pass from its entry into the choice point to its exit; one that is not all known is ``UNSEEN``."""
    if found is None:
        return [UNSEEN] * len(enter_s)
    margin = math.ceil((2 * (operator.window_s + operator.smoothing_s)) * found.rate_hz) + SHORTEST_WINDOW
    return [_pass(found, enter, leave, operator, margin) for enter, leave in zip(enter_s, exit_s, strict=True)]


def _pass(found: Track, enter_s: float, exit_s: float, operator: Operator, margin: int) -> Pass:
    """Differentiate a stretch that is longer than the pass by all that the operator looks at."""
    if not exit_s > enter_s:
        return UNSEEN
    first, last = (round((time_s - found.start_s) * found.rate_hz) for time_s in (enter_s, exit_s))
    if first < 0 or last >= found.x_cm.size or not found.known[first : last + 1].all():
        return UNSEEN
    stretch = slice(max(0, first - margin), last + margin)
    dx, dy = (slope(values[stretch], found.rate_hz, operator) for values in (found.x_cm, found.y_cm))
    turning = slope(np.unwrap(np.arctan2(dy, dx)), found.rate_hz, operator)
    within = slice(first - stretch.start, last - stretch.start)
    standing = np.hypot(dx, dy)[within] < STANDING_CM_PER_S
    seen = slice(first, last + 1)
    return Pass(
        float(np.abs(turning[within]).sum() / found.rate_hz),
        float(standing.sum() / found.rate_hz),
        np.column_stack([found.x_cm[seen], found.y_cm[seen]]).astype(np.float32),
    )
