"""Keep the rows of a recording in which the level changes, where it has a row for each frame or sample."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rig.align.recording import Recording
from rig.align.refusal import NotAlignedError
from rig.align.signal import Signal
from rig.terminal.format import pluralize

_LONGEST_SAMPLE = 0.75
"""So many bits of a code may lie between two rows."""
_EVEN = 0.9
"""If fewer intervals between rows than this share are alike, the rows are no samples."""
_REPEATED = 0.25
"""If more rows than this share repeat the level, the rows are samples; else they are edges, and some are lost."""


def only_changes(recording: Recording, signal: Signal) -> Recording:
    """Return the edges of a recording whose rows are samples of a level; any other one as it is.

    The first row is no edge: nothing is known of the level before it. Raises ``NotAlignedError`` if the rows are too
    far apart to show the signal.
    """
    levels = recording.levels
    if levels is None or len(levels) < 3 or levels.min() == levels.max():
        return recording
    changes = np.diff(levels) != 0
    if np.mean(~changes) <= _REPEATED:
        return recording
    kept = np.append(False, changes)
    between = np.diff(recording.times_s)
    between_s = float(np.median(between[changes]))
    if between_s * 1e6 > _LONGEST_SAMPLE * signal.bit_us:
        if np.mean(np.abs(between - between_s) < between_s / 2) < _EVEN:
            return recording
        raise NotAlignedError(
            f"its rows are {between_s * 1000:.3g} ms apart, and the shortest pulses of the signal last "
            f"{signal.bit_us / 1000:g} ms: they do not show them all",
            "Record the signal with more rows in a second, or give the signal longer bits",
        )
    note = f"{pluralize(int((~kept).sum()), 'row')} repeat the level of the row before: only changes are edges"
    return replace(
        recording,
        times_s=recording.times_s[kept],
        levels=levels[kept],
        resolution_s=recording.resolution_s or between_s,
        numbers=None if recording.numbers is None else recording.numbers[kept],
        notes=(*recording.notes, note),
    )
