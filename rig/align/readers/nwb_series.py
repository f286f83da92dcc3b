"""Read edges from a time series of an NWB file: sampled at a rate, or a value at each of its times."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Floats, Integers
from rig.align.readers.analog import SignalEdges, signal_edges
from rig.align.readers.levels import WANTED_LEVELS, level_of
from rig.align.readers.options import ReadOptions, chosen
from rig.align.readers.sampled import BLOCK
from rig.align.recording import MAX_EDGES, Recording
from rig.core.errors import ConfigError, RecordError
from rig.terminal.format import pluralize

if TYPE_CHECKING:
    from pynwb import TimeSeries

_MAX_LINE = 256


def is_series(each: object) -> bool:
    """Whether an object is a series of values, or of a few channels, over time."""
    return hasattr(each, "timestamps") and hasattr(each, "rate") and len(_shape(each)) in (1, 2)


def channels_of(each: object) -> int:
    """Return how many channels a series has."""
    return (*_shape(each), 1)[1]


def recording_of_series(path: Path, series: TimeSeries, options: ReadOptions) -> Recording:
    """Return the edges of a series. Raises ``ConfigError`` for a choice that is open, ``RecordError``."""
    count = len(series.data)
    if series.timestamps is None:
        return _at_a_rate(path, series, _Values(path, series, options.line), options)
    # A link to another file may declare any number, which nothing has checked.
    if len(series.timestamps) != count:
        raise RecordError(f"has {count} values and {len(series.timestamps)} times: it is damaged")
    if not 0 < count <= MAX_EDGES:
        raise RecordError(f"has {count} times, and 1 to {MAX_EDGES} can be read")
    times = np.asarray(series.timestamps[:], np.float64)
    known = np.isfinite(times)
    _check_order(times[known])
    lost = int((~known).sum())
    notes = (f"left out: {pluralize(lost, 'value')} whose times are no numbers",) if lost else ()
    states = _states_of_lines(series)
    if states is not None:
        lines = [str(line) for line in np.unique(np.abs(states)).tolist()]
        line = int(chosen(path, "--line", None if options.line is None else str(options.line), lines))
        known &= np.abs(states) == line
        values = np.asarray(states > 0, np.float64)
    else:
        values = np.concatenate([*_Values(path, series, options.line).blocks()])
    return _at_times(times[known], values[known], options.resolution_s(), notes)


def _states_of_lines(series: TimeSeries) -> Integers | None:
    """Return the states of lines, 3 on and -3 off as Open Ephys writes them; None for other values."""
    if len(_shape(series)) != 1 or _kind(series.data) != "i":
        return None
    states = np.asarray(series.data[:], np.int64)
    return states if -_MAX_LINE <= states.min() < 0 < states.max() <= _MAX_LINE and states.all() else None


def _kind(data: object) -> str:
    return str(getattr(getattr(data, "dtype", None), "kind", "O"))


def _shape(series: object) -> tuple[int, ...]:
    data = getattr(series, "data", None)
    shape = getattr(data, "shape", None)
    return tuple(shape) if shape is not None else (len(data),) if isinstance(data, list) else ()


def _column(path: Path, series: TimeSeries, line: int | None) -> int | None:
    """Return which column of a series of several channels is read. Raises ``ConfigError``, ``RecordError``."""
    shape = _shape(series)
    if len(shape) == 1:
        return None
    if shape[0] <= 1 < shape[1]:
        raise RecordError(f"has {shape[0]} samples of {shape[1]} channels: its data are the wrong way round")
    return int(chosen(path, "--line", None if line is None else str(line), [str(n) for n in range(shape[1])]))


class _Values:
    """The values of a channel as numbers, block by block: words mean levels, and a bit is taken out of a number."""

    def __init__(self, path: Path, series: TimeSeries, line: int | None) -> None:
        self.data, self.column = series.data, _column(path, series, line)
        self.bit = line if self.column is None else None
        if self.bit is not None:
            bits = 8 * self.data.dtype.itemsize if _kind(self.data) in "iu" else 0
            if not 0 <= self.bit < bits:
                there = f"a bit from 0 to {bits - 1}" if bits else "no --line: its values are no whole numbers"
                raise ConfigError(f"{path}: {series.name}: --line {line}: wanted {there}")

    def blocks(self) -> Iterator[Floats]:
        """Yield the values."""
        for start in range(0, len(self.data), BLOCK):
            part = slice(start, start + BLOCK)
            yield self._numbers(
                np.asarray(self.data[part] if self.column is None else self.data[part, self.column]), start
            )

    def _numbers(self, block: NDArray[np.generic], start: int) -> Floats:
        if self.bit is not None:
            return np.asarray((block >> np.array(self.bit, block.dtype)) & np.array(1, block.dtype), np.float64)
        if block.dtype.kind in "iufb":
            return block.astype(np.float64)
        return np.array([_level(value, start + at) for at, value in enumerate(block.tolist())], np.float64)


def _level(value: object, at: int) -> float:
    text = value.decode(errors="replace") if isinstance(value, bytes) else str(value)
    level = level_of(text)
    if level is None:
        raise RecordError(f"value {at + 1}, {text!r:.40}: {WANTED_LEVELS}")
    return level


def _check_order(times: Floats) -> None:
    backward = np.flatnonzero(np.diff(times) < 0)
    if len(backward):
        at = int(backward[0])
        raise RecordError(
            f"time {at + 2}, {times[at + 1]:.6f} s, is before time {at + 1}, {times[at]:.6f} s: its clock was started "
            f"again, or its values are not in order ({pluralize(len(backward), 'such place')})"
        )


def _at_a_rate(path: Path, series: TimeSeries, values: _Values, options: ReadOptions) -> Recording:
    rate_hz = options.rate_hz or float(series.rate or 0)
    start_s = float(series.starting_time or 0.0)
    if not 0 < rate_hz < math.inf:
        raise ConfigError(
            f"{path}: {series.name}: its rate is {rate_hz:g}: give the samples in a second with --rate HZ"
        )
    if not math.isfinite(start_s):
        raise RecordError("its starting_time is no number")
    edges = signal_edges(values.blocks, len(series.data))
    if edges is None or not len(edges.places):
        raise RecordError(f"its {pluralize(len(series.data), 'sample')} have one level: check the channel")
    times = start_s + edges.places / rate_hz
    return Recording(times, edges.levels, 1 / rate_hz, notes=edges.notes)


def _at_times(times: Floats, values: Floats, resolution_s: float, notes: tuple[str, ...]) -> Recording:
    """Return the edges of values at times: of a sampled signal, or of one value for each edge."""
    edges = signal_edges(lambda: [values], len(values)) if len(values) else None
    if edges is None:
        return Recording(times, None, resolution_s, notes=notes)
    notes = (*notes, *edges.notes)
    if not _is_event_list(edges, values):
        return Recording(times[edges.places], edges.levels, resolution_s, notes=notes)
    first = np.flatnonzero(np.isfinite(values))[:1]
    levels = np.concatenate([np.array([edges.first], np.int8), edges.levels])
    return Recording(times[np.concatenate([first, edges.places])], levels, resolution_s, notes=notes)


def _is_event_list(found: SignalEdges, values: Floats) -> bool:
    """Whether most values are changes: then the first one is, too. Of a sampled signal most are not."""
    return found.first is not None and 2 * len(found.places) >= int(np.isfinite(values).sum()) - 1
