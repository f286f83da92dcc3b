"""What the search for a match hands on to the fit: pairs of edges that belong together, and how they were found."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rig.align.arrays import Floats, Levels, Places
from rig.align.match import Matches
from rig.align.signal import Signal

BOTH, RISING, FALLING = "both", "rising", "falling"
_RARE = 0.1
"""A level with a smaller share of the edges is noise beside a recording of the other level."""


@dataclass(frozen=True)
class Reading:
    """One way to read a recording: which edges of the signal it has, and its edges as they are compared with them.

    ``times_us`` is in microseconds of the other clock since its first edge. ``levels`` is None if the recording has
    none, or only one. ``places`` are those of the edges in the recording.
    """

    edges: str
    signal: Signal
    times_us: Floats
    levels: Levels | None
    places: Places
    inverted: bool = False

    def turned(self) -> Reading:
        """Return the same reading of an inverted recording."""
        return replace(self, levels=None if self.levels is None else (1 - self.levels).astype(np.int8), inverted=True)


@dataclass(frozen=True)
class RoughMatch:
    """The pairs of edges of a reading, and how fast the other clock runs about."""

    reading: Reading
    matches: Matches
    rate: float
    how: str


def readings(signal: Signal, times_us: Floats, levels: Levels | None) -> list[Reading]:
    """Return the ways in which a recording can be read."""
    all_places = np.arange(len(times_us))
    both = Reading(BOTH, signal, times_us, levels, all_places)
    single = [(RISING, signal.of_level(1)), (FALLING, signal.of_level(0))]
    if levels is None:
        return [both, *(Reading(edges, part, times_us, None, all_places) for edges, part in single)]
    share = float(np.mean(levels))
    if _RARE <= share <= 1 - _RARE:
        return [both]
    usual = np.flatnonzero(levels == (1 if share > 0.5 else 0))
    found = [Reading(edges, part, times_us[usual], None, usual) for edges, part in single]
    return found if share > 0.5 else found[::-1]
