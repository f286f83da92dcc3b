"""Read edges from a table of an NWB file: events or intervals, one in each row."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rig.align.arrays import Flags, Floats, Levels, Places
from rig.align.readers.levels import WANTED_LEVELS, level_of
from rig.align.readers.options import ReadOptions, chosen
from rig.align.recording import MAX_EDGES, Recording
from rig.core.errors import RecordError
from rig.terminal.format import pluralize

if TYPE_CHECKING:
    from hdmf.common import DynamicTable

START_COLUMNS = ("timestamp", "timestamps", "start_time")


def recording_of_table(path: Path, table: DynamicTable, options: ReadOptions) -> Recording:
    """Return the edges of the rows. Raises ``ConfigError`` for a column that is not there, ``RecordError``."""
    if len(table) > MAX_EDGES:
        raise RecordError(f"has {len(table)} rows, and {MAX_EDGES} at most can be read")
    names = list(table.colnames)
    column = next(name for name in START_COLUMNS if name in names)
    starts = _numbers(table, column)
    kept = np.isfinite(starts)
    lost = int((~kept).sum())
    notes = (f"left out: {pluralize(lost, 'row')} whose {column} is no number",) if lost else ()
    if options.where is not None:
        kept &= _chosen_rows(table, chosen(path, "--where", options.where[0], names), options.where[1])
    starts, rows = starts[kept], np.flatnonzero(kept) + 1
    if not len(starts):
        raise RecordError(f"none of its {pluralize(len(kept), 'row')} has a time")
    resolution_s = float(getattr(table[column], "resolution", None) or options.resolution_s())
    if options.level is not None:
        name = chosen(path, "--level", options.level, names)
        return Recording(starts, _levels(_column(table, name)[kept], name, rows), resolution_s, notes=notes)
    _check_order(starts, column, rows)
    ends = _ends(table, names, rows, starts)
    if ends is None:
        return Recording(starts, None, resolution_s, notes=notes)
    known = np.isfinite(ends)
    times = np.concatenate([starts, ends[known]])
    levels = np.concatenate([np.ones(len(starts), np.int8), np.zeros(int(known.sum()), np.int8)])
    order = np.argsort(times, kind="stable")
    return Recording(times[order], levels[order], resolution_s, notes=notes)


def _column(table: DynamicTable, name: str) -> NDArray[np.generic]:
    values = np.asarray(table[name][:])
    if values.ndim != 1 or len(values) != len(table):
        raise RecordError(f"column {name} has not one value in each row")
    return values


def _numbers(table: DynamicTable, name: str) -> Floats:
    values = _column(table, name)
    if values.dtype.kind not in "iufb":
        raise RecordError(f"column {name} has no numbers")
    return values.astype(np.float64)


def _check_order(starts: Floats, column: str, rows: Places) -> None:
    """Check that the rows are in order, before both kinds of edges are sorted. Raises ``RecordError``."""
    backward = np.flatnonzero(np.diff(starts) < 0)
    if len(backward):
        at = int(backward[0])
        raise RecordError(
            f"row {rows[at + 1]}: its {column}, {starts[at + 1]:.6f} s, is before that of row {rows[at]}, "
            f"{starts[at]:.6f} s: they are not in order, or the clock was started again",
            "Choose the rows of one signal with --where COLUMN=VALUE, or write each recording into its own table",
        )


def _chosen_rows(table: DynamicTable, name: str, wanted: str) -> Flags:
    """Return which rows have a value; a number may be written in any way. Raises ``RecordError`` if none has it."""
    texts = [_text(value) for value in _column(table, name)]
    number = _number(wanted)
    kept = np.array([text == wanted or (number is not None and _number(text) == number) for text in texts], np.bool_)
    if not kept.any():
        there = sorted(set(texts))
        raise RecordError(f"no row has {name}={wanted:.60}; it has {', '.join(there[:20]):.200}")
    return kept


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _levels(values: NDArray[np.generic], name: str, rows: Places) -> Levels:
    """Return the levels that words or numbers mean. Raises ``RecordError`` for a value that means none."""
    kinds = np.unique(values) if values.dtype.kind in "iufb" else np.array(sorted({_text(value) for value in values}))
    if values.dtype.kind in "iuf" and len(kinds) == 2 and np.isfinite(kinds).all():
        return np.asarray(values == kinds[1], np.int8)  # such as 0 and 5, or 3 and -3
    meanings = {_text(kind): level_of(_text(kind)) for kind in kinds}
    unknown = [kind for kind, level in meanings.items() if level is None]
    if unknown:
        at = next(at for at, value in enumerate(values) if _text(value) in unknown)
        raise RecordError(f"row {rows[at]}: {name} {_text(values[at])!r:.40}: {WANTED_LEVELS}")
    return np.array([meanings[_text(value)] for value in values], np.int8)


def _ends(table: DynamicTable, names: list[str], rows: Places, starts: Floats) -> Floats | None:
    """Return when each event ended, None if the table does not say. Raises ``RecordError`` for an end before it."""
    if "stop_time" in names:
        ends = _numbers(table, "stop_time")[rows - 1]
    elif "duration" in names:
        ends = starts + _numbers(table, "duration")[rows - 1]
    else:
        return None
    early = np.flatnonzero(ends < starts)
    if len(early):
        raise RecordError(f"row {rows[early[0]]}: ends {ends[early[0]]:.6f} s, before it begins: it is damaged")
    # Events without a length have no falling edge.
    return np.asarray(ends, np.float64) if (ends > starts).any() else None
