"""By how many periods one train of pulses is shifted against another one: the only possible number, or none.

A shift is possible if the session sent a pulse wherever one was recorded. More than one possible shift is refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rig.align.refusal import NotAlignedError
from rig.align.trains import Train

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

MOST_MISSES = 2e-3
"""Share of the recorded pulses that may have no counterpart: disturbances in time with the pulses, by chance."""
MOST_NEAR = 0.3
"""``--near`` decides for the shift that is less than so many periods away; the next one is twice as far."""
_MOST_PERIODS = 1 << 23
"""Longest trains that are compared: 11 hours at 200 Hz. The comparison takes 64 bytes for each period."""


def shift_of(
    expected: Train, recorded: Train, t_us: Floats, times_us: Floats, near_us: float | None, help_text: str
) -> int:
    """Return by how many periods the recorded counts must be shifted.

    ``t_us`` and ``times_us`` are the edges of both sides. ``help_text`` is the option that decides where several shifts
    are possible. Raises ``NotAlignedError``.
    """
    if near_us is not None:
        return _nearest(expected, recorded, t_us, times_us, near_us)
    shifts, hits = _hits(expected.counts, recorded.counts)
    best = int(hits.max())
    misses = len(recorded.counts) - best
    if misses > MOST_MISSES * len(recorded.counts):
        raise NotAlignedError(
            f"{misses} of {len(recorded.counts)} recorded pulses have no counterpart in the session, however they are "
            "placed: the recording is another session's, or has more than this one",
            "Give the part to align with --from and --to",
        )
    possible = shifts[hits == best]
    if len(possible) > 1:
        raise NotAlignedError(
            f"{len(possible)} alignments fit: the recording has {len(recorded.counts)} pulses of "
            f"{len(expected.counts)}, and equal pulses do not say which ones",
            f"Say which: {help_text}",
        )
    return int(possible[0])


def _hits(expected: Integers, recorded: Integers) -> tuple[Integers, Integers]:
    """Return all shifts, and for each how many recorded pulses meet an expected one: by a Fourier transform."""
    size = int(expected[-1]) + int(recorded[-1]) + 1
    if size > _MOST_PERIODS:
        raise NotAlignedError(f"the pulses span {size} periods, and {_MOST_PERIODS} at most can be compared")
    ours, theirs = np.zeros(size), np.zeros(size)
    ours[expected] = 1
    theirs[recorded[-1] - recorded] = 1
    product = np.fft.irfft(np.fft.rfft(ours, 2 * size) * np.fft.rfft(theirs, 2 * size), 2 * size)[:size]
    return np.arange(size) - recorded[-1], np.rint(product).astype(np.int64)


def _nearest(expected: Train, recorded: Train, t_us: Floats, times_us: Floats, near_us: float) -> int:
    """Return the shift for which the session's zero is nearest to where it should be. Raises ``NotAlignedError``."""
    rate = recorded.period_us / expected.period_us
    first_us = times_us[recorded.places[0]]
    periods = ((first_us - near_us) / rate - t_us[expected.places[0]]) / expected.period_us
    shift = round(float(periods))
    if abs(periods - shift) > MOST_NEAR:
        raise NotAlignedError(
            f"--near: the pulses lie {abs(periods - shift):.2f} periods beside it, halfway between two alignments",
            "Give a time that is nearer to one of them",
        )
    return shift
