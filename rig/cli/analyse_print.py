"""What every analysis does with its answer: tables for a person, files, and what is left out without the extra."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from rich.table import Table
from rich.text import Text

from rig.core.errors import ConfigError, RecordError
from rig.files import write_whole
from rig.terminal.console import Paper

EXTRA = ("scipy", "matplotlib")
INSTALL = "pip install 'behaviour-rig[analysis]'"

MOST_SESSIONS = 30
"""More are not listed one by one; ``--json`` has them all."""

PLAIN_COLUMNS = 160
"""Width of what is not a terminal."""

Rows = Iterator[tuple[str, ...]]


def missing_extra() -> list[str]:
    """Name the packages of the extra that are not installed."""
    return [name for name in EXTRA if find_spec(name) is None]


def left_out(missing: Sequence[str]) -> Iterator[str]:
    """Say what is left out for want of them, and what to install."""
    if missing:
        what = "fits and figures are" if "scipy" in missing else "figures are"
        yield f"{what} left out, for want of {' and '.join(missing)}: {INSTALL}"


def draw_into(folder: str, draw: Callable[[Path], Sequence[Path]]) -> list[str]:
    """Make the folder and draw there; return the figures' paths. Raises ``ConfigError``."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return [str(path) for path in draw(Path(folder))]
    except OSError as error:
        raise ConfigError(f"--figures {folder}: cannot be written: {error.strerror}: wanted a folder") from None


def write_table(option: str, path: str, text: str) -> None:
    """Write what an option asked for. Raises ``ConfigError``."""
    place = Path(path)
    try:
        if place.is_file() or not place.exists():
            write_whole(place, text)
        else:  # such as /dev/stdout
            place.write_text(text, encoding="utf-8", newline="")
    except RecordError as error:
        raise ConfigError(f"{option} {error}: wanted a file's path") from None
    except OSError as error:
        raise ConfigError(f"{option} {path}: cannot be written: {error.strerror}: wanted a file's path") from None


def open_console() -> Paper:
    """Print as wide as the terminal, or as wide as tables are read in a file."""
    console = Paper()
    return console if console.is_terminal else Paper(width=PLAIN_COLUMNS)


def print_table(console: Paper, title: str, header: Sequence[str], rows: Rows) -> None:
    """Print a table, unless it is empty."""
    lines = list(rows)
    if not lines:
        return
    table = Table(*header, box=None, padding=(0, 2, 0, 0))
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    for line in lines:
        table.add_row(*line)
    console.print()
    console.print(Text(title, "bold"))
    console.print(table)


def print_sessions(console: Paper, count: int, header: Sequence[str], rows: Rows, title: str = "sessions") -> None:
    """Print a line a session, unless they are many."""
    if count > MOST_SESSIONS:
        console.print()
        console.print(f"{count} sessions: each of them is in the answer to --json")
    else:
        print_table(console, title, header, rows)


def print_ending(console: Paper, notes: Sequence[str], written: Sequence[str]) -> None:
    """Print what the reader must know, then what was written."""
    for line in (*(f"note: {note}" for note in notes), *(f"written: {path}" for path in written)):
        console.print(line, soft_wrap=True)


def number(value: float, digits: int = 4) -> str:
    """Write a number, or a dash when there is none."""
    return "-" if math.isnan(value) else f"{value:.{digits}f}"


def spread(value: float, by: float, digits: int = 4) -> str:
    """Write a number with its spread, where it has one."""
    return number(value, digits) if math.isnan(by) else f"{number(value, digits)} ± {number(by, digits)}"
