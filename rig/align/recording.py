"""The edges that another system has recorded, as a reader of its files gives them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rig.align.arrays import Floats, Integers, Levels
from rig.core.errors import RecordError
from rig.terminal.format import pluralize

MAX_EDGES = 20_000_000
"""Maximum of edges in one recording: 160 MB of times; a camera at 500 frames/s makes 86 million in a day."""


@dataclass(frozen=True)
class Recording:
    """Edges in the order of the file: ``times_s`` in seconds of the other clock, and their levels, if it has them.

    ``resolution_s`` is the period of its sampling, 0 if the file does not say it. ``numbers`` are those of a camera's
    frames. ``hint`` is what may be wrong if the recording cannot be aligned.
    """

    times_s: Floats
    levels: Levels | None
    resolution_s: float = 0.0
    numbers: Integers | None = None
    notes: tuple[str, ...] = ()
    hint: str = ""

    def part(self, first: int, last: int) -> Recording:
        """Return the edges ``first`` to ``last`` of the file, counted from 1, both included."""
        chosen = slice(first - 1, last)
        return replace(
            self,
            times_s=self.times_s[chosen],
            levels=None if self.levels is None else self.levels[chosen],
            numbers=None if self.numbers is None else self.numbers[chosen],
        )

    def between(self, from_s: float, to_s: float) -> Recording:
        """Return the edges from one time of the other clock to another, both included."""
        kept = (self.times_s >= from_s) & (self.times_s <= to_s)
        return replace(
            self,
            times_s=self.times_s[kept],
            levels=None if self.levels is None else self.levels[kept],
            numbers=None if self.numbers is None else self.numbers[kept],
        )


def checked(recording: Recording) -> Recording:
    """Return a recording without edges that are in it twice. Raises ``RecordError`` if its times are not in order."""
    times = recording.times_s
    if not len(times):
        raise RecordError("there are no edges in it")
    if len(times) > MAX_EDGES:
        raise RecordError(f"there are {len(times)} edges in it, and {MAX_EDGES} at most can be aligned: give a part")
    if not np.isfinite(times).all():
        bad = int(np.flatnonzero(~np.isfinite(times))[0]) + 1
        raise RecordError(
            f"edge {bad}: its time is no number ({pluralize(int((~np.isfinite(times)).sum()), 'such edge')})",
            "Give the edges that have times: --edges FIRST-LAST",
        )
    steps = np.diff(times)
    if (steps < 0).any():
        raise RecordError(*_backward_text(times, steps))
    twice = steps == 0
    if recording.levels is not None:
        twice &= np.diff(recording.levels) == 0
    if not twice.any():
        return recording
    kept = np.concatenate([[True], ~twice])
    return replace(
        recording,
        times_s=times[kept],
        levels=None if recording.levels is None else recording.levels[kept],
        numbers=None if recording.numbers is None else recording.numbers[kept],
        notes=(*recording.notes, f"in the file twice, and counted once: {pluralize(int(twice.sum()), 'edge')}"),
    )


def _backward_text(times: Floats, steps: Floats) -> tuple[str, ...]:
    places = np.flatnonzero(steps < 0)
    at = int(places[0])
    text = (
        f"edge {at + 2}: its time, {times[at + 1]:.6f} s, is before that of edge {at + 1}, {times[at]:.6f} s: "
        "the other clock was started again or set back, or the edges are not in order"
    )
    if len(places) > 1:
        return f"{text} ({len(places)} such places)", "A clock that begins again at 0 every S seconds needs --wrap S"
    return text, f"Align each part by itself: --edges 1-{at + 1}, and --edges {at + 2}-{len(times)} with another --name"
