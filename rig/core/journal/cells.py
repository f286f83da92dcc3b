"""CSV files that any program can read and no spreadsheet executes.

They are UTF-8 and follow RFC 4180, without a byte order mark: programs that read UTF-8 would take it as part of the
first column's name. Choose UTF-8 when a spreadsheet imports them.

A spreadsheet executes a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break. Such a text is written
with an apostrophe before it (OWASP, CSV injection), and reading removes one. A text that begins with apostrophes and
then one of these gets one more, so that every text is restored exactly. Numbers are never changed.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Any

_RUN = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_MADE_HARMLESS = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def escape_formula(text: str) -> str:
    """Return a text that a file can hold and no spreadsheet executes."""
    text = escape_surrogates(text)
    return f"'{text}" if _RUN.match(text) else text


def unescape_formula(cell: str) -> str:
    """Return the text that `escape_formula` escaped."""
    return cell[1:] if _MADE_HARMLESS.match(cell) else cell


def csv_text(lines: Iterable[Sequence[str]]) -> str:
    """Return rows of cells as CSV: cells with commas, quotes or line breaks are quoted, lines end in CR LF."""
    table = io.StringIO(newline="")
    csv.writer(table, lineterminator="\r\n").writerows(lines)
    return table.getvalue()


def escape_surrogates(value: object) -> Any:
    """Return a value with lone surrogates, which no text file can hold, as their escapes, at any depth."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {escape_surrogates(name): escape_surrogates(cell) for name, cell in value.items()}
    if isinstance(value, list | tuple):
        return [escape_surrogates(cell) for cell in value]
    return value
