"""The columns of a table of text: its line of names and of units, and which column has times, levels or numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from rig.align.readers.format_names import SAMPLES, UNITS
from rig.align.readers.options import ReadOptions
from rig.core.errors import ConfigError, RecordError
from rig.system.delimited_text import UNREADABLE, has_row_numbers, is_comment, is_number_or_time

NumberedRow = tuple[int, list[str]]

_TIME_NAMES = {
    **dict.fromkeys(("time", "times", "timestamp", "timestamps", "t", "time_s", "t_s", "seconds", "timestamp_s"), "s"),
    **dict.fromkeys(("time_ms", "t_ms", "timestamp_ms", "ms"), "ms"),
    **dict.fromkeys(("time_us", "t_us", "timestamp_us", "us"), "us"),
    **dict.fromkeys(("time_ns", "t_ns", "timestamp_ns", "ns"), "ns"),
}
_SAMPLE_NAMES = dict.fromkeys(("sample", "samples", "sample_number", "sample_index"), SAMPLES)
_LEVEL_NAMES = ("level", "state")
_NUMBER_NAMES = ("frame", "frame_number", "frame_id", "number")
_WITH_UNIT = re.compile(r"(.*?)\s*[(\[]\s*([^)\]]*?)\s*[)\]]")
_UNIT_WORDS = {
    **{name: name for name in (*UNITS, SAMPLES)},
    **dict.fromkeys(("µs", "μs", f"{UNREADABLE}s", "usec", "microseconds"), "us"),
    **dict.fromkeys(("msec", "msecs", "milliseconds"), "ms"),
    **dict.fromkeys(("sec", "secs", "seconds", "second"), "s"),
    **dict.fromkeys(("minutes", "mins"), "min"),
    **dict.fromkeys(("hour", "hours"), "h"),
    **dict.fromkeys(("day", "days"), "d"),
}
_NO_UNIT = ("", "-", "1", "0/1", "a.u.", "#", "bool", "logical")
_HEADING_ROWS = 4


@dataclass(frozen=True)
class Heading:
    """The names of the columns in small letters, none without a line of names; and their units, empty if unknown."""

    names: tuple[str, ...] = ()
    units: tuple[str, ...] = ()


@dataclass(frozen=True)
class Columns:
    """The places of the columns that are read; None for one that the file lacks. ``second`` is that of the times."""

    time: int | None
    level: int | None
    number: int | None
    where: tuple[int, str] | None
    second: float


def split_heading(
    path: Path, rows: Iterator[NumberedRow], separator: str
) -> tuple[Heading, Iterator[NumberedRow], int]:
    """Return the heading, the rows behind it, and the number of their columns. Raises ``RecordError``.

    A first row is one of names if it has no number, or a word where the next row has a number. ``write.table`` of R
    numbers the rows, and gives this column no name.
    """
    comment: list[str] = []
    first: list[NumberedRow] = []
    for row in rows:
        if is_comment(row[1]):
            comment = [row[1][0].lstrip("# "), *row[1][1:]]
        else:
            rows = (row for row in rows if not is_comment(row[1]))
            first = [row, *islice(rows, _HEADING_ROWS - 1)]
            break
    if not first:
        raise RecordError(f"{path}: is empty")
    (_, top), *rest = first
    if not _is_heading(top, rest[0][1] if rest else []):
        named = len(comment) == len(top) and _known_column(
            comment, (*_TIME_NAMES, *_SAMPLE_NAMES, *_LEVEL_NAMES, *_NUMBER_NAMES)
        )
        return _heading(comment, []) if named else Heading(), chain(first, rows), len(top)
    units: list[str] = []
    if has_row_numbers(top, [cells for _, cells in rest], separator):
        top = ["", *top]
    if rest and not any(map(is_number_or_time, rest[0][1])):
        line, units = rest[0]
        if any(word.strip("()[] ").lower() not in (*_UNIT_WORDS, *_NO_UNIT) for word in units):
            raise RecordError(f"{path}:{line}: has no number and no time: wanted one line of names, and then the rows")
        rest = rest[1:]
    return _heading(top, units), chain(rest, rows), len(top)


def find_columns(path: Path, options: ReadOptions, heading: Heading, count: int) -> Columns:
    """Return the columns that the options name, or else the heading. Raises ``ConfigError``."""
    number = _chosen(path, "--number", options.number, heading, count)
    if options.number is None:
        number = _usual(path, "--number", heading, _NUMBER_NAMES)
    time = _chosen(path, "--time", options.time, heading, count)
    if options.time is None:
        time = _usual(path, "--time", heading, tuple(_TIME_NAMES))
        if time is None:  # a clock has its own rate, which a number of samples lacks
            time = _usual(path, "--time", heading, tuple(_SAMPLE_NAMES))
    level = _chosen(path, "--level", options.level, heading, count)
    if options.level is None:
        level = _usual(path, "--level", heading, _LEVEL_NAMES)
    if time is None and number is None:
        if (count > 1 and heading.names) or level == 0:
            named = ", ".join(filter(None, heading.names)) or f"1 to {count}"
            raise ConfigError(f"{path}: which column has the times? --time one of: {named}")
        time = 0
    where = None
    if options.where is not None:
        place = _chosen(path, "--where", options.where[0], heading, count)
        where = None if place is None else (place, options.where[1])
    return Columns(time, level, number, where, _second(path, options, heading, time))


def _letters(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_")


def _is_heading(top: Sequence[str], below: Sequence[str]) -> bool:
    are_numbers = [is_number_or_time(cell) for cell in top]
    if not any(are_numbers):
        return True
    pairs = zip(top, are_numbers, below, strict=False)
    return any(cell and not is_number and is_number_or_time(under) for cell, is_number, under in pairs)


def _heading(cells: Sequence[str], units: Sequence[str]) -> Heading:
    names, found = [], []
    for index, cell in enumerate(cells):
        with_unit = _WITH_UNIT.fullmatch(cell.lower())
        below = units[index].strip("()[] ").lower() if index < len(units) else ""
        names.append(with_unit[1] if with_unit else cell.lower())
        found.append(with_unit[2] if with_unit else below)
    return Heading(tuple(names), tuple(found))


def _known_column(cells: Sequence[str], known: Sequence[str]) -> bool:
    return any(_letters(name) in known for name in _heading(cells, []).names)


def _chosen(path: Path, option: str, wanted: str | None, heading: Heading, count: int) -> int | None:
    """Return the place of a column that an option names, by its name or its number. Raises ``ConfigError``."""
    if wanted is None:
        return None
    name = _heading([wanted], []).names[0]
    place = _usual(path, option, heading, (name,))
    if place is not None:
        return place
    if wanted.isdecimal() and 1 <= int(wanted) <= count:
        return int(wanted) - 1
    there = f"one of {', '.join(heading.names)}, or " if heading.names else ""
    raise ConfigError(f"{path}: has no column {wanted!r:.60}; {option} takes {there}a number from 1 to {count}")


def _usual(path: Path, option: str, heading: Heading, known: Sequence[str]) -> int | None:
    """Return the column with one of these names. Raises ``ConfigError`` if several columns have one."""
    sought = {_letters(name) for name in known}
    places = [place for place, name in enumerate(heading.names) if _letters(name) in sought]
    if len(places) > 1:
        named = " and ".join(f"{heading.names[place]} ({place + 1})" for place in places)
        raise ConfigError(f"{path}: has the columns {named}: choose one by its number, {option} N")
    return places[0] if places else None


def _second(path: Path, options: ReadOptions, heading: Heading, time: int | None) -> float:
    if time is None or time >= len(heading.names):
        return options.second()
    name, unit = heading.names[time], heading.units[time]
    if options.unit is None and unit not in (*_UNIT_WORDS, *_NO_UNIT):
        raise ConfigError(f"{path}: the times are in {unit!r:.40}: which unit is it? --unit one of: {', '.join(UNITS)}")
    usual = {**_TIME_NAMES, **_SAMPLE_NAMES}.get(_letters(name), "s")
    try:
        return options.second(_UNIT_WORDS.get(unit) or usual)
    except ConfigError as error:
        raise ConfigError(f"{path}: {name}: {error}") from None
