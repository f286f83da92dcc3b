"""Read edges from a table of text: comma, semicolon, tab or space between its columns, with or without a header."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path

import numpy as np

from rig.align.arrays import Floats
from rig.align.readers.csv_columns import Columns, NumberedRow, find_columns, split_heading
from rig.align.readers.levels import WANTED_LEVELS, level_of
from rig.align.readers.options import ReadOptions
from rig.align.readers.split_numbers import split_number
from rig.align.recording import MAX_EDGES, Recording
from rig.align.wraps import count_on
from rig.core.errors import ConfigError, RecordError
from rig.system.delimited_text import form_of, rows_of
from rig.system.written_numbers import number_of
from rig.system.written_times import TimeForm, time_form_of, written_seconds

MAX_BYTES = 4 << 30
_MOST_SAME = 0.1
_SAMPLED_ROWS = 1000
_MOST_VALUES = 8
"""So many values of a column are named in a message."""
_EXCEL_WORDS = {"wahr": "true", "falsch": "false"}
"""What a German Excel makes of true and false."""


@dataclass
class _Cells:
    """The cells of the columns that are read, and the reader of one time."""

    path: Path
    columns: Columns
    mark: str
    form: TimeForm | None
    """How the first time is written, if it is no number."""
    times: list[float] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    level_words: set[str] = field(default_factory=set)
    other_values: dict[str, None] = field(default_factory=dict)

    def add(self, line: int, cells: list[str]) -> None:
        """Read a row. Raises ``RecordError``."""
        columns = self.columns
        if columns.where is not None and not self._is_chosen(self._cell(line, cells, columns.where[0])):
            return
        if columns.time is not None:
            self.times.append(self._time(line, self._cell(line, cells, columns.time)))
        if columns.level is not None:
            self.levels.append(self._level(line, self._cell(line, cells, columns.level)))
        if columns.number is not None:
            self.numbers.append(self._integer(line, self._cell(line, cells, columns.number)))
        if max(len(self.times), len(self.numbers)) > MAX_EDGES:
            raise RecordError(f"{self.path}: has more than {MAX_EDGES} edges: give a part of it")

    def check(self) -> None:
        """Check what all rows together say. Raises ``RecordError`` and ``ConfigError``."""
        if {"0", "-1"} <= self.level_words:
            raise RecordError(f"{self.path}: has levels 1, 0 and -1: wanted two, or --where COLUMN=VALUE for one line")
        where = self.columns.where
        if where is not None and not self.times and not self.numbers:
            there = ", ".join(islice(self.other_values, _MOST_VALUES)) or "nothing"
            raise ConfigError(f"{self.path}: no row has {where[1]!r:.40} in the column of --where: there is {there}")

    def _is_chosen(self, cell: str) -> bool:
        wanted = self.columns.where[1] if self.columns.where is not None else ""
        if cell == wanted or _same_number(cell, wanted):
            return True
        if len(self.other_values) < _MOST_VALUES:
            self.other_values[cell] = None
        return False

    def _cell(self, line: int, cells: list[str], place: int) -> str:
        if place >= len(cells):
            raise RecordError(f"{self.path}:{line}: has {len(cells)} columns; wanted at least {place + 1}")
        return cells[place]

    def _time(self, line: int, text: str) -> float:
        try:
            value = written_seconds(text, self.form) if self.form else number_of(text, self.mark)
        except ValueError as error:
            other = "wanted a time, or no such row" if self.times else "--time COLUMN names the column of the times"
            other = "wanted a date such as 2026-11-21T09:00:12.527" if ":" in text and not self.form else other
            raise RecordError(f"{self.path}:{line}: time {text!r:.40}: {error}: {other}") from None
        if not math.isfinite(value):
            raise RecordError(f"{self.path}:{line}: time {text!r:.40}: is no number: wanted a time, or no such row")
        return value

    def _level(self, line: int, text: str) -> int:
        word = _level_word(text, self.mark)
        level = level_of(word)
        if level is None:
            raise RecordError(f"{self.path}:{line}: level {text!r:.40}: {WANTED_LEVELS}")
        self.level_words.add(word.removesuffix(".0"))
        return level

    def _integer(self, line: int, text: str) -> int:
        try:
            value = number_of(text, self.mark)
        except ValueError:
            value = -1
        if not (0 <= value < 1 << 53 and value == int(value)):
            raise RecordError(f"{self.path}:{line}: frame number {text!r:.40}: wanted a whole number from 0")
        return int(value)


def read_csv(path: Path, options: ReadOptions) -> Recording:
    """Read the edges of a table. Raises ``ConfigError`` for a column that is not there, ``RecordError`` for a cell.

    Columns are named by the header or by their number, from 1. Without options, the names of the header decide.
    """
    if not path.is_file() or path.stat().st_size > MAX_BYTES:
        raise RecordError(f"{path}: is no file of at most {MAX_BYTES >> 30} GB")
    form = form_of(path)
    heading, rows, count = split_heading(path, rows_of(path, form, comments=True), form.separator)
    columns = find_columns(path, options, heading, count)
    sample = list(islice(rows, _SAMPLED_ROWS))
    _check_split(path, sample, heading.names, form.separator, columns.time)
    first = sample[0][1][columns.time] if sample and columns.time is not None and columns.time < count else ""
    time_form = time_form_of(first)
    if time_form and options.unit is not None:
        raise ConfigError(f"{path}: its times are written as {first}: leave out --unit")
    cells = _Cells(path, columns, form.mark, time_form)
    for number, row in chain(sample, rows):
        if len(row) > count and heading.names and any(row[count:]):
            raise RecordError(
                f"{path}:{number}: has {len(row)} columns, and the first line names {count}: "
                "wanted a name for each column, and numbers with a decimal point"
            )
        cells.add(number, row)
    cells.check()
    recording = _recording(cells, options, 1.0 if time_form else columns.second)
    hints: tuple[str, ...] = (
        _rounding_hint(recording.times_s),
        _level_hint(heading.names, columns, sample, form.mark),
    )
    if not heading.names and count > 1 and options.time is None:
        hints = (*hints, "The first column was taken for the times: --time N")
    return replace(recording, hint=next(filter(None, hints), ""))


def _recording(cells: _Cells, options: ReadOptions, second: float) -> Recording:
    columns = cells.columns
    times = np.array(cells.times if columns.time is not None else [math.nan] * len(cells.numbers), dtype=np.float64)
    recording = Recording(
        times * second,
        np.array(cells.levels, dtype=np.int8) if columns.level is not None else None,
        options.resolution_s(),
        np.array(cells.numbers, dtype=np.int64) if columns.number is not None else None,
    )
    if columns.time is None or (cells.form and cells.form.has_date):
        return recording
    times_s, note = count_on(recording.times_s, second, options.wrap_s)
    return replace(recording, times_s=times_s, notes=(note,) if note else ())


def _level_word(text: str, mark: str) -> str:
    """Return a level as the table of levels writes it: numbers such as 1,00 and 0.0E+00 as 1.0 and 0.0."""
    word = text.lower()
    try:
        return str(number_of(word, mark))
    except ValueError:
        return _EXCEL_WORDS.get(word, word)


def _level_hint(names: Sequence[str], columns: Columns, rows: Sequence[NumberedRow], mark: str) -> str:
    """Return which column may have the levels, if none was named and one has nothing else; empty without one."""
    used = (columns.time, columns.number)
    for index, name in enumerate(names):
        levels = {level_of(_level_word(row[index], mark)) if index < len(row) else None for _, row in rows}
        if columns.level is None and index not in used and 0 in levels <= {0, 1}:
            return f"The column {name} has levels, 0 or 1: --level {name} if it is the level of the signal"
    return ""


def _rounding_hint(times_s: Floats) -> str:
    """Return how many edges have the time of the one before, if these are many; empty if they are few."""
    same = int(np.sum(np.diff(times_s) == 0))
    if same <= _MOST_SAME * len(times_s):
        return ""
    return f"{same} of {len(times_s)} edges have the same time as the edge before: were the times rounded?"


def _same_number(cell: str, wanted: str) -> bool:
    try:
        return number_of(cell) == number_of(wanted)
    except ValueError:
        return False


def _check_split(
    path: Path, rows: Sequence[NumberedRow], names: Sequence[str], separator: str, time: int | None
) -> None:
    """Check that the separator is no part of a number. Raises ``RecordError``."""
    if separator == " " and "" in names[1:]:
        raise RecordError(f"{path}: has spaces in names of columns and between them: wanted commas between them")
    number = "" if names else split_number([row for _, row in rows], separator, time)
    if number:
        raise RecordError(
            f"{path}:{rows[0][0]}: is {number} one number, with a decimal comma or a separator of thousands? "
            "Write it with a decimal point alone, or semicolons between the columns"
        )
