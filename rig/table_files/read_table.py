"""Reading of CSV tables with a check of every row.

What is certain is read as it was meant: separators, decimal commas, encodings, names in other letters. What may change
a result is refused with its line: rows that are doubled or out of order, torn rows, two columns of one name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.cells import unescape_formula
from rig.system.delimited_text import (
    UNREADABLE,
    form_of,
    has_row_numbers,
    header_of,
    is_comment,
    is_open_ended,
    rows_of,
)
from rig.system.written_numbers import number_of, plain_number

Row = Mapping[str, str]
Numbered = tuple[int, Row]
Parsed = TypeVar("Parsed")

TRUTH = {
    **dict.fromkeys(("true", "1", "1.0", "wahr"), True),
    **dict.fromkeys(("false", "0", "0.0", "falsch"), False),
}
"""``wahr`` and ``falsch`` is what a German Excel makes of true and false."""
MISSING = ("na", "n/a", "#n/a", "#nv", "nan", "null", "none", "-")
"""Cells that are empty, as other programs write them, in small letters."""


@dataclass(frozen=True)
class Order(Generic[Parsed]):
    """A column whose values never decrease from row to row; among rows of one ``group``, if there are groups.

    ``position`` returns None for a row without one. ``strict``: they always increase. ``begins`` is where a row begins
    that lasts until its position: not before the position of the row before. ``wanted`` is what would be right.
    """

    column: str
    position: Callable[[Parsed], float | None]
    group: Callable[[Parsed], tuple[object, ...]] = lambda _: ()
    strict: bool = False
    begins: Callable[[Parsed], float] | None = None
    wanted: str = ""


def read_table(
    path: Path,
    columns: Sequence[str],
    parse: Callable[[Row], Parsed],
    one: str,
    example: str,
    *,
    optional: Sequence[str] = (),
    orders: Sequence[Order[Parsed]] = (),
) -> list[Parsed]:
    """Read the rows of a file with at least these columns; ``one`` is the noun for a row in messages.

    ``parse`` raises ``ValueError`` with the mistake of a row. Raises ``ConfigError`` that names every such line, and
    the first of those that are doubled or out of order.
    """
    try:
        rows = _rows(path, columns, optional, one, example)
    except RecordError as error:
        why = str(error).removeprefix(f"{path}: ").removeprefix("cannot be read: ")
        raise ConfigError(f"{path}: cannot be read as {one}s: {why}") from None
    # All mistakes at once: a file of 700 rows with one wrong column would need 700 runs otherwise.
    parsed: list[tuple[int, Parsed]] = []
    mistakes = []
    for number, row in rows:
        try:
            parsed.append((number, parse(row)))
        except (KeyError, ValueError, TypeError) as error:
            mistakes.append(f"{path}:{number}: {error}; wanted a {one} such as `{example}`")
    mistakes = mistakes or [*_doubled(path, rows), *_unordered(path, parsed, orders)]
    if mistakes:
        raise ConfigError(*mistakes)
    if not parsed:
        raise ConfigError(f"{path}: has no {one}")
    return [row for _, row in parsed]


def begins_with(path: Path, columns: Sequence[str]) -> bool:
    """Whether the first row of a file has the names of these columns, others allowed."""
    try:
        return set(columns).issubset(known_names(header_of(path), columns))
    except (RecordError, OSError):
        return False


def known_names(header: Sequence[str], known: Sequence[str]) -> list[str]:
    """Return the names of a header; those that are a known one in other letters or with spaces become this one."""
    spelled = {_letters(name): name for name in known}
    return [spelled.get(_letters(name), name) for name in header]


def number_in(row: Row, name: str, low: float, high: float) -> float:
    """Return a cell as a number. Raises ``ValueError`` if it is out of bounds or infinite."""
    if is_missing(row.get(name)):
        raise ValueError(f"has no {name}" + (f" ({row[name]})" if row.get(name) else ""))
    try:
        value = number_of(row[name])
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
    if not low <= value <= high or value == float("inf"):
        raise ValueError(f"{name} is {row[name]}, not {low:g} to {high:g}")
    return value


def whole_in(row: Row, name: str, low: float, high: float) -> int:
    """Return a cell as a whole number, also if it is written as 1.0. Raises ``ValueError``."""
    value = number_in(row, name, low, high)
    if value != int(value):
        raise ValueError(f"{name} is {row[name]}, not a whole number")
    return int(value)


def truth_in(row: Row, name: str) -> bool:
    """Return a cell as a truth value. Raises ``ValueError`` if it is neither."""
    try:
        return TRUTH[row[name].lower()]
    except KeyError:
        raise ValueError(f"{name} is {row.get(name) or 'empty'}, not True or False") from None


def name_in(row: Row, name: str) -> str:
    """Return a cell as a name; a whole number that was written as 12.0 is 12. Raises ``ValueError`` without one."""
    word = row[name]
    if is_missing(word):
        raise ValueError(f"has no {name}")
    if UNREADABLE in word:
        raise ValueError(f"{name} is {word}, not in UTF-8: save the table as UTF-8")
    whole, point, zeros = word.partition(".")
    return whole if point and whole.isdecimal() and not zeros.strip("0") else word


def is_missing(cell: str | None) -> bool:
    """Whether a cell is empty, or says that its value is missing."""
    return not cell or cell.lower() in MISSING


def _letters(name: str) -> str:
    return name.strip().casefold().replace(" ", "_").replace("-", "_")


def _rows(path: Path, columns: Sequence[str], optional: Sequence[str], one: str, example: str) -> list[Numbered]:
    """Return the rows by column, and the numbers of their lines. Raises ``ConfigError`` and ``RecordError``."""
    form = form_of(path)
    lines = rows_of(path, form, comments=True)
    first, header = next((line for line in lines if not is_comment(line[1])), (1, []))
    names = known_names(header, (*columns, *optional))
    if not set(columns).issubset(names):
        raise ConfigError(f"{path}:{first}: a file of {one}s must begin with the line `{','.join(columns)}`")
    often = Counter(name for name in names if name in (*columns, *optional))
    if twice := [name for name, count in often.items() if count > 1]:
        raise ConfigError(*(f"{path}:{first}: has the column {name} twice: wanted it once" for name in twice))
    found: list[Numbered] = []
    mistakes = []
    rows = list(lines)
    if has_row_numbers(header, [cells for _, cells in rows if not is_comment(cells)], form.separator):
        names = ["", *names]
    for number, cells in rows:
        if is_comment(cells):
            if len(cells) == len(names) > 1:
                mistakes.append(f"{path}:{number}: a row that begins with #, or a comment? Remove the # or the line")
            continue
        if why := _wrong_length(names, cells):
            mistakes.append(f"{path}:{number}: {why}; wanted a {one} such as `{example}`")
        plain = (_plain(cell, form.mark) for cell in cells)
        found.append((number, dict(zip(names, plain, strict=False))))
    if found and not mistakes and is_open_ended(path):
        mistakes += [f"{path}:{found[-1][0]}: {why}" for why in _torn([row for _, row in found])]
    if mistakes:
        raise ConfigError(*mistakes)
    return found


def _torn(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a mistake if the last cell of a file without a last line end is the beginning of one."""
    name = list(rows[-1])[-1]
    last, others = rows[-1][name], {row.get(name, "") for row in rows[:-1]}
    is_part = not last[-1:].isdigit() and last not in others and any(word.startswith(last) for word in others)
    if is_part or last.endswith(".") or not last:
        yield (
            f"{name} is {last or 'empty'}, and the file ends here without a line end: was it cut? Wanted the whole "
            "row, and the end of its line"
        )


def _wrong_length(names: Sequence[str], cells: Sequence[str]) -> str:
    """Return what is wrong with the number of a row's cells; empty ones at its end are no mistake."""
    if any(cells[len(names) :]):
        return (
            f"has too many columns: {len(cells)}, and the first row names {len(names)}: "
            "a number with a decimal comma, or a cell with a separator, needs quotes"
        )
    if len(cells) < len(names) and any(names[len(cells) :]):
        return f"has too few columns: {len(cells)} of {len(names)} (was the file cut here?)"
    return ""


def _plain(cell: str, mark: str) -> str:
    text = unescape_formula(cell)
    if "." not in text and "," not in text and not text[:1].isdigit():
        return text
    try:
        return plain_number(text, mark)
    except ValueError:
        return text


def _doubled(path: Path, rows: Sequence[Numbered]) -> Iterator[str]:
    first: dict[tuple[str, ...], int] = {}
    lines = [(number, first.setdefault(tuple(row.values()), number)) for number, row in rows]
    doubled = [(number, before) for number, before in lines if number != before]
    if doubled:
        number, before = doubled[0]
        more = f" ({len(doubled)} such rows)" if len(doubled) > 1 else ""
        yield f"{path}:{number}: is the same row as line {before}{more}: wanted each row once"


def _unordered(path: Path, rows: Sequence[tuple[int, Parsed]], orders: Sequence[Order[Parsed]]) -> Iterator[str]:
    for order in orders:
        last: dict[tuple[object, ...], tuple[int, float]] = {}
        for number, row in rows:
            value, group = order.position(row), order.group(row)
            if value is None or value != value:
                continue
            line, before = last.get(group, (0, value))
            begins = value if order.begins is None else order.begins(row)
            if line and (begins < before or (order.strict and begins == before)):
                wanted = f"sort them by {order.column}" + ("" if group else ", and give each session its own file")
                wanted = order.wanted or f"the rows as they were recorded: {wanted}"
                after = f"{order.column} is {begins:.10g} after {before:.10g} in line {line}"
                yield f"{path}:{number}: {after}: wanted {wanted}"
                return
            last[group] = (number, value)
