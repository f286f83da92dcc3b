"""The line of a protocol that called into this package."""

from __future__ import annotations

import sys
from typing import TypeAlias

CodeLine: TypeAlias = tuple[str, int]
"""A file of Python and the number of a line in it."""

_PACKAGE = sys.modules[__name__.partition(".")[0]].__path__[0]


def line_above(levels: int) -> CodeLine:
    """Return the line of the caller ``levels`` calls above the function that asks; 1 is its direct caller."""
    frame = sys._getframe(levels + 1)  # noqa: SLF001 (the public way goes up frame by frame)
    return frame.f_code.co_filename, frame.f_lineno


def is_own(line: CodeLine) -> bool:
    """Whether a line is of this package, so that no author can change it."""
    return line[0].startswith((f"{_PACKAGE}/", f"{_PACKAGE}\\"))


def line_text(line: CodeLine) -> str:
    """Return a line as messages show it: ``hold.py:44``."""
    name = line[0].replace("\\", "/").rpartition("/")[2]
    return f"{name}:{line[1]}"
