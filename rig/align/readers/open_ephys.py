"""Read the TTL events of one line of an Open Ephys recording, in any of its formats."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rig.align.readers.open_ephys_files import Events, Stream, find_streams
from rig.align.readers.options import ReadOptions, chosen
from rig.align.recording import Recording
from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import read_errors
from rig.terminal.format import pluralize

_NO_TIME_S = -1.0
"""The time of an event before its stream was synchronized."""
_MAX_LISTED = 10
_STRUCTURE = (".oebin", ".openephys")
"""The files that describe a folder."""


def read_open_ephys(path: Path, options: ReadOptions) -> Recording:
    """Read the events of one line of a session's folder, or of a folder or file below it.

    The times are those of the file (``timestamps``, seconds); with ``rate_hz``, and in formats without times, they are
    the numbers of the samples. Raises ``ConfigError`` and ``RecordError``.
    """
    with read_errors(path):
        streams = find_streams(path.parent if path.suffix in _STRUCTURE else path)
        _check_one_recording(path, streams)
        events = _chosen_stream(path, streams, options.stream)
    lines = np.unique(events.lines).tolist()
    line = int(chosen(path, "--line", None if options.line is None else str(options.line), [str(n) for n in lines]))
    on_line = events.lines == line
    times_s = None if events.times_s is None else events.times_s[on_line]
    part = Events(events.lines, events.is_on[on_line], events.samples[on_line], times_s, events.rate_hz, events.notes)
    return _recording(path, part, options.rate_hz)


def _check_one_recording(path: Path, streams: list[Stream]) -> None:
    if not streams:
        raise RecordError(
            f"{path}: has no Open Ephys recording: wanted a folder with events/NAME/TTL folders of arrays, "
            "with .events files, or with the .nwb files of its Record Nodes"
        )
    if len({stream.recording for stream in streams}) > 1:
        paths = sorted({stream.path for stream in streams})
        listed = ", ".join(map(str, paths[:_MAX_LISTED])) + (" ..." if len(paths) > _MAX_LISTED else "")
        raise ConfigError(f"{path}: has {len(paths)} recordings: give one of {listed}")


def _chosen_stream(path: Path, streams: list[Stream], name: str | None) -> Events:
    """Return the events of the stream that is chosen, or of the only one with events."""
    length = max(len(stream.names) for stream in streams)
    # Two processors may send streams of one name: then their longer names tell them apart.
    levels = [[stream.names[min(level, len(stream.names) - 1)] for stream in streams] for level in range(length)]
    names = next((level for level in levels if len(set(level)) == len(level)), levels[-1])
    if name is not None:
        return streams[names.index(chosen(path, "--stream", name, names))].read()
    recordings = {name: stream.read() for name, stream in zip(names, streams, strict=True)}
    usable = {name: events for name, events in recordings.items() if len(events.lines)}
    if not usable:
        raise RecordError(f"{path}: has no TTL events")
    return usable[chosen(path, "--stream", None, sorted(usable))]


def _recording(path: Path, events: Events, rate_hz: float | None) -> Recording:
    levels = events.is_on.astype(np.int8)
    notes = events.notes
    if rate_hz is None and events.times_s is not None:
        known = events.times_s != _NO_TIME_S
        if known.any():
            lost = int((~known).sum())
            text = f"left out: {pluralize(lost, 'event')} from before the stream was synchronized (their times are -1)"
            return Recording(events.times_s[known], levels[known], notes=(*notes, text) if lost else notes)
        if events.rate_hz is not None:
            text = f"its times are -1: the numbers of its samples count, at {events.rate_hz:g} Hz"
            notes = (*notes, text)
    rate_hz = rate_hz or events.rate_hz
    if rate_hz is None:
        raise RecordError(f"{path}: has numbers of samples and no times: give their rate with --rate HZ")
    return Recording(events.samples / rate_hz, levels, 1 / rate_hz, notes=notes)
