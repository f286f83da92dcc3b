"""Reading of CSV tables with a check of every row."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from rig.core.errors import ConfigError
from rig.core.journal.cells import unescape_formula

Row = Mapping[str, str]
Parsed = TypeVar("Parsed")

TRUTH = {"true": True, "1": True, "false": False, "0": False}


def read_table(
    path: Path, columns: Sequence[str], parse: Callable[[Row], Parsed], one: str, example: str
) -> list[Parsed]:
    """Read the rows of a file with at least these columns; ``one`` is the noun for a row in messages.

    ``parse`` raises ``ValueError`` with the mistake of a row. Raises ``ConfigError`` that names every such line.
    """
    try:
        # utf-8-sig: spreadsheets write a byte order mark, which would become part of the first column's name.
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, restkey="too much")
            found = tuple(reader.fieldnames or ())
            rows = [(reader.line_num, {name: _plain(cell) for name, cell in row.items()}) for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"{path}: cannot be read as {one}s: {_why(error)}") from None
    if not set(columns).issubset(found):
        raise ConfigError(f"{path}:1: a file of {one}s must begin with the line `{','.join(columns)}`")
    # All mistakes at once: a file of 700 rows with one wrong column would need 700 runs otherwise.
    parsed, mistakes = [], []
    for number, row in rows:
        try:
            if "too much" in row:
                raise ValueError("has too many columns")
            parsed.append(parse(row))
        except (KeyError, ValueError, TypeError) as error:
            mistakes.append(f"{path}:{number}: {_why(error)}; wanted a {one} such as `{example}`")
    if mistakes:
        raise ConfigError(*mistakes)
    if not parsed:
        raise ConfigError(f"{path}: has no {one}")
    return parsed


def _plain(cell: Any) -> Any:
    return unescape_formula(cell) if isinstance(cell, str) else cell


def begins_with(path: Path, columns: Sequence[str]) -> bool:
    """Whether line 1 of a file has these columns, others allowed."""
    try:
        # Programs such as R quote the names.
        with path.open(newline="", encoding="utf-8-sig") as file:
            return set(columns).issubset(next(csv.reader(file), []))
    except (OSError, UnicodeDecodeError, csv.Error):
        return False


def number_in(row: Row, name: str, low: float, high: float) -> float:
    """Return a cell as a number. Raises ``ValueError`` if it is out of bounds or infinite."""
    value = float(row[name])
    if not low <= value <= high or value == float("inf"):
        raise ValueError(f"{name} is {row[name]}, not {low:g} to {high:g}")
    return value


def truth_in(row: Row, name: str) -> bool:
    """Return a cell as a truth value. Raises ``ValueError`` if it is neither."""
    try:
        return TRUTH[row[name].lower()]
    except KeyError:
        raise ValueError(f"{name} is {row[name] or 'empty'}, not True or False") from None


def _why(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
