"""The layout of the start and end screens: a name on the left, its value on the right."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from contextlib import suppress
from typing import TextIO

from rich.box import HEAVY
from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from rig.terminal.console import SafeConsole
from rig.terminal.output import styled_output

WIDEST = 120
"""Lines wider than this are hard to read."""
NAME_WIDTH = len("experimenter")

Row = tuple[str, RenderableType]


def write(rows: Iterable[Row], file: TextIO | None) -> None:
    """Write rows, folded at the width of the terminal, or at 80 columns without one."""
    if file is None:
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim", no_wrap=True, width=NAME_WIDTH)
    table.add_column(overflow="fold")
    for name, value in rows:
        table.add_row(name, value)
    write_part(table, file)


def write_part(what: RenderableType, file: TextIO) -> None:
    """Write a part of a screen at the width of the terminal, at most ``WIDEST`` columns."""
    place = SafeConsole(file=file)
    sheet = io.StringIO()
    paper = SafeConsole(file=sheet, width=min(place.width, WIDEST), force_terminal=place.is_terminal)
    paper.print(what)
    say(*(line.rstrip() for line in sheet.getvalue().splitlines()), file=styled_output(file))


def box(text: str, file: TextIO | None) -> None:
    """Write an important text: in a bold frame on a terminal, else as a line."""
    if file is None:
        return
    terminal = SafeConsole(file=file).is_terminal
    write_part(Panel(Text(text), style="bold reverse", box=HEAVY) if terminal else Text(text), file)


def say(*lines: str, file: TextIO | None, sep: str = "\n") -> None:
    """Write lines, or the cells of one; a closed terminal does not fail a session."""
    if file is None:
        return
    try:
        print(*lines, sep=sep, file=file, flush=True)
    except OSError:
        with suppress(OSError):  # the rest of the buffer goes to null, so that the flush at exit cannot fail
            os.dup2(os.open(os.devnull, os.O_WRONLY), file.fileno())


def warning(text: str) -> Row:
    """Build a row of a warning."""
    return "warning", Text(text, style="bold yellow")
