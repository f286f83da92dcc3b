"""Find and read the files with the TTL events of Open Ephys, in the three formats that its Record Nodes write.

Binary: a folder ``events/NAME/TTL`` of arrays. Open Ephys: a file ``.events``. NWB: groups ``acquisition/NAME.TTL``.
Names of other folders do not matter, because people rename and copy them.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Flags, Floats, Integers
from rig.align.readers.declared_sizes import check_hdf5, read_array
from rig.align.readers.options import load_library
from rig.core.errors import ConfigError, RecordError

_HEADER_BYTES = 1024
_HEADER_START = b"header.format = 'Open Ephys Data Format'"
_EVENT = np.dtype(
    [
        ("sample", "<i8"),
        ("place", "<i2"),  # within a buffer: not used, the sample is exact
        ("kind", "u1"),
        ("node", "u1"),
        ("on", "u1"),
        ("channel", "u1"),
        ("recording", "<u2"),
    ]
)
_TTL = 3
_MAX_JSON_BYTES = 100_000_000


@dataclass(frozen=True)
class Events:
    """The events of one stream, in the order of the file.

    ``times_s`` is None if the file has none. ``rate_hz`` is that of the samples, None if the files do not say it.
    """

    lines: Integers
    is_on: Flags
    samples: Integers
    times_s: Floats | None
    rate_hz: float | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stream:
    """A stream that can be read, and its names, from the shortest to the longest.

    ``recording`` is equal for the streams of one recording. ``path`` is what a person gives to choose it.
    """

    recording: Path
    path: Path
    names: tuple[str, ...]
    read: Callable[[], Events]


def find_streams(path: Path) -> list[Stream]:
    """Return the streams of a folder and all below it, or of a file. Raises ``RecordError``."""
    path = path.absolute()
    streams: list[Stream] = []
    for place in [path, *sorted(path.rglob("*"))]:
        if is_ttl_folder(place):
            streams.append(_of_ttl_folder(place))
        elif is_events_file(place):
            streams += _of_events_file(place)
        elif is_nwb(place):
            streams += _of_nwb(place)
    return streams


def is_ttl_folder(folder: Path) -> bool:
    """Whether a folder has the events of the Binary format."""
    return folder.name.startswith("TTL") and folder.parent.parent.name == "events" and folder.is_dir()


def is_events_file(file: Path) -> bool:
    """Whether a file has the events of the Open Ephys format; the messages have the same ending."""
    return file.suffix == ".events" and not file.name.startswith((".", "messages")) and file.is_file()


def is_nwb(file: Path) -> bool:
    """Whether a file may have events in the NWB format."""
    return file.suffix == ".nwb" and not file.name.startswith(".") and file.is_file()


def _of_ttl_folder(folder: Path) -> Stream:
    name = folder.parent.name
    names = (name.partition(".")[2] or name, name, f"{name}/{folder.name}")
    return Stream(folder.parents[2], folder.parents[2], names, partial(_read_ttl_folder, folder))


def _read_ttl_folder(folder: Path) -> Events:
    """Read the arrays. Versions before 0.6 have other names, and numbers of samples in ``timestamps``."""
    is_old = (folder / "channel_states.npy").exists() and not (folder / "states.npy").exists()
    states = _whole_numbers(folder / ("channel_states.npy" if is_old else "states.npy"))
    samples = _whole_numbers(folder / ("timestamps.npy" if is_old else "sample_numbers.npy"))
    has_times = not is_old and (folder / "timestamps.npy").exists()
    times, notes = _seconds(read_array(folder / "timestamps.npy")) if has_times else (None, ())
    counts = {"states": len(states), "sample numbers": len(samples)}
    counts |= {} if times is None else {"timestamps": len(times)}
    if len(set(counts.values())) > 1:
        text = ", ".join(f"{count} {name}" for name, count in counts.items())
        raise RecordError(f"{folder}: its files differ in length: {text}: they are cut off, or of two recordings")
    return _checked(folder, Events(np.abs(states), states > 0, samples, times, _rate_of_oebin(folder), notes))


def _seconds(times: NDArray[np.number]) -> tuple[Floats | None, tuple[str, ...]]:
    """Return times in seconds; None, and a note, for whole numbers."""
    if times.dtype.kind == "f":
        return times.astype(np.float64), ()
    return None, (f"its timestamps are {times.dtype}, not seconds: the numbers of its samples count",)


def _whole_numbers(path: Path) -> Integers:
    values = read_array(path)
    if values.dtype.kind not in "iu" or (values.size and abs(int(values.max())) >= 1 << 62):
        raise RecordError(f"{path}: has values of {values.dtype}: wanted whole numbers below 2^62")
    return values.astype(np.int64)


def _rate_of_oebin(folder: Path) -> float | None:
    """Return the rate of a stream by ``structure.oebin``, None if it does not say it once."""
    file = folder.parents[2] / "structure.oebin"
    try:
        if file.stat().st_size > _MAX_JSON_BYTES:
            return None
        structure = json.loads(file.read_text(encoding="utf-8-sig"))
        stream = folder.parent.name
        rates = {
            float(entry["sample_rate"])
            for entry in [*structure.get("events", []), *structure.get("continuous", [])]
            if str(entry["folder_name"]).strip("/").split("/")[0] == stream
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return _positive(rates.pop()) if len(rates) == 1 else None


def _positive(rate_hz: float) -> float | None:
    return rate_hz if 0 < rate_hz < math.inf else None


def _of_events_file(file: Path) -> Iterator[Stream]:
    """Yield a stream for each processor that wrote events into a file. Raises ``RecordError``."""
    with file.open("rb") as source:
        header = source.read(_HEADER_BYTES)
    if len(header) < _HEADER_BYTES or not header.startswith(_HEADER_START):
        raise RecordError(f"{file}: is no file of Open Ephys events: its first 1024 bytes are no such header")
    size = file.stat().st_size - _HEADER_BYTES
    events = np.fromfile(file, _EVENT, size // _EVENT.itemsize, offset=_HEADER_BYTES)
    events = events[events["kind"] == _TTL]
    notes = (f"{file.name} is cut off within an event, which is left out",) if size % _EVENT.itemsize else ()
    # The first experiment has no number at the end, the second one _2.
    stem = re.sub(r"_\d+$", "", file.stem)
    recording = file.with_name(file.stem.removeprefix(stem) or "_1")
    name = re.sub(r"^(?:[^_.]*-)?\d+[_.]", "", stem)
    for node in np.unique(events["node"]).tolist():
        own = events[events["node"] == node]
        lines, is_on = own["channel"].astype(np.int64) + 1, own["on"] > 0
        found = Events(lines, is_on, own["sample"], None, _rate_of_header(header), notes)
        yield Stream(recording, file, (name, stem, f"{stem}.{node}"), partial(_same, found))


def _same(events: Events) -> Events:
    return events


def _rate_of_header(header: bytes) -> float | None:
    match = re.search(rb"header\.sampleRate\s*=\s*([0-9.]{1,20})\s*;", header)
    try:
        return None if match is None else _positive(float(match[1]))
    except ValueError:
        return None


def _of_nwb(file: Path) -> Iterator[Stream]:
    """Yield the streams of a file in the NWB format. Raises ``RecordError``."""
    with _nwb_errors(file):
        check_hdf5(file)
        with load_library("h5py", file).File(file, "r") as source:
            names = [str(name) for name in source.get("acquisition", ()) if str(name).endswith(".TTL")]
    for name in names:
        stem = name.removesuffix(".TTL")
        yield Stream(file, file, (stem.partition(".")[2] or stem, stem), partial(_read_nwb, file, name))


def _read_nwb(file: Path, name: str) -> Events:
    with _nwb_errors(file), load_library("h5py", file).File(file, "r") as source:
        group = source["acquisition"][name]
        parts: list[NDArray[np.number]] = [np.asarray(group[key]) for key in ("data", "sync", "timestamps")]
    states, samples, times = parts
    if any(part.ndim != 1 or part.dtype.kind not in "iuf" or len(part) != len(states) for part in parts):
        raise RecordError(f"{file}: {name} has not one state, sample number and time for each event: it is damaged")
    lines, (seconds, notes) = np.abs(states).astype(np.int64), _seconds(times)
    return _checked(file, Events(lines, states > 0, samples.astype(np.int64), seconds, None, notes))


@contextmanager
def _nwb_errors(file: Path) -> Iterator[None]:
    try:
        yield
    except (ConfigError, RecordError):
        raise
    except Exception as error:  # h5py raises what its own code does, on a damaged file
        raise RecordError(f"{file}: cannot be read as NWB: {type(error).__name__}: {error!s:.200}") from error


def _checked(path: Path, events: Events) -> Events:
    if (events.lines == 0).any():
        raise RecordError(f"{path}: event {int(np.argmin(events.lines)) + 1} has the line 0: it is damaged")
    return events
