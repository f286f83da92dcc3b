"""From pairs of edges to stretches: the parts of a session in which the other clock can be followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.anchors import NORMAL_MAD, Anchors, anchors_of, noise_us
from rig.align.arrays import Flags, Floats
from rig.align.match import Matches, in_order, match_edges
from rig.align.rough_match import RoughMatch
from rig.align.spline import BrokenLine, fit_broken_line
from rig.align.steps import FEWEST, StepRules, steady_stretches

BRIDGE_US = 50.0
"""Across a long gap both sides must agree so far; else the gap is not mapped."""
_GAP_PERIODS = 3.0
_MOST_OF_A_GROUP = 0.5
"""A code counts as an anchor if so many of its edges were matched."""
_SHORTEST_TOLERANCE_US = 50.0
_TOLERANCE_SIGMAS = 7.0


@dataclass(frozen=True)
class Stretch:
    """A stretch of the session without a step: from its first to its last matched edge, and the fit."""

    from_us: float
    to_us: float
    line: BrokenLine


@dataclass(frozen=True)
class Fit:
    """The stretches, and the edges that were matched within them; noise and sampling in microseconds.

    ``tolerance_us`` is how far a matched edge was allowed to be from the fit.
    """

    stretches: list[Stretch]
    matches: Matches
    residuals_us: Floats
    anchor_residuals_us: Floats
    noise_us: float
    resolution_us: float
    tolerance_us: float


def fit_stretches(rough: RoughMatch, resolution_s: float) -> Fit:
    """Fit the matched edges: find steps, fit each stretch, match the edges again with a small tolerance, fit again."""
    resolution = resolution_s * 1e6
    anchors = _anchors(rough, rough.matches)
    noise = noise_us(anchors)
    gap_us = _GAP_PERIODS * rough.reading.signal.period_us
    rules = StepRules(noise, resolution, gap_us, max(BRIDGE_US, 6 * noise, 2 * resolution))
    parts = [anchors.part(chosen) for chosen in steady_stretches(anchors, rules)]
    lines = [fit_broken_line(part, noise, resolution) for part in parts]
    spans = [(int(part.groups[0]), int(part.groups[-1])) for part in parts]
    tolerance = _tolerance_us(rough, spans, lines, resolution)
    matches = _matched_again(rough, spans, lines, tolerance)
    stretches: list[Stretch] = []
    kept: list[Flags] = []
    deviations: list[Floats] = []
    for span in spans:
        stretch, inside, deviation = _final(rough, matches, span, noise, resolution)
        if stretch is not None:
            stretches.append(stretch)
            kept.append(inside)
            deviations.append(deviation)
    used = np.logical_or.reduce(kept) if kept else np.zeros(len(matches.expected), np.bool_)
    final = Matches(matches.expected[used], matches.recorded[used])
    residuals = _residuals(rough, final, stretches)
    return Fit(stretches, final, residuals, np.concatenate([*deviations, np.empty(0)]), noise, resolution, tolerance)


def _anchors(rough: RoughMatch, matches: Matches) -> Anchors:
    """Build the anchors of the groups of which at least half of the edges were matched."""
    signal = rough.reading.signal
    groups = signal.groups[matches.expected]
    sizes = np.bincount(signal.groups)
    matched = np.bincount(groups, minlength=len(sizes))
    kept = matched[groups] >= np.maximum(1, _MOST_OF_A_GROUP * sizes[groups])
    expected, recorded = matches.expected[kept], matches.recorded[kept]
    t_us = signal.t_us[expected].astype(np.float64)
    return anchors_of(signal.groups[expected], t_us, rough.reading.times_us[recorded], rough.rate)


def _tolerance_us(rough: RoughMatch, spans: list[tuple[int, int]], lines: list[BrokenLine], resolution: float) -> float:
    predicted = _predicted(rough, spans, lines)[rough.matches.expected]
    deviations = np.abs(rough.reading.times_us[rough.matches.recorded] - predicted)
    deviations = deviations[np.isfinite(deviations)]
    sigma = float(np.median(deviations)) * NORMAL_MAD if len(deviations) else 0.0
    largest = 0.4 * rough.reading.signal.bit_us
    return min(largest, max(_TOLERANCE_SIGMAS * sigma, 1.5 * resolution, _SHORTEST_TOLERANCE_US))


def _predicted(rough: RoughMatch, spans: list[tuple[int, int]], lines: list[BrokenLine]) -> Floats:
    """Return when each expected edge of the spans of groups was recorded, NaN for the others."""
    signal = rough.reading.signal
    predicted = np.full(len(signal.t_us), np.nan)
    for (first, last), line in zip(spans, lines, strict=True):
        chosen = slice(*np.searchsorted(signal.groups, [first, last + 1]))
        predicted[chosen] = line(signal.t_us[chosen].astype(np.float64))
    return predicted


def _matched_again(
    rough: RoughMatch, spans: list[tuple[int, int]], lines: list[BrokenLine], tolerance: float
) -> Matches:
    reading = rough.reading
    predicted = _predicted(rough, spans, lines)
    return in_order(match_edges(predicted, reading.signal.levels, reading.times_us, reading.levels, tolerance))


def _final(
    rough: RoughMatch, matches: Matches, span: tuple[int, int], noise: float, resolution: float
) -> tuple[Stretch | None, Flags, Floats]:
    """Fit one span again; it begins and ends with a group that fits, so that a step never lies within it."""
    groups = rough.reading.signal.groups[matches.expected]
    inside = (groups >= span[0]) & (groups <= span[1])
    anchors = _anchors(rough, Matches(matches.expected[inside], matches.recorded[inside]))
    if len(anchors) < FEWEST:
        return None, inside, np.empty(0)
    line = fit_broken_line(anchors, noise, resolution)
    inside &= (groups >= anchors.groups[0]) & (groups <= anchors.groups[-1])
    t_us = rough.reading.signal.t_us[matches.expected[inside]]
    deviation = anchors.offset_us + anchors.rate * anchors.t_us - line(anchors.t_us)
    return Stretch(float(t_us[0]), float(t_us[-1]), line), inside, deviation


def _residuals(rough: RoughMatch, matches: Matches, stretches: list[Stretch]) -> Floats:
    t_us = rough.reading.signal.t_us[matches.expected].astype(np.float64)
    other_us = rough.reading.times_us[matches.recorded]
    residuals = np.full(len(t_us), np.nan)
    for stretch in stretches:
        chosen = (t_us >= stretch.from_us) & (t_us <= stretch.to_us)
        residuals[chosen] = other_us[chosen] - stretch.line(t_us[chosen])
    return residuals
