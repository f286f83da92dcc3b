"""How the screens are set: a name on the left, what there is to say on its right."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

WIDEST = 120
"""Nobody reads longer lines, however wide the terminal."""
NAME_WIDTH = len("experimenter")

Row = tuple[str, RenderableType]


def write(rows: Iterable[Row], file: TextIO | None) -> None:
    """Write rows, folded where the terminal ends; 80 columns where there is none."""
    if file is None:
        return
    place = Console(file=file)
    sheet = io.StringIO()
    paper = Console(file=sheet, width=min(place.width, WIDEST), force_terminal=place.is_terminal, highlight=False)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True, width=NAME_WIDTH)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, Text(value) if isinstance(value, str) else value)
    paper.print(table)
    say(*(line.rstrip() for line in sheet.getvalue().splitlines()), file=file)


def say(*lines: str, file: TextIO | None) -> None:
    """Write lines as they are; a terminal that has been closed is no failure of a session."""
    if file is None:
        return
    coding = file.encoding or "utf-8"
    text = "".join(f"{line}\n" for line in lines).encode(coding, "replace").decode(coding)
    try:
        file.write(text)
        file.flush()
    except OSError:
        with suppress(OSError):  # what is still in the buffer must not fail again
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def warning(text: str) -> Row:
    """Make a row of a warning."""
    return "warning", Text(text, style="bold yellow")
