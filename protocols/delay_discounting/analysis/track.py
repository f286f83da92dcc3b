"""IdPhi, the turning of a rat at the choice point, from times and positions alone (Papale et al. 2012).

Velocity is by adaptive windowing (Janabi-Sharifi et al. 2000). Of the windows that end at a sample, the operator takes
the one whose chord has the smallest mean square distance to the samples between: long on a straight path, short at a
bend. The same operator computes the rate of change of the heading. IdPhi is the sum of its magnitude over a pass.
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

# The shortest window of the authors' program. A chord of one sample has none between its ends, and so no error.
SHORTEST_WINDOW = 3
LONGEST_GAP_S = 0.5
"""Longest loss of tracking that is filled by a straight line; a pass with a longer one has no IdPhi."""

# A pass without a pause runs at 24 to 34 cm/s; slower than 5 cm/s counts as a pause.
STANDING_CM_PER_S = 5.0
FEWEST_SAMPLES = 10
MOST_SAMPLES = 10_000_000
"""Most samples of a track; one day at 100 frames per second has 8.64 million."""


@dataclass(frozen=True)
class DerivativeWindow:
    """Longest window and smoothing of the derivative, in seconds; the defaults of the authors' program of 2012."""

    window_s: float = 0.5
    smoothing_s: float = 0.1


@dataclass(frozen=True, eq=False)
class Track:
    """Positions at a constant rate from ``start_s``; ``known`` is false within longer losses of tracking."""

    start_s: float
    rate_hz: float
    x_cm: Floats
    y_cm: Floats
    known: Flags


class Pass(NamedTuple):
    """One pass of the choice point: turning in radians and pause in seconds; NaN if the pass was not tracked.

    ``path_cm`` has one row of x and y per sample; empty if the pass was not tracked.
    """

    idphi: float
    pause_s: float
    path_cm: Path


UNSEEN = Pass(math.nan, math.nan, np.zeros((0, 2), np.float32))


def track(t_s: Floats, x_cm: Floats, y_cm: Floats) -> Track | None:
    """Return positions at a constant rate, that of the median frame; None with fewer than ``FEWEST_SAMPLES``.

    Dropped frames and frames without the animal are filled by linear interpolation. Raises ``ConfigError`` if the
    times give more than ``MOST_SAMPLES``.
    """
    found = np.isfinite(x_cm) & np.isfinite(y_cm) & np.isfinite(t_s)
    t_found, first = np.unique(t_s[found], return_index=True)
    if t_found.size < FEWEST_SAMPLES:
        return None
    step_s = float(np.median(np.diff(np.unique(t_s[np.isfinite(t_s)]))))
    # One wrong time stamp would make the grid below as long as the memory of the computer.
    if (t_found[-1] - t_found[0]) / step_s > MOST_SAMPLES:
        raise ConfigError(
            f"a track of {t_found[-1] - t_found[0]:g} s, with a frame every {step_s:g} s, is longer than any session: "
            "its times are not those of frames"
        )
    grid = np.arange(t_found[0], t_found[-1] + step_s / 2, step_s)
    after = np.clip(np.searchsorted(t_found, grid), 1, t_found.size - 1)
    known = t_found[after] - t_found[after - 1] <= LONGEST_GAP_S
    x, y = (np.interp(grid, t_found, values[found][first]) for values in (x_cm, y_cm))
    return Track(float(t_found[0]), 1 / step_s, x, y, known)


def slope(values: Floats, rate_hz: float, operator: DerivativeWindow) -> Floats:
    """Return the rate of change per second by adaptive windowing, then a moving average.

    Of the windows of 3 samples to the longest that end at a sample, the operator takes the one with the smallest mean
    square error of the samples within it about the chord between its ends.
    """
    # Running sums over the samples between the ends give the error of every window length without a second loop: the
    # sums of squares, of k times ``back``, and of k^2.
    longest = min(max(SHORTEST_WINDOW, math.ceil(operator.window_s * rate_hz)), values.size - 1)
    best, least = np.zeros(values.size), np.full(values.size, np.inf)
    squares, products = np.zeros(values.size), np.zeros(values.size)
    for length in range(1, longest + 1):
        here = slice(length, None)
        back = values[:-length] - values[here]
        if length >= SHORTEST_WINDOW:
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
    """Return the moving average; the window is cut at the ends."""
    if width < 2 or values.size < width:
        return values
    window = np.ones(width)
    return np.asarray(np.convolve(values, window, "same") / np.convolve(np.ones(values.size), window, "same"))


def passes(found: Track | None, enter_s: Floats, exit_s: Floats, operator: DerivativeWindow) -> list[Pass]:
    """Return every pass from entry to exit of the choice point; ``UNSEEN`` if any of its samples is not known."""
    if found is None:
        return [UNSEEN] * len(enter_s)
    # Two derivatives in sequence: with this margin a pass has the same IdPhi as from the derivative of the whole
    # session, which is what the authors compute.
    margin = math.ceil((2 * (operator.window_s + operator.smoothing_s)) * found.rate_hz) + SHORTEST_WINDOW
    return [_pass(found, enter, leave, operator, margin) for enter, leave in zip(enter_s, exit_s, strict=True)]


def _pass(found: Track, enter_s: float, exit_s: float, operator: DerivativeWindow, margin: int) -> Pass:
    """Return one pass; the derivative covers a stretch longer than the pass by the reach of the operator."""
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
    samples = slice(first, last + 1)
    return Pass(
        float(np.abs(turning[within]).sum() / found.rate_hz),
        float(standing.sum() / found.rate_hz),
        np.column_stack([found.x_cm[samples], found.y_cm[samples]]).astype(np.float32),
    )
