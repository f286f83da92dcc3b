"""Fingerprints of codes: the places of the edges of one code, as bits of a number.

An edge at the place of bit *k* sets bit *k*. The polarity of the recording does not change a fingerprint, and neither
does a missing level column. A recording with only one kind of edges has the fingerprints of these edges.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.align.anchors import resolution_s
from rig.align.arrays import Flags, Floats, Integers, Places
from rig.align.signal import Signal

OFF_GRID = 0.3
"""An edge farther from the place of a bit, in bits, is no edge of a code."""
_COARSE, _OFF_COARSE_GRID = 0.25, 0.49
"""A recording with fewer than four samples in a bit, such as a film, places its edges farther from the bits."""
MAX_RATE_ERROR = 0.015
"""How much faster or slower the other clock may run. A ceramic resonator is within 0.5 % of its nominal frequency, over
temperature and age (Murata, CERALOCK application manual), and two clocks differ by the errors of both."""
_MOST_BITS_APART = 6.5
_FEWEST_INTERVALS = 8


def clock_rate(times_us: Floats, bit_us: float) -> float:
    """Return how fast a recording's clock runs against the session's, by the intervals between neighboring edges.

    They are whole numbers of bits. It is 1 if too few intervals are short enough to tell, or samples are too coarse.
    """
    if off_grid(times_us, bit_us) != OFF_GRID:
        return 1.0
    bits = np.diff(times_us) / bit_us
    whole = np.rint(bits)
    usable = (bits < _MOST_BITS_APART) & (whole >= 1) & (np.abs(bits - whole) < OFF_GRID)
    if usable.sum() < _FEWEST_INTERVALS:
        return 1.0
    # The sums, because coarse sampling gives most intervals the same length.
    rate = float(np.sum(bits[usable]) / np.sum(whole[usable]))
    return rate if abs(rate - 1) <= MAX_RATE_ERROR else 1.0


def off_grid(times_us: Floats, bit_us: float) -> float:
    """Return how far the edges of a recording may be from the places of bits, in bits."""
    return _OFF_COARSE_GRID if resolution_s(times_us / 1e6, bit_us / 1e6) * 1e6 > _COARSE * bit_us else OFF_GRID


def fingerprints(
    times_us: Floats, bit_us: float, code_bits: int, most_off: float = OFF_GRID
) -> tuple[NDArray[np.uint64], Flags]:
    """Return what a code that began at each edge would have as its fingerprint, and whether it can be one at all.

    It cannot if an edge within it is off the grid of bits, or if two edges are at one place.
    """
    count = len(times_us)
    marks = np.ones(count, dtype=np.uint64)
    good = np.ones(count, dtype=np.bool_)
    for ahead in range(1, min(count, code_bits + 3)):
        bits = (times_us[ahead:] - times_us[:-ahead]) / bit_us
        places = np.rint(bits)
        inside = np.flatnonzero(places <= code_bits)
        if not len(inside):
            break
        bit = np.left_shift(np.uint64(1), places[inside].astype(np.uint64))
        good[inside] &= (marks[inside] & bit == 0) & (np.abs(bits[inside] - places[inside]) < most_off)
        marks[inside] |= bit
    return marks, good


def first_edges(groups: Integers) -> Places:
    """Return the place of the first edge of every group."""
    return np.flatnonzero(np.diff(groups, prepend=groups[:1] - 1))


def code_pairs(signal: Signal, times_us: Floats, rate: float, most: int) -> tuple[Places, Places] | None:
    """Return all pairs of an expected code and a recorded edge that have the same fingerprint, by the recorded time.

    A code is given by its first edge. None if there are more than ``most``.
    """
    starts = first_edges(signal.groups)
    expected, sound = fingerprints(signal.t_us.astype(np.float64), signal.bit_us, signal.code_bits)
    starts = starts[sound[starts]]
    order = np.argsort(expected[starts], kind="stable")
    starts, sorted_marks = starts[order], expected[starts[order]]
    most_off = off_grid(times_us, signal.bit_us)
    found, good = fingerprints(times_us, signal.bit_us * rate, signal.code_bits, most_off)
    low = np.searchsorted(sorted_marks, found, side="left")
    count = np.where(good, np.searchsorted(sorted_marks, found, side="right") - low, 0)
    total = int(count.sum())
    if total > most:
        return None
    recorded = np.repeat(np.arange(len(found)), count)
    within = np.arange(total) - np.repeat(np.cumsum(count) - count, count)
    return starts[np.repeat(low, count) + within], recorded
