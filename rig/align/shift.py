"""By how many periods one train of pulses is shifted against another one: the only possible number, or none.

A shift is possible if the session sent a pulse wherever one was recorded. More than one possible shift is refused.
"""

from __future__ import annotations

import numpy as np

from rig.align.arrays import Floats, Integers
from rig.align.refusal import NotAlignedError
from rig.align.trains import Train

MOST_MISSES = 2e-3
"""Share of the recorded pulses that may have no counterpart: disturbances in time with the pulses, by chance."""
MOST_NEAR = 0.15
"""``--near`` decides for what is less than so many periods away. An inverted square is half a period from another."""
_MOST_PERIODS = 1 << 23
"""Longest trains that are compared: 11 hours at 200 Hz. The comparison takes 64 bytes for each period."""


class NoCounterpartError(NotAlignedError):
    """Too many recorded pulses have no counterpart."""


def check_misses(misses: int, recorded: int) -> None:
    """Check how many recorded pulses have no counterpart. Raises ``NoCounterpartError``."""
    if misses > MOST_MISSES * recorded:
        raise NoCounterpartError(
            f"{misses} of {recorded} recorded pulses have no counterpart in the session, however they are placed",
            "Possible causes: the recording is of another session, or of more than this one (choose a part with --from "
            "and --to); another signal is on the channel",
        )


def shift_of(
    expected: Train, recorded: Train, t_us: Floats, times_us: Floats, near_us: float | None, help_text: str
) -> int:
    """Return by how many periods the recorded counts must be shifted.

    ``t_us`` and ``times_us`` are the edges of both sides. ``near_us`` is where the other clock has the session's zero.
    ``help_text`` is the option that decides where several shifts are possible. Raises ``NotAlignedError``.
    """
    if near_us is not None:
        shift, apart = nearest_shift(expected, recorded, t_us, times_us, near_us)
        if abs(apart) > MOST_NEAR:
            raise NotAlignedError(*halfway_text(apart))
        return shift
    possible = possible_shifts(expected, recorded)
    if len(possible) > 1:
        raise NotAlignedError(*several_text(len(possible), len(recorded.counts), len(expected.counts), help_text))
    return int(possible[0])


def possible_shifts(expected: Train, recorded: Train) -> Integers:
    """Return the shifts with which the most recorded pulses meet an expected one. Raises ``NotAlignedError``."""
    shifts, hits = _hits(expected.counts, recorded.counts)
    check_misses(len(recorded.counts) - int(hits.max()), len(recorded.counts))
    return np.asarray(shifts[hits == hits.max()], np.int64)


def several_text(fitting: int, recorded: int, expected: int, help_text: str) -> tuple[str, str]:
    """Return why several alignments are refused, and what would decide."""
    text = f"{fitting} alignments fit: the recording has {recorded} pulses of {expected}"
    return f"{text}, and equal pulses do not say which ones", f"Say which: {help_text}"


def halfway_text(apart: float) -> tuple[str, str]:
    """Return why a time nearby is refused."""
    return (
        f"--near: the pulses lie {abs(apart):.2f} periods beside it, which leaves a choice",
        f"Give the time of the other clock at the session's zero to {MOST_NEAR:g} periods",
    )


def _hits(expected: Integers, recorded: Integers) -> tuple[Integers, Integers]:
    """Return all shifts, and for each how many recorded pulses meet an expected one.

    The counts are the cross-correlation of both trains as ones and zeros. By the convolution theorem it is a product of
    Fourier transforms: one pass instead of one for each shift.
    """
    size = int(expected[-1]) + int(recorded[-1]) + 1
    if size > _MOST_PERIODS:
        raise NotAlignedError(f"the pulses span {size} periods, and {_MOST_PERIODS} at most can be compared")
    ours, theirs = np.zeros(size), np.zeros(size)
    ours[expected] = 1
    theirs[recorded[-1] - recorded] = 1
    product = np.fft.irfft(np.fft.rfft(ours, 2 * size) * np.fft.rfft(theirs, 2 * size), 2 * size)[:size]
    return np.arange(size) - recorded[-1], np.rint(product).astype(np.int64)


def nearest_shift(
    expected: Train, recorded: Train, t_us: Floats, times_us: Floats, near_us: float
) -> tuple[int, float]:
    """Return the shift for which the session's zero is nearest to ``near_us``, and how many periods it is beside it."""
    rate = recorded.period_us / expected.period_us
    first_us = times_us[recorded.places[0]]
    periods = ((first_us - near_us) / rate - t_us[expected.places[0]]) / expected.period_us
    shift = round(float(periods))
    return shift, float(periods) - shift
