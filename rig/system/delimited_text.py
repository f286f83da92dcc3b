"""Read tables of text that other programs wrote: their encoding, separator and decimal mark are found first.

A table in UTF-16 or UTF-32 is recognized by its byte order mark, or by its zeros. All else is read as UTF-8; a byte
that is none becomes U+FFFD (``UNREADABLE``). A cell with it is no number, and who reads names must refuse it.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import RecordError
from rig.system.atomic_files import read_errors
from rig.system.written_numbers import POINT, AmbiguousNumberError, decimal_mark, plain_number
from rig.system.written_times import time_form_of

UNREADABLE = "\ufffd"
NO_SEPARATOR = "\x1f"
"""The separator of a table with one column: no cell holds it."""

_SAMPLE = 1 << 16
_SEPARATOR_LINES = 100
_FEWEST_ZEROS = 0.3
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark its own begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_SEPARATORS = ("\t", ";", ",", "|", " ")
"""The first of several that fit equally well is taken."""
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?\s*', re.IGNORECASE)
_SPREADSHEET_ERROR = re.compile(r"#(#+|N/?A|NAME\?|REF!|VALUE!|DIV/0!|NUM!|NULL!)", re.IGNORECASE)
_CONTROL = re.compile(r"[\0-\x08\x0e-\x19\x1b-\x1f]")
_WORD = re.compile(r"[^\s,;\t|\"]*")


@dataclass(frozen=True)
class TextForm:
    """How a table is written; ``separator_line`` is the line in which Excel names the separator, 0 without it."""

    encoding: str
    separator: str
    mark: str
    separator_line: int = 0


def form_of(path: Path) -> TextForm:
    """Return the form of a table, from its first 64 KB. Raises ``RecordError`` if it is no table of text."""
    if path.exists() and not (path.is_file() or path.is_dir()):
        # Opening a pipe would block without end.
        raise RecordError(f"{path}: is a pipe or a device: save the table as a file")
    with read_errors(path), path.open("rb") as file:
        head = file.read(_SAMPLE + 1)
    encoding = _encoding(path, head)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(head[:_SAMPLE])
    if _CONTROL.search(text):
        raise RecordError(f"{path}: is no table of text: wanted one in UTF-8 or UTF-16")
    lines = text.splitlines(keepends=True)
    if len(head) > _SAMPLE:
        del lines[-1]  # cut by the sample, not by the writer
    named = next(((number, line) for number, line in enumerate(lines, 1) if line.strip()), (0, ""))
    by_excel = _SEPARATOR_LINE.fullmatch(named[1])
    lines = [
        line for line in lines if not is_comment(re.split(r"[,;\t]", line)) and not (by_excel and line is named[1])
    ]
    separator = by_excel[1] if by_excel else _separator("".join(lines[:_SEPARATOR_LINES]))
    rows = _parsed("".join(lines), separator)
    return TextForm(encoding, separator, _mark(path, rows[1:] or rows, separator), named[0] if by_excel else 0)


def rows_of(path: Path, form: TextForm, *, comments: bool = False) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, and the numbers of their lines; cells without spaces around them.

    Lines that begin with # are left out, unless ``comments`` asks for them. Raises ``RecordError``.
    """
    with read_errors(path), path.open(encoding=form.encoding, errors="replace", newline="") as file:
        lines = csv.reader(file, delimiter=form.separator, skipinitialspace=True, strict=True)
        try:
            for cells in lines:
                found = [cell.strip() for cell in cells if cell or form.separator != " "]
                if not any(found) or lines.line_num == form.separator_line:
                    continue
                if comments or not is_comment(found):
                    yield lines.line_num, found
        except csv.Error as error:
            raise RecordError(f"{path}:{lines.line_num}: is no table of text: {error}") from None
        except UnicodeError as error:
            raise RecordError(f"{path}: is no text: {error}: save it as UTF-8") from None


def header_of(path: Path) -> list[str]:
    """Return the cells of a table's first row, none of an empty file. Raises ``RecordError``."""
    return next(rows_of(path, form_of(path)), (0, []))[1]


def is_open_ended(path: Path) -> bool:
    """Whether the last line of a file has no line end."""
    with read_errors(path), path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 4))
        return not file.read().rstrip(b"\0").endswith((b"\n", b"\r"))


def has_row_numbers(header: Sequence[str], rows: Sequence[Sequence[str]], separator: str) -> bool:
    """Whether the rows begin with their numbers, and the header has no name for these, as ``write.table`` of R does.

    With commas it may be a decimal comma that makes a row longer.
    """
    return (
        separator != ","
        and len(rows) > 1
        and all(len(cells) == len(header) + 1 and cells[0] == str(number) for number, cells in enumerate(rows, 1))
    )


def is_number_or_time(cell: str) -> bool:
    """Whether a cell holds a number with either decimal mark, or a time of day or date."""
    return _is_number(cell) or time_form_of(cell) is not None


def _encoding(path: Path, head: bytes) -> str:
    if head.startswith(_WORKBOOKS):
        raise RecordError(f"{path}: is a workbook: save its sheet as CSV UTF-8")
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if marked is not None:
        return marked
    zeros = (head[::2].count(0), head[1::2].count(0))
    if not any(zeros):
        return "utf-8"
    written = head.rstrip(b"\0")
    if written and b"\0" not in written:
        raise RecordError(
            f"{path}: has only zeros from byte {len(written) + 1} on: it was not saved to its end, or is no text"
        )
    # Digits and Latin letters have a zero beside each byte; other files with zeros are no text.
    for name, many, few in (("utf-16-le", zeros[1], zeros[0]), ("utf-16-be", zeros[0], zeros[1])):
        if many > _FEWEST_ZEROS * len(head) / 2 and few < 0.1 * many:
            return name
    raise RecordError(f"{path}: is no table of text: wanted one in UTF-8 or UTF-16")


def _mark(path: Path, rows: Sequence[Sequence[str]], separator: str) -> str:
    try:
        return decimal_mark(cell for row in rows for cell in row)
    except AmbiguousNumberError as error:
        if separator == ",":  # a quoted comma is then text, such as a list
            return POINT
        raise RecordError(f"{path}: {error}") from None


def is_comment(cells: Sequence[str]) -> bool:
    """Whether a row begins with #, and not with an error of a spreadsheet, such as #N/A."""
    first = cells[0].strip()
    return first.startswith("#") and (len(cells) == 1 or not _SPREADSHEET_ERROR.fullmatch(first))


def _separator(text: str) -> str:
    """Return the separator that gives the most rows the same number of columns, and the most cells that are plain.

    The first row must have it. A table of one column has none.
    """
    whole = [line.strip() for line in text.splitlines()]
    best, best_score = NO_SEPARATOR, 1.5 * _plain_share([[line] for line in whole])
    for separator in _SEPARATORS:
        rows = _parsed(text, separator)
        if not rows or len(rows[0]) < 2:
            continue
        # The last row may be torn, or cut by the sample.
        counts = Counter(len(row) for row in rows[:-1] or rows)
        usual, often = counts.most_common(1)[0]
        score = _plain_share(rows) + 0.5 * often / counts.total()
        if usual > 1 and (score > best_score or (best == NO_SEPARATOR and score == best_score)):
            best, best_score = separator, score
    return best


def _plain_share(rows: Sequence[Sequence[str]]) -> float:
    cells = [cell for row in rows for cell in row]
    return sum(_is_plain(cell) for cell in cells) / max(1, len(cells))


def _is_plain(cell: str) -> bool:
    return _WORD.fullmatch(cell) is not None or is_number_or_time(cell)


def _is_number(cell: str) -> bool:
    for mark in (".", ","):
        try:
            plain_number(cell, mark)
        except AmbiguousNumberError:
            return True
        except ValueError:
            continue
        return True
    return False


def _parsed(text: str, separator: str) -> list[list[str]]:
    """Return the rows of a sample; a quoted cell may hold line breaks."""
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, skipinitialspace=True)
    found: list[list[str]] = []
    with suppress(csv.Error):  # a cell that never ends; reading the table says where
        found.extend([cell.strip() for cell in row if cell or separator != " "] for row in rows)
    return [row for row in found if any(row)]
