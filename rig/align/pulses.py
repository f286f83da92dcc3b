"""Find equal pulses, such as those of a square or of a camera, in a recording: by their number, their ends and gaps.

Equal pulses carry no number. Each is given the count of periods since the first one, on either side. A shift by a whole
number of periods then leads from one count to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rig.align.anchors import NORMAL_MAD
from rig.align.arrays import Floats
from rig.align.match import Matches, in_order, match_edges
from rig.align.refusal import NotAlignedError
from rig.align.rough_match import BOTH, FALLING, Reading, RoughMatch
from rig.align.shift import (
    MOST_MISSES,
    MOST_NEAR,
    halfway_text,
    nearest_shift,
    possible_shifts,
    several_text,
)
from rig.align.trains import Train, running_median, train_of

_MOST_CANDIDATES = 8
_FEWEST_MORE = 2
"""So many more edges must fit: an end that was lost, or one disturbance, makes one edge of difference."""
_IN_TIME_US = 1000.0


@dataclass(frozen=True)
class _Candidate:
    """One way to place a recording: how it is read, and by how many periods it is shifted."""

    reading: Reading
    expected: Train
    recorded: Train
    shift: int


def match_pulses(candidates: Sequence[Reading], near_us: float | None) -> RoughMatch:
    """Return the pairs of edges of a recording and of the equal pulses of a session.

    ``near_us`` is where the other clock has the session's zero. A recording may be inverted, which looks like half a
    period more. Raises ``NotAlignedError``.
    """
    trains = [(reading, *_trains(reading)) for reading in _polarities(candidates)]
    if near_us is not None:
        return _match(_nearest(trains, near_us))
    found: list[_Candidate] = []
    refusal: NotAlignedError | None = None
    for reading, expected, recorded in trains:
        try:
            shifts = possible_shifts(expected, recorded).tolist()
            found += [_Candidate(reading, expected, recorded, shift) for shift in shifts]
        except NotAlignedError as error:
            refusal = refusal or error
    if refusal is not None and not found:
        raise refusal
    matches = [_match(candidate) for candidate in found] if len(found) <= _MOST_CANDIDATES else []
    sizes = [_in_time(match) for match in matches]
    best = [match for match, size in zip(matches, sizes, strict=True) if size > max(sizes) - _FEWEST_MORE]
    if len(best) != 1:
        _, expected, recorded = trains[0]
        near = f"--near SECONDS, the other clock at the session's zero, to {MOST_NEAR * expected.period_us / 1e6:g} s"
        counts = (len(best) or len(found), len(recorded.counts), len(expected.counts))
        raise NotAlignedError(*several_text(*counts, near))
    return best[0]


def _polarities(candidates: Sequence[Reading]) -> list[Reading]:
    """Return how the recording may be read: as it is, or inverted. Raises ``NotAlignedError`` without levels."""
    first = candidates[0]
    if first.levels is not None:
        return [first, first.turned()]
    single = [reading for reading in candidates if reading.edges != BOTH]
    times_us = first.times_us
    if len(times_us) > 1 and float(np.median(np.diff(times_us))) < 0.75 * first.signal.period_us:
        raise NotAlignedError(
            "the recording has two edges in each period, and does not say which ones are rising",
            "Name the column of the levels: --level COLUMN",
        )
    return single


def _trains(reading: Reading) -> tuple[Train, Train]:
    """Return the pulses that were sent and those that were recorded, by their rising edges if there are both kinds."""
    sent = np.flatnonzero(reading.signal.levels == (0 if reading.edges == FALLING else 1))
    seen = np.arange(len(reading.times_us)) if reading.levels is None else np.flatnonzero(reading.levels == 1)
    return train_of(reading.signal.t_us[sent].astype(np.float64), sent), train_of(reading.times_us[seen], seen)


def _nearest(trains: Sequence[tuple[Reading, Train, Train]], near_us: float) -> _Candidate:
    nearest = []
    for reading, expected, recorded in trains:
        t_us = reading.signal.t_us.astype(np.float64)
        shift, apart = nearest_shift(expected, recorded, t_us, reading.times_us, near_us)
        nearest.append((abs(apart), _Candidate(reading, expected, recorded, shift)))
    apart, candidate = min(nearest, key=lambda each: each[0])
    if apart > MOST_NEAR:
        raise NotAlignedError(*halfway_text(apart))
    return candidate


def _match(candidate: _Candidate) -> RoughMatch:
    pairs = _paired(candidate.expected, candidate.recorded, candidate.shift)
    rate = candidate.recorded.period_us / candidate.expected.period_us
    times = candidate.reading.signal.t_us.astype(np.float64)
    matches = _all_edges(candidate.reading, pairs, times, rate)
    return RoughMatch(candidate.reading, matches, rate, f"{len(pairs.expected)} pulses")


def _in_time(match: RoughMatch) -> int:
    """Return how many edges are where the others place them; disturbances near a lost edge are not."""
    t_us = match.reading.signal.t_us[match.matches.expected].astype(np.float64)
    offset = match.reading.times_us[match.matches.recorded] - match.rate * t_us
    beside = np.abs(offset - running_median(offset))
    return int(np.sum(beside <= max(_IN_TIME_US, 8 * NORMAL_MAD * float(np.median(beside)))))


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
