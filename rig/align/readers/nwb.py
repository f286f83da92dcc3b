"""Read edges from an NWB file: a table of events or intervals, or a time series of levels or of a sampled signal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Flags, Floats
from rig.align.readers.declared_sizes import check_hdf5
from rig.align.readers.options import ReadOptions, chosen, load_library
from rig.align.readers.sampled import BLOCK, edges_of_samples
from rig.align.recording import MAX_EDGES, Recording
from rig.core.errors import ConfigError, RecordError

_START_COLUMNS = ("timestamp", "timestamps", "start_time")


def read_nwb(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of one object of a file. Raises ``ConfigError``, and ``RecordError`` for a damaged file.

    A row of a table is a rising edge at its time; with a ``duration`` or a ``stop_time`` it has a falling one, too.
    With ``level``, a column of the table says what each row is. Of a sampled signal, a level is on above the middle
    between its lowest and its highest value.
    """
    library = load_library("pynwb", path)
    if not path.is_file():
        raise RecordError(f"{path}: is no file")
    try:
        check_hdf5(path)
        with library.NWBHDF5IO(str(path), "r") as source:
            found = _candidates(source.read())
            name = chosen(path, "--series", options.series, sorted(found))
            return _read(path, found[name], options)
    except (ConfigError, RecordError):
        raise
    except Exception as error:  # pynwb and h5py raise what their own code does, on a damaged file
        raise RecordError(f"{path}: cannot be read as NWB: {type(error).__name__}: {error!s:.200}") from error


def _candidates(file: Any) -> dict[str, Any]:
    """Return the objects that can be read, by name; by path where a name is there twice."""
    found: dict[str, list[Any]] = {}
    for each in file.objects.values():
        columns = getattr(each, "colnames", None)
        is_table = columns is not None and any(name in columns for name in _START_COLUMNS)
        data = getattr(each, "data", None)
        is_series = hasattr(each, "timestamps") and data is not None and len(getattr(data, "shape", (0,))) == 1
        if is_table or is_series:
            found.setdefault(each.name, []).append(each)
    return {
        name if len(all_of_it) == 1 else f"{each.parent.name}/{name}": each
        for name, all_of_it in found.items()
        for each in all_of_it
    }


def _read(path: Path, each: Any, options: ReadOptions) -> Recording:
    if getattr(each, "colnames", None) is not None:
        return _of_table(path, each, options)
    count = len(each.data)
    if each.timestamps is None:
        low, high = _range(each.data)
        rate_hz = float(each.rate)
        blocks = (block > (low + high) / 2 for block in _blocks(each.data))
        return edges_of_samples(blocks, rate_hz, float(each.starting_time or 0.0))
    # A link to another file may declare any number, which nothing has checked.
    if len(each.timestamps) != count:
        raise RecordError(f"{path}: {each.name} has {count} values and {len(each.timestamps)} times: it is damaged")
    if count > MAX_EDGES:
        raise RecordError(f"{path}: {each.name} has {count} times, and {MAX_EDGES} at most can be read")
    times, values = np.asarray(each.timestamps[:], np.float64), np.asarray(each.data[:], np.float64)
    if not count or values.min() == values.max():
        return Recording(times, None, options.resolution_s())
    levels = (values > (values.min() + values.max()) / 2).astype(np.int8)
    changed = np.concatenate([[True], np.diff(levels) != 0])
    return Recording(times[changed], levels[changed], options.resolution_s())


def _range(data: Any) -> tuple[float, float]:
    low, high = np.inf, -np.inf
    for block in _blocks(data):
        low, high = min(low, float(block.min())), max(high, float(block.max()))
    return low, high


def _blocks(data: Any) -> Iterator[NDArray[Any]]:
    for start in range(0, len(data), BLOCK):
        yield np.asarray(data[start : start + BLOCK])


def _of_table(path: Path, table: Any, options: ReadOptions) -> Recording:
    if len(table) > MAX_EDGES:
        raise RecordError(f"{path}: {table.name} has {len(table)} rows, and {MAX_EDGES} at most can be read")
    names = list(table.colnames)
    column = next(name for name in _START_COLUMNS if name in names)
    kept = np.ones(len(table), np.bool_)
    if options.where is not None:
        name = chosen(path, "--where", options.where[0], names)
        kept = np.array([str(value) == options.where[1] for value in table[name][:]], np.bool_)
    starts = np.asarray(table[column][:], np.float64)[kept]
    resolution_s = float(getattr(table[column], "resolution", None) or options.resolution_s())
    if options.level is not None:
        values = np.asarray(table[chosen(path, "--level", options.level, names)][:])[kept]
        return Recording(starts, (values.astype(np.float64) > 0.5).astype(np.int8), resolution_s)
    ends = _ends(table, names, starts, kept)
    if ends is None:
        return Recording(starts, None, resolution_s)
    known = np.isfinite(ends)
    times = np.concatenate([starts, ends[known]])
    levels = np.concatenate([np.ones(len(starts), np.int8), np.zeros(int(known.sum()), np.int8)])
    order = np.argsort(times, kind="stable")
    return Recording(times[order], levels[order], resolution_s)


def _ends(table: Any, names: list[str], starts: Floats, kept: Flags) -> Any:
    """Return when each event ended, None if the table does not say."""
    if "stop_time" in names:
        return np.asarray(table["stop_time"][:], np.float64)[kept]
    if "duration" in names:
        return starts + np.asarray(table["duration"][:], np.float64)[kept]
    return None
