"""Number the frames of a camera whose exposures a session recorded: each row of the camera's file gets its edge.

The camera's own numbers decide, if it has some: they say which frames it dropped. Without numbers its times do, and
without times the number of frames must be that of the edges. What more than one numbering explains is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rig.align.arrays import Flags, Floats, Integers
from rig.align.recording import Recording
from rig.align.refusal import NotAlignedError
from rig.align.shift import NoCounterpartError, check_misses, shift_of
from rig.align.trains import Train, train_of_rows
from rig.align.wraps import count_numbers_on
from rig.core.errors import ConfigError, RecordError
from rig.core.model.events import Edge
from rig.records.journal.read import undamaged_lines

_MOST_BESIDE = 0.4
"""So many periods may neighboring frames and their edges differ in their distance; a frame more makes 1."""
_OTHER_RATE = (0.1, 0.9, 1.1, 10.0)
"""Between the first two, and the last two, the frames have another rate than the edges; beyond, another unit."""
_MOST_OUT_OF_STEP = 0.01
"""Share of the intervals between frames that may differ from what their numbers say, by half a period or more."""


@dataclass(frozen=True)
class Frames:
    """The frames of a camera's file: number, time of the session, and whether its edge was recorded.

    Without an edge, the time is that of the frames around it. ``dropped_us`` are the edges between the first and the
    last frame that no frame of the file belongs to.
    """

    numbers: Integers
    t_us: Floats
    measured: Flags
    dropped_us: Integers
    edges: int
    period_us: float
    how: str


def frame_edges(session: Path, channel: str) -> Integers:
    """Return when each exposure began: the rising edges of an input. Raises ``ConfigError`` if it has none."""
    rising: list[int] = []
    channels: set[str] = set()
    for line in undamaged_lines(session):
        if isinstance(line, Edge):
            channels.add(line.channel)
            if line.channel == channel and line.level:
                rising.append(line.t_us)
    if not rising:
        there = ", ".join(sorted(channels)) or "none"
        raise ConfigError(f"--frames {channel!r:.80}: has no edges in this session; inputs with edges: {there}")
    return np.array(sorted(rising), dtype=np.int64)


def number_frames(
    edges_us: Integers, recording: Recording, first_frame: int | None = None, near_s: float | None = None
) -> Frames:
    """Return the frames of a camera's file, each with its edge.

    ``first_frame`` is the number of the frame to which the first edge belongs. ``near_s`` is what the camera's clock
    showed at the session's zero, to less than 0.15 periods. Raises ``NotAlignedError`` if no numbering is certain.
    """
    expected = train_of_rows(edges_us.astype(np.float64))
    times_s = recording.times_s if len(recording.times_s) and np.isfinite(recording.times_s).all() else None
    numbers = _numbers(recording, times_s, first_frame)
    if numbers is not None:
        recorded, how = Train(np.arange(len(numbers)), numbers - numbers[0], 1.0), "by the camera's numbers"
    elif times_s is not None:
        recorded, how = train_of_rows(times_s * 1e6), "by the camera's times"
    else:
        raise RecordError("the file has neither numbers nor times of frames: name a column with --number or --time")
    rate = None if times_s is None or len(times_s) < 2 else _rate(times_s, numbers, expected.period_us)

    def placed(train: Train) -> Frames:
        shift = _shift(train, recorded, edges_us, recording, numbers, first_frame, near_s)
        return _numbered(edges_us, train, recorded, shift, numbers, len(recording.times_s), how)

    try:
        numbered, is_counted = placed(expected), numbers is not None
    except NoCounterpartError:
        # A camera that is triggered does not count in a pause: each edge is the next frame.
        if numbers is None or int(expected.counts[-1]) == len(edges_us) - 1:
            raise
        places = np.arange(len(edges_us), dtype=np.int64)
        numbered, is_counted = placed(Train(places, places, expected.period_us)), False
    if times_s is not None and rate is not None and not is_counted:
        _check_intervals(numbered, times_s * 1e6, rate)
    return numbered


def _numbers(recording: Recording, times_s: Floats | None, first_frame: int | None) -> Integers | None:
    """Return the numbers of the frames, None without them. Raises ``RecordError`` for rows out of order."""
    if not len(recording.times_s):
        raise RecordError("there are no frames in it: wanted a row for each")
    numbers = recording.numbers
    if numbers is not None:
        numbers = count_numbers_on(numbers, times_s)
    elif first_frame is not None:
        numbers = np.arange(len(recording.times_s), dtype=np.int64)
    if times_s is not None and (np.diff(times_s) <= 0).any():
        at = int(np.flatnonzero(np.diff(times_s) <= 0)[0]) + 2
        raise RecordError(
            f"row {at}: its time is not after that of the row before: wanted the rows of one recording, in order",
            "Give a part of the file with --edges FIRST-LAST; a clock that begins again at 0 needs --wrap S",
        )
    if numbers is not None:
        _check_numbers(numbers, times_s)
    return numbers


def _rate(times_s: Floats, numbers: Integers | None, period_us: float) -> float:
    """Return the interval of frames in those of edges: a frame for each edge. Raises ``NotAlignedError``."""
    steps = np.ones(len(times_s) - 1) if numbers is None else np.diff(numbers)
    rate = float(np.median(np.diff(times_s) / steps)) * 1e6 / period_us
    slowest, slow, fast, fastest = _OTHER_RATE
    if slowest < rate < slow or fast < rate < fastest:
        raise NotAlignedError(
            f"the frames are {rate * period_us / 1000:.3g} ms apart, and the edges {period_us / 1000:.3g} ms: wanted a "
            "frame for each edge",
            "Check the input of --frames, and the columns of --number and --time",
        )
    return rate


def _check_intervals(found: Frames, times_us: Floats, rate: float) -> None:
    """Check that the edges of neighboring frames are as far apart as the frames. Raises ``NotAlignedError``."""
    apart = np.abs(np.diff(times_us) / rate - np.diff(found.t_us)) / found.period_us
    if np.nanmax(apart, initial=0.0) > _MOST_BESIDE:
        at = int(np.nanargmax(apart)) + 1
        raise NotAlignedError(
            f"rows {at} and {at + 1}: the camera's times and the edges differ by {apart[at - 1]:.2f} frames: after a "
            "pause, or with uneven times, the times do not say which frame is which",
            "Give the camera's numbers with --number COLUMN, or a part of the file with --edges FIRST-LAST",
        )


def _check_numbers(numbers: Integers, times_s: Floats | None) -> None:
    steps = np.diff(numbers)
    if (steps <= 0).any():
        at = int(np.flatnonzero(steps <= 0)[0])
        raise RecordError(
            f"row {at + 2}: frame {numbers[at + 1]} comes after frame {numbers[at]}: the numbers must increase",
            f"If the camera was started again, give one part of the file, such as --edges 1-{at + 1}",
        )
    if times_s is None or len(numbers) < 3:
        return
    intervals = np.diff(times_s)
    period = float(np.median(intervals / steps))
    wrong = np.abs(intervals - steps * period) > period / 2
    if period <= 0 or np.mean(wrong) > _MOST_OUT_OF_STEP:
        raise NotAlignedError(
            f"the camera's numbers and times disagree at {int(wrong.sum())} of {len(steps)} intervals",
            "Name other columns: --number and --time; without --number the times alone decide",
        )


def _shift(
    expected: Train,
    recorded: Train,
    edges_us: Integers,
    recording: Recording,
    numbers: Integers | None,
    first_frame: int | None,
    near_s: float | None,
) -> int:
    if first_frame is not None and numbers is not None:
        return int(numbers[0]) - first_frame
    times_us = recording.times_s * 1e6
    near_us = None if near_s is None else near_s * 1e6
    return shift_of(expected, recorded, edges_us.astype(np.float64), times_us, near_us, "--first-frame NUMBER")


def _numbered(
    edges_us: Integers,
    expected: Train,
    recorded: Train,
    shift: int,
    numbers: Integers | None,
    rows: int,
    how: str,
) -> Frames:
    """Return the frames with their edges, or with a time between those of the frames around them."""
    counts = recorded.counts + shift
    places = np.clip(np.searchsorted(expected.counts, counts), 0, len(expected.counts) - 1)
    met = expected.counts[places] == counts
    if not met.any():
        raise NotAlignedError("no frame of the file has an edge in the session", "Check --first-frame and the file")
    inside = (counts >= expected.counts[0]) & (counts <= expected.counts[-1])
    check_misses(int((inside & ~met).sum()), rows)
    edge_times = edges_us[expected.places].astype(np.float64)
    t_us = np.full(rows, np.nan)
    t_us[recorded.places[inside]] = np.interp(counts[inside], expected.counts, edge_times)
    measured = np.zeros(rows, np.bool_)
    measured[recorded.places[met]] = True
    used = np.zeros(len(expected.counts), np.bool_)
    used[places[met]] = True
    first, last = np.flatnonzero(used)[[0, -1]]
    dropped = expected.places[first : last + 1][~used[first : last + 1]]
    shown = np.arange(rows, dtype=np.int64) if numbers is None else numbers
    return Frames(shown, t_us, measured, edges_us[dropped], len(edges_us), expected.period_us, how)
