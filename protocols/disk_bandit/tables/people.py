"""Tables of subjects: one row per subject, one column per trait, such as sex or grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rig.core.errors import ConfigError
from rig.system.delimited_text import UNREADABLE, header_of
from rig.system.written_numbers import number_of
from rig.table_files.read_table import Row, is_missing, name_in, read_table

SUBJECT = "subject"

_EXAMPLE = "P7,f,3.4,waited"


def read_people(path: Path) -> dict[str, Mapping[str, str]]:
    """Read the traits of every subject, by name and column; an empty cell is an unknown value.

    Raises ``ConfigError`` that names every line that is not a subject, and subjects with two rows.
    """
    rows = read_table(path, (SUBJECT,), _person, "subject", _EXAMPLE)
    columns = Counter(name for name in header_of(path) if name)
    if doubled := [name for name, count in columns.items() if count > 1]:
        raise ConfigError(*(f"{path}:1: has the column {name} twice: wanted it once" for name in doubled))
    often = Counter(name for name, _ in rows)
    if twice := [name for name, count in often.items() if count > 1]:
        raise ConfigError(*(f"{path}: {name} has more than one row: wanted one row per subject" for name in twice))
    if mistakes := [f"{path}: {mistake}" for column in columns for mistake in _no_numbers(rows, column)]:
        raise ConfigError(*mistakes)
    return dict(rows)


def _no_numbers(rows: Sequence[tuple[str, Mapping[str, str]]], column: str) -> Iterator[str]:
    """Yield the cells of a column that are no numbers, if most others are: it would count as one of words."""
    cells = [(subject, traits[column]) for subject, traits in rows if traits.get(column)]
    words = [(subject, cell) for subject, cell in cells if not _is_number(cell)]
    if 2 * len(words) < len(cells):
        for subject, word in words:
            yield f"{column} of {subject} is {word}, and most others are numbers: wanted a number, or an empty cell"


def _is_number(cell: str) -> bool:
    try:
        number_of(cell)
    except ValueError:
        return False
    return True


def _person(row: Row) -> tuple[str, Mapping[str, str]]:
    name = name_in(row, SUBJECT)
    columns = [column for column in row if column not in (SUBJECT, "")]
    if unreadable := [column for column in columns if UNREADABLE in column]:
        raise ValueError(f"the column {unreadable[0]} is not in UTF-8: save the table as UTF-8")
    if not columns:
        raise ValueError("has no column besides the subject")
    return name, {column: "" if is_missing(row[column]) else name_in(row, column) for column in columns}
