"""Printed tables, and the format of their numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.system.atomic_files import write_atomic

MOST_SESSIONS = 30
"""Most sessions listed one by one; ``--json`` has all of them."""

Rows = Iterator[tuple[str, ...]]


@dataclass(frozen=True)
class Table:
    """Title, header, and rows of cells; the first cell names the row. A table without rows is not printed.

    With more than ``most_rows`` rows only their number is printed.
    """

    title: str
    header: Sequence[str]
    rows: tuple[tuple[str, ...], ...]
    most_rows: int | None = None

    def __post_init__(self) -> None:
        """Check that cells are text. Raises ``TypeError``."""
        for row in self.rows:
            for cell in row:
                if not isinstance(cell, str):
                    raise TypeError(f"table '{self.title}': the cell {cell!r:.40} is not text: wanted str")

    @classmethod
    def of(cls, title: str, header: Sequence[str], rows: Iterable[tuple[str, ...]]) -> Table:
        """Build a table."""
        return cls(title, header, tuple(rows))

    @classmethod
    def of_sessions(cls, header: Sequence[str], rows: Iterable[tuple[str, ...]], title: str = "sessions") -> Table:
        """Build a table with one row per session."""
        return cls(title, header, tuple(rows), MOST_SESSIONS)


def number(value: float, digits: int = 4) -> str:
    """Return a number as text; a dash for NaN."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def spread(value: float, by: float, digits: int = 4) -> str:
    """Return a number and its spread as text; the number alone if the spread is NaN."""
    return number(value, digits) if math.isnan(by) else f"{number(value, digits)} ± {number(by, digits)}"


def write_file(flag: str, path: str, text: str) -> str:
    """Write the file of an option; return its path. Raises ``ConfigError``."""
    place = Path(path)
    try:
        if place.is_file() or not place.exists():
            write_atomic(place, text)
        else:  # such as /dev/stdout
            place.write_text(text, encoding="utf-8", newline="")
    except RecordError as error:
        raise ConfigError(f"{flag} {error}: wanted a file's path") from None
    except OSError as error:
        raise ConfigError(f"{flag} {path}: cannot be written: {error.strerror}: wanted a file's path") from None
    return path
