"""What every analysis does with its answer: tables for a person, files, and what is left out without the extra."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import rich.table
from rich.text import Text

from rig.analysis.common.tables import Table
from rig.core.errors import ConfigError
from rig.terminal.console import SafeConsole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

EXTRA = ("scipy", "matplotlib")
INSTALL = "pip install 'behavior-rig[analysis]'"

PLAIN_COLUMNS = 160
"""Width of what is not a terminal."""


def missing_extra() -> list[str]:
    """Return the packages of the extra that are not installed."""
    return [name for name in EXTRA if find_spec(name) is None]


def left_out(missing: Sequence[str]) -> Iterator[str]:
    """Return what is left out for want of them, and what to install."""
    if missing:
        what = "fits and figures are" if "scipy" in missing else "figures are"
        yield f"{what} left out, for want of {' and '.join(missing)}: {INSTALL}"


def draw_into(folder: str, figures: Iterator[tuple[str, Figure]]) -> list[str]:
    """Build the folder and draw there; return the figures' paths. Raises ``ConfigError``."""
    from rig.analysis.common.style import save_all

    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        return [str(path) for path in save_all(figures, Path(folder))]
    except OSError as error:
        raise ConfigError(f"--figures {folder}: cannot be written: {error.strerror}: wanted a folder") from None


def print_answer(tables: Iterable[Table], notes: Sequence[str], written: Sequence[str]) -> None:
    """Print the tables, then what the reader must know, then what was written."""
    paper = SafeConsole()
    if not paper.is_terminal:
        paper = SafeConsole(width=PLAIN_COLUMNS)
    for table in tables:
        if table.rows:
            paper.print()
            _print_table(paper, table)
    for line in (*(f"note: {note}" for note in notes), *(f"written: {path}" for path in written)):
        paper.print(line, soft_wrap=True)


def _print_table(paper: SafeConsole, table: Table) -> None:
    if table.most_rows is not None and len(table.rows) > table.most_rows:
        paper.print(f"{len(table.rows)} sessions: each of them is in the answer to --json")
        return
    drawn = rich.table.Table(*table.header, box=None, padding=(0, 2, 0, 0))
    drawn.columns[0].no_wrap = True
    for column in drawn.columns[1:]:
        column.justify = "right"
    for row in table.rows:
        drawn.add_row(*row)
    paper.print(Text(table.title, "bold"))
    paper.print(drawn)
