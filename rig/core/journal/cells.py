"""Tables as CSV files: any program reads them back, and none runs them.

They are UTF-8 and as RFC 4180 has them. They begin with no byte order mark: programs that read UTF-8 would take it for
a part of the first column's name. A spreadsheet is told the encoding when it imports.

A spreadsheet runs a cell that begins with ``=``, ``+``, ``-``, ``@``, a tab or a line break. A text that does so is
written with an apostrophe before it (OWASP, CSV injection), and reading takes one away again; a text that begins with
apostrophes and then one of these gets one more, so that every text comes back as it was. Numbers are never touched.
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
    """Write a text so that a file can hold it and no spreadsheet runs it."""
    text = visible(text)
    return f"'{text}" if _RUN.match(text) else text


def unescape_formula(cell: str) -> str:
    """Return the text that `escape_formula` was given."""
    return cell[1:] if _MADE_HARMLESS.match(cell) else cell


def csv_text(lines: Iterable[Sequence[str]]) -> str:
    """Write lines of cells: what holds commas, quotes or line breaks is quoted, lines end in CR LF."""
    table = io.StringIO(newline="")
    csv.writer(table, lineterminator="\r\n").writerows(lines)
    return table.getvalue()


def visible(value: Any) -> Any:
    """Write lone surrogates, which no file of text can hold, as their escapes, at any depth."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {visible(name): visible(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [visible(each) for each in value]
    return value
