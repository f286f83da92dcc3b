"""Match the expected edges with the recorded ones, given about where each should be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rig.align.arrays import Floats, Levels, Places


@dataclass(frozen=True)
class Matches:
    """Pairs of edges, in the order of the session: the place of each in the signal and in the recording."""

    expected: Places
    recorded: Places


def match_edges(
    predicted_us: Floats, wanted: Levels | None, times_us: Floats, levels: Levels | None, tolerance_us: float
) -> Matches:
    """Return the pairs of edges that are nearest to each other, at most ``tolerance_us`` apart, and of one level.

    ``predicted_us`` is NaN for an edge that is not to be matched. Without levels, the time alone decides.
    """
    if wanted is None or levels is None:
        return _nearest(predicted_us, times_us, tolerance_us)
    parts = []
    for level in (0, 1):
        ours, theirs = np.flatnonzero(wanted == level), np.flatnonzero(levels == level)
        part = _nearest(predicted_us[ours], times_us[theirs], tolerance_us)
        parts.append((ours[part.expected], theirs[part.recorded]))
    expected = np.concatenate([ours for ours, _ in parts])
    order = np.argsort(expected)
    return Matches(expected[order], np.concatenate([theirs for _, theirs in parts])[order])


def _nearest(predicted_us: Floats, times_us: Floats, tolerance_us: float) -> Matches:
    known = np.flatnonzero(np.isfinite(predicted_us))
    if not len(times_us) or not len(known):
        return Matches(np.empty(0, np.intp), np.empty(0, np.intp))
    wanted = predicted_us[known]
    after = np.clip(np.searchsorted(times_us, wanted), 0, len(times_us) - 1)
    before = np.clip(after - 1, 0, None)
    nearer = np.where(np.abs(times_us[before] - wanted) <= np.abs(times_us[after] - wanted), before, after)
    apart = np.abs(times_us[nearer] - wanted)
    kept = np.flatnonzero(apart <= tolerance_us)
    # Of two expected edges that want the same recorded one, the nearer one has it.
    order = kept[np.lexsort((apart[kept], nearer[kept]))]
    first = np.diff(nearer[order], prepend=-1) != 0
    chosen = np.sort(order[first])
    return Matches(known[chosen], nearer[chosen])


def in_order(matches: Matches) -> Matches:
    """Return the pairs without those that would run backward on the recording's side."""
    if not len(matches.recorded):
        return matches
    ahead = np.maximum.accumulate(matches.recorded)
    behind = np.minimum.accumulate(matches.recorded[::-1])[::-1]
    kept = (matches.recorded == ahead) & (matches.recorded == behind)
    return Matches(matches.expected[kept], matches.recorded[kept])
