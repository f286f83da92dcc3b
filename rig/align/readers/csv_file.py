"""Read edges from a table of text: comma, semicolon, tab or space between its columns, with or without a header."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TextIO

import numpy as np

from rig.align.readers.options import SAMPLES, ReadOptions
from rig.align.recording import MAX_EDGES, Recording
from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import read_errors

MAX_BYTES = 4 << 30
_MAX_LINE = 1 << 16
_TIME_NAMES = {
    **dict.fromkeys(("time", "times", "timestamp", "timestamps", "t", "time_s", "t_s", "seconds", "timestamp_s"), "s"),
    **dict.fromkeys(("time_ms", "t_ms", "timestamp_ms", "ms"), "ms"),
    **dict.fromkeys(("time_us", "t_us", "timestamp_us", "us"), "us"),
    **dict.fromkeys(("sample", "samples", "sample_number", "sample_index"), SAMPLES),
}
_LEVEL_NAMES = ("level", "state")
_NUMBER_NAMES = ("frame", "frame_number", "frame_id", "number")
_LEVELS = {
    **dict.fromkeys(("1", "1.0", "true", "on", "high", "up", "rising", "rise", "+1"), 1),
    **dict.fromkeys(("0", "0.0", "false", "off", "low", "down", "falling", "fall", "-1", "-1.0"), 0),
}


@dataclass(frozen=True)
class _Columns:
    """The places of the columns that are read; None for one that the file lacks."""

    time: int | None
    level: int | None
    number: int | None
    where: tuple[int, str] | None
    second: float


def read_csv(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of a table. Raises ``ConfigError`` for a column that is not there, ``RecordError`` for a cell.

    Columns are named by the header or by their number, from 1. Without options, the names of the header decide.
    """
    times: list[float] = []
    levels: list[int] = []
    numbers: list[int] = []
    with read_errors(path):
        rows = _rows(path)
        first = next(rows, None)
        if first is None:
            raise RecordError(f"{path}: is empty")
        header = None if _is_number(first[1][0]) else first[1]
        columns = _columns(path, options, header, len(first[1]))
        for line, cells in rows if header is not None else chain([first], rows):
            if columns.where is not None and _cell(path, line, cells, columns.where[0]) != columns.where[1]:
                continue
            if columns.time is not None:
                times.append(_number(path, line, _cell(path, line, cells, columns.time)))
            if columns.level is not None:
                levels.append(_level(path, line, _cell(path, line, cells, columns.level)))
            if columns.number is not None:
                numbers.append(_integer(path, line, _cell(path, line, cells, columns.number)))
            if max(len(times), len(numbers)) > MAX_EDGES:
                raise RecordError(f"{path}: has more than {MAX_EDGES} edges: give a part of it")
    if columns.time is None:
        times = [math.nan] * len(numbers)
    return Recording(
        np.array(times, dtype=np.float64) * columns.second,
        np.array(levels, dtype=np.int8) if columns.level is not None else None,
        options.resolution_s(),
        np.array(numbers, dtype=np.int64) if columns.number is not None else None,
    )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are neither empty nor comments, and the numbers of their lines. Raises ``RecordError``."""
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 30} GB")
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        separator = _separator(file)
        lines = csv.reader(file, delimiter=separator, skipinitialspace=True)
        try:
            for cells in lines:
                found = [cell.strip() for cell in cells if cell or separator != " "]
                if any(found) and not found[0].startswith("#"):
                    yield lines.line_num, found
        except csv.Error as error:
            raise RecordError(f"{path}:{lines.line_num}: is no table of text: {error}") from error


def _separator(file: TextIO) -> str:
    """Return what separates the columns of the first row, and go back to the start."""
    while (row := file.readline(_MAX_LINE)) and (not row.strip() or row.lstrip().startswith("#")):
        pass
    file.seek(0)
    return next((mark for mark in (",", ";", "\t") if mark in row), " ")


def _columns(path: Path, options: ReadOptions, header: Sequence[str] | None, count: int) -> _Columns:
    names = [name.lower() for name in header] if header is not None else []
    number = _place(path, "--number", options.number, names, count)
    if options.number is None:
        number = _known(names, _NUMBER_NAMES)
    time = _place(path, "--time", options.time, names, count)
    if options.time is None:
        time = _known(names, tuple(_TIME_NAMES))
        if time is None and number is None:
            if count > 1 and header is not None:
                raise ConfigError(f"{path}: which column has the times? --time one of: {', '.join(header)}")
            time = 0
    level = _place(path, "--level", options.level, names, count)
    if options.level is None:
        level = _known(names, _LEVEL_NAMES)
    where = None
    if options.where is not None:
        place = _place(path, "--where", options.where[0], names, count)
        where = None if place is None else (place, options.where[1])
    usual = _TIME_NAMES.get(names[time], "s") if names and time is not None else "s"
    return _Columns(time, level, number, where, options.second(usual))


def _place(path: Path, option: str, wanted: str | None, names: Sequence[str], count: int) -> int | None:
    """Return the place of a column that an option names, by its name or its number. Raises ``ConfigError``."""
    if wanted is None:
        return None
    if wanted.lower() in names:
        return names.index(wanted.lower())
    if wanted.isdecimal() and 1 <= int(wanted) <= count:
        return int(wanted) - 1
    there = f"one of {', '.join(names)}, or " if names else ""
    raise ConfigError(f"{path}: has no column {wanted!r:.60}; {option} takes {there}a number from 1 to {count}")


def _known(names: Sequence[str], known: Sequence[str]) -> int | None:
    return next((place for place, name in enumerate(names) if name in known), None)


def _cell(path: Path, line: int, cells: Sequence[str], place: int) -> str:
    if place >= len(cells):
        raise RecordError(f"{path}:{line}: has {len(cells)} columns; wanted at least {place + 1}")
    return cells[place]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(path: Path, line: int, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise RecordError(f"{path}:{line}: time {text!r:.40}: is no number")
    return value


def _integer(path: Path, line: int, text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if not 0 <= value < 1 << 62:
        raise RecordError(f"{path}:{line}: frame number {text!r:.40}: wanted a whole number from 0")
    return value


def _level(path: Path, line: int, text: str) -> int:
    level = _LEVELS.get(text.lower())
    if level is None:
        raise RecordError(f"{path}:{line}: level {text!r:.40}: wanted 1 or 0, on or off, rising or falling")
    return level
