"""Find the edges of a signal of two levels with noise, slow edges, artifacts and missing samples.

The two levels are those between which the signal changes and at which it stays: artifacts and noise do not count.
A level is taken as reached within a third of their distance (hysteresis, as in a Schmitt trigger), so that noise on a
slow edge makes no further edges. The time of an edge is that of the last crossing of the middle before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from rig.align.arrays import Flags, Floats, Integers, Levels
from rig.align.recording import MAX_EDGES
from rig.core.errors import RecordError
from rig.terminal.format import pluralize

_MAX_SAMPLED = 1_000_000
"""So many samples, evenly spread, show the levels of a signal."""
_PIECE = 4096
_MAX_SPLITS = 60
_MAX_ROUNDS = 20
_FEWEST_CHANGES = 20
"""Five codes have more; an amplifier that was saturated a few times has fewer."""
_FEWEST = 3
_MOST_BETWEEN = 0.5
"""Samples between two levels, for each one at the rarer of them. Slow edges have some, a ramp or noise as many."""
_SHORTEST = 1.5
"""Samples at the rarer level for each change: a level lasts, while noise and artifacts change at once."""
_SLOW_SAMPLES = 3


@dataclass(frozen=True)
class SignalEdges:
    """The samples at which a signal changed, from 0, and the levels after them; ``notes`` say what to look at.

    ``first`` is the level of the first samples, None if they are no numbers.
    """

    places: Integers
    levels: Levels
    first: int | None
    notes: tuple[str, ...]


def signal_edges(blocks: Callable[[], Iterable[Floats]], count: int) -> SignalEdges | None:
    """Return the edges of a signal of ``count`` samples, whose blocks are read twice; None for one with one value.

    Raises ``RecordError`` for a signal that is not at two levels, and for more edges than can be aligned.
    """
    sample = _spread_sample(blocks(), max(1, count // _MAX_SAMPLED))
    if not len(sample):
        raise RecordError("none of its values is a number")
    if sample.min() == sample.max():
        return None
    low, high = _two_levels(sample)
    search = _Search(low, high)
    for block in blocks():
        search.add(block)
    return search.edges()


def _spread_sample(blocks: Iterable[Floats], every: int) -> Floats:
    """Return every n-th piece of a signal. Within a piece all samples stay: their steps tell a level from noise."""
    parts = [np.empty(0)]
    seen = 0
    for block in blocks:
        parts.append(block[(np.arange(seen, seen + len(block)) // _PIECE) % every == 0])
        seen += len(block)
    sample = np.concatenate(parts)
    return np.asarray(sample[np.isfinite(sample)], np.float64)


@dataclass(frozen=True)
class _Split:
    """Two levels, how often a signal changes between them, and whether it stays at them."""

    low: float
    high: float
    changes: int
    is_likely: bool


def _two_levels(sample: Floats) -> tuple[float, float]:
    """Return the levels between which a signal changes, of samples in order. Raises ``RecordError`` without two.

    The range of the values is split in its middle, again and again, each time without the smaller part: first without
    artifacts, which are rare and far away, then without one of the levels, down to the noise.
    """
    values = np.sort(sample)
    if values[0] < values[-1] and np.isin(sample, values[[0, -1]]).all():
        return float(values[0]), float(values[-1])
    splits = []
    first, last = 0, len(values)
    for _ in range(_MAX_SPLITS):
        # Halves before they are added: the sum of two large numbers may be too large.
        middle = int(np.searchsorted(values, values[first] / 2 + values[last - 1] / 2, side="right"))
        split = _split(sample, *_medians(values[first:last], middle - first))
        splits += [split] if split.is_likely else []
        first, last = (middle, last) if last - middle > middle - first else (first, middle)
        if not values[first] < values[last - 1]:
            break
    if not splits:
        raise RecordError(
            f"its values, {values[0]:g} to {values[-1]:g}, do not stay at two levels: it is no digital signal, "
            "its noise is too large, or its samples are too few"
        )
    # The widest split comes first: hum and drift also change between two values, but nearer ones.
    often = [split for split in splits if split.changes >= _FEWEST_CHANGES]
    best = often[0] if often else max(splits, key=lambda split: split.changes)
    return best.low, best.high


def _medians(values: Floats, middle: int) -> tuple[float, float]:
    """Return the medians of the lower and the upper part of sorted values, divided halfway between these medians."""
    for _ in range(_MAX_ROUNDS):
        low, high = float(np.median(values[:middle])), float(np.median(values[middle:]))
        before, middle = middle, int(np.searchsorted(values, low / 2 + high / 2, side="right"))
        if middle == before:
            break
    return low, high


def _split(sample: Floats, low: float, high: float) -> _Split:
    third = high / 3 - low / 3
    is_low, is_high = sample < low + third, sample > high - third
    decided = is_high[is_low | is_high]
    changes = int((decided[1:] != decided[:-1]).sum())
    fewer = min(int(is_low.sum()), int(is_high.sum()))
    between = len(sample) - len(decided)
    likely = changes >= _FEWEST and between <= _MOST_BETWEEN * fewer and fewer >= _SHORTEST * changes
    return _Split(low, high, changes, likely)


class _Search:
    """The search for edges, block by block; places are those in the whole signal."""

    def __init__(self, low: float, high: float) -> None:
        self.middle = low / 2 + high / 2
        self.low_below, self.high_above = low + (high - low) / 3, high - (high - low) / 3
        self.least, self.most = low - (high - low), high + (high - low)
        self.seen = 0
        self.level = -1  # not known yet
        self.first: int | None = None
        self.last_low = self.last_high = self.last_bad = -1
        self.bad = 0
        self.left_out = 0
        self.places: list[Integers] = []
        self.levels: list[Levels] = []
        self.widths: list[Integers] = []

    def add(self, block: Floats) -> None:
        """Handle one block; values that are no numbers, or far from both levels, keep the level before them."""
        if not len(block):
            return
        at = np.arange(len(block))
        is_bad = ~((block >= self.least) & (block <= self.most))
        reached = np.where(block > self.high_above, 1, np.where(block < self.low_below, 0, -1))
        reached[is_bad] = -1
        decided = np.maximum.accumulate(np.where(reached >= 0, at, -1))
        levels = np.where(decided >= 0, reached[np.maximum(decided, 0)], self.level)
        before = np.concatenate([[self.level], levels[:-1]])
        changed = np.flatnonzero((levels != before) & (before >= 0))
        low, high, bad = (
            _latest(flags, self.seen, last)
            for flags, last in (
                ((block <= self.middle) & ~is_bad, self.last_low),
                ((block >= self.middle) & ~is_bad, self.last_high),
                (is_bad, self.last_bad),
            )
        )
        places = np.where(levels[changed] == 1, low[changed], high[changed]) + 1
        # Where values are missing right before a change, its time is not known.
        known = bad[changed] < places
        self.left_out += int((~known).sum())
        self.places.append(places[known])
        self.levels.append(levels[changed][known].astype(np.int8))
        self.widths.append((changed - decided[np.maximum(changed - 1, 0)])[known])
        if self.first is None and (levels >= 0).any():
            self.first = int(levels[np.argmax(levels >= 0)])
        self.level = int(levels[-1])
        self.last_low, self.last_high, self.last_bad = int(low[-1]), int(high[-1]), int(bad[-1])
        self.bad += int(is_bad.sum())
        self.seen += len(block)
        if sum(map(len, self.places)) > MAX_EDGES:
            raise RecordError(f"the signal has more than {MAX_EDGES} edges: check the channel and its noise")

    def edges(self) -> SignalEdges:
        """Return all edges."""
        notes = []
        if self.bad:
            left_out = f", and {pluralize(self.left_out, 'edge')} beside them left out" if self.left_out else ""
            notes.append(
                f"{pluralize(self.bad, 'value')} of the signal are no numbers, or far from both levels{left_out}"
            )
        widths = np.concatenate([*self.widths, np.empty(0, np.int64)])
        if len(widths) and float(np.median(widths)) > _SLOW_SAMPLES:
            notes.append(f"its edges are slow, about {np.median(widths):g} samples: their times may be late by as much")
        places = np.concatenate([*self.places, np.empty(0, np.int64)])
        return SignalEdges(places, np.concatenate([*self.levels, np.empty(0, np.int8)]), self.first, tuple(notes))


def _latest(flags: Flags, seen: int, before: int) -> Integers:
    """Return for each sample the place of the latest one with the flag, up to it."""
    places = np.where(flags, np.arange(seen, seen + len(flags)), before)
    return np.asarray(np.maximum.accumulate(places), np.int64)
