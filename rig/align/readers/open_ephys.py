"""Read the TTL events of an Open Ephys recording, in any of its formats, through open-ephys-python-tools."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

from rig.align.readers.declared_sizes import check_open_ephys
from rig.align.readers.options import ReadOptions, chosen, load_library
from rig.align.recording import Recording
from rig.core.errors import RecordError


def read_open_ephys(path: Path, options: ReadOptions) -> Recording:
    """Read the events of one line of a session's folder, that of a Record Node, or one below.

    The times are those of the file (``timestamps``, seconds); with ``rate_hz`` they are the numbers of the samples.
    Raises ``ConfigError`` and ``RecordError``.
    """
    events = _events(path, options)
    stream = chosen(path, "--stream", options.stream, sorted({str(name) for name in events["stream_name"]}))
    events = events[events["stream_name"].astype(str) == stream]
    lines = sorted({int(line) for line in events["line"]})
    line = int(chosen(path, "--line", None if options.line is None else str(options.line), [str(n) for n in lines]))
    events = events[events["line"] == line]
    levels = np.asarray(events["state"], dtype=np.int8)
    samples = np.asarray(events["sample_number"], dtype=np.float64)
    if options.rate_hz is not None:
        return _sorted(samples / options.rate_hz, levels, samples, 1 / options.rate_hz)
    times = np.asarray(events["timestamp"], dtype=np.float64)
    if (times < 0).all():
        raise RecordError(f"{path}: has numbers of samples and no times: give their rate with --rate HZ")
    return _sorted(times, levels, samples, 0.0)


def _sorted(times_s: Any, levels: Any, samples: Any, resolution_s: float) -> Recording:
    """Return the events in the order in which they were recorded, by the numbers of their samples."""
    order = np.argsort(samples, kind="stable")
    return Recording(times_s[order], levels[order], resolution_s)


def _events(path: Path, options: ReadOptions) -> Any:
    """Return the table of all events of the recording. Raises ``ConfigError``, ``RecordError``."""
    library = load_library("open_ephys.analysis", path)
    if not path.is_dir():
        raise RecordError(f"{path}: wanted the folder of an Open Ephys session, with its Record Node folders")
    node = next((folder for folder in (path, *path.parents) if folder.name.startswith("Record Node")), None)
    check_open_ephys(node or path)
    try:
        nodes = [library.RecordNode(str(node))] if node is not None else library.Session(str(path)).recordnodes
        found = [recording for each in nodes or () for recording in each.recordings]
    except Exception as error:  # the library raises what its own code does, on a damaged folder
        raise RecordError(f"{path}: cannot be read as an Open Ephys recording: {error}") from error
    inside = [each for each in found if Path(str(each.directory)).resolve().is_relative_to(path.resolve())] or found
    if not inside:
        raise RecordError(f"{path}: has no Open Ephys recording: wanted a folder with Record Node folders")
    if len(inside) > 1:
        folders = ", ".join(str(each.directory) for each in inside[:10])
        raise RecordError(f"{path}: has {len(inside)} recordings, each with its own clock: give one of {folders}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the library uses pandas in a way that pandas will drop
            events = inside[0].events
    except Exception as error:
        raise RecordError(f"{path}: its events cannot be read: {error}") from error
    if events is None or not len(events):
        raise RecordError(f"{path}: has no TTL events")
    return events
