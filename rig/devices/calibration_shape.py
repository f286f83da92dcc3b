"""Whether measured points can be those of a valve.

A valve opens after a dead time and then lets water through at a constant rate, so its points lie on a straight line
that begins near zero. Short openings open it in part only: the curve may bend upward there. It does not bend downward,
and without an opening it gives no drop. The tolerances are wide: they find a number that was mistyped or measured on
another valve, not a valve that is worn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

MAX_UL_PER_MS = 1.0
"""A solenoid valve for drops lets less through."""
MAX_ABOVE_PCT = 25.0
"""A point lies at most so far above the line between its neighbors: four times the spread of a straight line whose
points were weighed with an error of 5 % each, which 1 of 2,000 such calibrations exceeds."""
MAX_BELOW_PCT = 45.0
"""A point lies at most so far below: the first point may be of a valve that does not open fully."""
MAX_LATE_MS = 30.0
"""A valve closes at most so much later than it opens: pinch valves take 20 ms, others a few."""
ERROR_PCT = 5.0
"""A volume is known this well, as `rig device calibrate` demands; rates and the dead time are judged within it."""
_LOW, _HIGH = 1 - ERROR_PCT / 100, 1 + ERROR_PCT / 100

Point: TypeAlias = tuple[float, float]
"""Open time in ms, and volume of one drop in ul."""


def off_line_pct(before: Point, point: Point, after: Point) -> float:
    """Return how far a point lies from the line between its neighbors, in percent of the line."""
    part = (point[0] - before[0]) / (after[0] - before[0])
    return 100 * (point[1] / (before[1] + part * (after[1] - before[1])) - 1)


def implausible_points(points: Sequence[Point]) -> Iterator[tuple[int, str]]:
    """Yield the index of each point that no valve gives beside the others, and why; the points must rise."""
    for index, (before, point) in enumerate(pairwise(points), start=1):
        if _LOW * point[1] - _HIGH * before[1] > MAX_UL_PER_MS * (point[0] - before[0]):
            rate = (point[1] - before[1]) / (point[0] - before[0])
            most = f"no valve gives more than {MAX_UL_PER_MS:g}"
            yield index, f"{rate:.2g} ul more for each ms than at {before[0]:g} ms: {most}."
    for index, (before, point, after) in enumerate(zip(points, points[1:], points[2:], strict=False), start=1):
        off_pct = off_line_pct(before, point, after)
        if not -MAX_BELOW_PCT <= off_pct <= MAX_ABOVE_PCT:
            line = f"from {before[1]:g} ul ({before[0]:g} ms) to {after[1]:g} ul ({after[0]:g} ms)"
            bounds = f"{-MAX_BELOW_PCT:+g} to {MAX_ABOVE_PCT:+g} % are plausible"
            off = f"{point[1]:g} ul is {off_pct:+.0f} % off the straight line {line}"
            yield index, f"{off}: no valve bends so ({bounds})."
    if text := dead_time_problem(points):
        yield 0, text


def dead_time_problem(points: Sequence[Point]) -> str:
    """Return why the two shortest openings cannot be of one valve: it would give a drop without an opening."""
    if len(points) < 2:
        return ""
    (first_ms, first_ul), (second_ms, second_ul) = points[:2]
    rate = (_HIGH * second_ul - _LOW * first_ul) / (second_ms - first_ms)
    if _LOW * first_ul <= rate * (first_ms + MAX_LATE_MS):
        return ""
    unopened_ul = first_ul - first_ms * (second_ul - first_ul) / (second_ms - first_ms)
    return (
        f"{first_ul:g} ul in {first_ms:g} ms and {second_ul:g} ul in {second_ms:g} ms cannot be of one valve: their "
        f"line gives {unopened_ul:.2g} ul without an opening."
    )
