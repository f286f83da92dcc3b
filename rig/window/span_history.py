"""The spans of one channel in bounded memory: the newest as they were, older ones merged with their neighbors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Spans: TypeAlias = NDArray[np.int64]
"""Three rows: the starts, the ends, and how long the channel was on between, all in microseconds."""

MAX_SPANS = 1 << 14
"""The most spans of one channel. At one screen's width of some thousand pixels far fewer can be told apart."""


def spans_of(starts: Sequence[int], ends: Sequence[int]) -> Spans:
    """Return spans during which a channel was on all the time; a span without length gets one microsecond."""
    begun = np.array(starts, dtype=np.int64)
    ended = np.maximum(np.array(ends, dtype=np.int64), begun + 1)
    return np.stack((begun, ended, ended - begun))


class SpanHistory:
    """The spans of one channel, in their order, which do not overlap.

    When ``most`` are held, those of the older half that lie closest together are merged. A merged span keeps how long
    its channel was on, so that its share of the time stays true.
    """

    def __init__(self, most: int = MAX_SPANS) -> None:
        self._most = most
        self._spans: Spans = np.empty((3, 64), dtype=np.int64)
        self._count = 0

    @property
    def spans(self) -> Spans:
        """Return all spans; what is added later does not change them."""
        return self._spans[:, : self._count]

    def add(self, spans: Spans) -> None:
        """Add spans that begin behind all others."""
        for first in range(0, spans.shape[1], self._most // 2):
            self._append(spans[:, first : first + self._most // 2])

    def _append(self, spans: Spans) -> None:
        more = spans.shape[1]
        while self._count + more > self._most:
            self._merge()
        if self._count + more > self._spans.shape[1]:
            wider = np.empty((3, min(self._most, 2 * (self._count + more))), dtype=np.int64)
            wider[:, : self._count] = self.spans
            self._spans = wider
        self._spans[:, self._count : self._count + more] = spans
        self._count += more

    def _merge(self) -> None:
        half = max(2, self._count // 2)
        starts, ends, on_us = self._spans[:, :half]
        gaps = starts[1:] - ends[:-1]
        first = np.flatnonzero(np.r_[True, gaps > np.median(gaps)])
        last = np.r_[first[1:] - 1, half - 1]
        merged = np.stack((starts[first], ends[last], np.add.reduceat(on_us, first)))
        kept = np.concatenate((merged, self._spans[:, half : self._count]), axis=1)
        self._count = kept.shape[1]
        # Another array: a picture that is frozen still draws from the old one.
        self._spans = np.empty_like(self._spans)
        self._spans[:, : self._count] = kept


def coverage(spans: Spans, edges_us: Floats) -> Floats:
    """Return for each step between two edges the share of it, from 0 to 1, in which a channel was on.

    ``edges_us`` are increasing times. The cost is that of the spans within them.
    """
    starts, ends, on_us = spans
    part = slice(np.searchsorted(ends, edges_us[0]), np.searchsorted(starts, edges_us[-1], side="right"))
    if part.start >= part.stop:
        return np.zeros(len(edges_us) - 1)
    knots = spans[:2, part].T.ravel()
    total_us = np.cumsum(on_us[part])
    until_us = np.stack((total_us - on_us[part], total_us), axis=1).ravel()
    shares: Floats = np.diff(np.interp(edges_us, knots, until_us)) / np.diff(edges_us)
    return shares
