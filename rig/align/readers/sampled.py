"""Find the edges of a sampled signal, block by block, so that a long recording fits in memory."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from rig.align.arrays import Flags, Integers, Levels
from rig.align.recording import MAX_EDGES, Recording
from rig.core.errors import RecordError

BLOCK = 1 << 22
"""Samples of one block."""


def edges_of_samples(blocks: Iterable[Flags], rate_hz: float, start_s: float, notes: tuple[str, ...] = ()) -> Recording:
    """Return the edges of a signal that is given as the levels of its samples; an edge is at the first new sample.

    Raises ``RecordError`` for more edges than can be aligned.
    """
    places: list[Integers] = []
    levels: list[Levels] = []
    seen, count = 0, 0
    last: Flags | None = None
    for block in blocks:
        before = block[:1] if last is None else last
        changed = np.flatnonzero(block != np.concatenate([before, block[:-1]]))
        places.append(changed + seen)
        levels.append(block[changed].astype(np.int8))
        seen += len(block)
        count += len(changed)
        last = block[-1:] if len(block) else last
        if count > MAX_EDGES:
            raise RecordError(f"the signal has more than {MAX_EDGES} edges: check the channel and its noise")
    samples = np.concatenate([*places, np.empty(0, np.int64)])
    all_levels = np.concatenate([*levels, np.empty(0, np.int8)])
    return Recording(start_s + samples / rate_hz, all_levels, resolution_s=1 / rate_hz, notes=notes)
