"""Find equal pulses, such as those of a square or of a camera, in a recording: by their number, their ends and gaps.

Equal pulses carry no number. Each is given the count of periods since the first one, on either side. A shift by a whole
number of periods then leads from one count to the other.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rig.align.match import Matches, in_order, match_edges
from rig.align.refusal import NotAlignedError
from rig.align.rough import BOTH, FALLING, RISING, Reading, RoughMatch
from rig.align.shift import MOST_MISSES, MOST_NEAR, shift_of
from rig.align.trains import Train, train_of

Floats = NDArray[np.float64]


def match_pulses(candidates: Sequence[Reading], near_us: float | None) -> RoughMatch:
    """Return the pairs of edges of a recording and of the equal pulses of a session.

    ``near_us`` is where the other clock has the session's zero. Raises ``NotAlignedError``.
    """
    reading = _chosen(candidates)
    signal = reading.signal
    sent = np.flatnonzero(signal.levels == (0 if reading.edges == FALLING else 1))
    seen = np.arange(len(reading.times_us)) if reading.levels is None else np.flatnonzero(reading.levels == 1)
    expected = train_of(signal.t_us[sent].astype(np.float64), sent)
    recorded = train_of(reading.times_us[seen], seen)
    rate = recorded.period_us / expected.period_us
    times = signal.t_us.astype(np.float64)
    nearest = f"--near SECONDS, the other clock at the session's zero, to {MOST_NEAR * expected.period_us / 1e6:g} s"
    shift = shift_of(expected, recorded, times, reading.times_us, near_us, nearest)
    pairs = _paired(expected, recorded, shift)
    return RoughMatch(reading, _all_edges(reading, pairs, times, rate), rate, f"{len(pairs.expected)} pulses")


def _chosen(candidates: Sequence[Reading]) -> Reading:
    """Return how the recording is read: without levels, the number of edges in a period decides."""
    if len(candidates) < 3:
        return candidates[0]
    period_us = float(np.median(np.diff(candidates[0].times_us))) if len(candidates[0].times_us) > 1 else 0.0
    wanted = RISING if period_us > 0.75 * candidates[0].signal.period_us else BOTH
    reading = next(each for each in candidates if each.edges == wanted)
    if wanted == RISING:
        return reading
    raise NotAlignedError(
        "the recording has two edges in each period, and does not say which ones are rising",
        "Name the column of the levels: --level COLUMN",
    )


def _paired(expected: Train, recorded: Train, shift: int) -> Matches:
    """Return the pairs of pulses that have the same count after a shift. Raises ``NotAlignedError`` if few do."""
    _, ours, theirs = np.intersect1d(expected.counts, recorded.counts + shift, assume_unique=True, return_indices=True)
    if len(ours) < (1 - MOST_MISSES) * len(recorded.counts) - 1:
        raise NotAlignedError(
            f"{len(recorded.counts) - len(ours)} of {len(recorded.counts)} recorded pulses have no counterpart there"
        )
    return Matches(expected.places[ours], recorded.places[theirs])


def _all_edges(reading: Reading, pairs: Matches, t_us: Floats, rate: float) -> Matches:
    """Return the pairs of all edges of a reading, given those of one kind."""
    offset = reading.times_us[pairs.recorded] - rate * t_us[pairs.expected]
    predicted = rate * t_us + np.interp(t_us, t_us[pairs.expected], offset)
    slack_us = reading.signal.period_us
    span = (t_us[pairs.expected[0]] - slack_us, t_us[pairs.expected[-1]] + slack_us)
    predicted[(t_us < span[0]) | (t_us > span[1])] = np.nan
    tolerance_us = 0.4 * min(reading.signal.bit_us, reading.signal.period_us - reading.signal.bit_us)
    return in_order(match_edges(predicted, reading.signal.levels, reading.times_us, reading.levels, tolerance_us))
