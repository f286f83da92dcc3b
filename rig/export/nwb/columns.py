"""Convert the values of one column to what NWB can hold: truth values, integers, numbers, texts, and lists of these.

HDF5 has no missing values. A missing number or truth value is NaN, a missing text is empty. What fits into none of
these kinds is written as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rig.records.tables.table import TableColumn

LONGEST_TEXT = 2000
"""A longer description is cut: it is an attribute in HDF5, and all attributes of an object share 64 kilobytes."""

_INSPECTED_ROWS = 200
_BYTE = np.iinfo(np.int8)

Data: TypeAlias = npt.NDArray[np.generic] | list[str] | list[float]


@dataclass(frozen=True)
class ColumnData:
    """What a column of a file holds; ``ends`` of a column of lists are the ends of its rows."""

    name: str
    text: str
    data: Data
    ends: Sequence[int] | None = None


def column_of(name: str, text: str, values: Sequence[object]) -> ColumnData | None:
    """Return a column of values as a journal has them; None if no row has a value."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    kinds = {type(value) for value in known}
    column = ColumnData(name, text[:LONGEST_TEXT], [])
    if kinds == {str}:
        return replace(column, data=[clean_text(value) if isinstance(value, str) else "" for value in values])
    if kinds == {bool} or (kinds <= {int, float} and all(_is_exact(value) for value in known)):
        return _of_numbers(column, values, kinds, complete=len(known) == len(values))
    lists = [value for value in values if isinstance(value, list)]
    if len(lists) == len(values):
        ragged = _of_lists(column, lists)
        if ragged is not None:
            return ragged
    text = f"{column.text}; each value is written as JSON"
    return replace(column, text=text, data=[clean_text(json.dumps(value, ensure_ascii=False)) for value in values])


def clean_text(text: str) -> str:
    r"""Return a text that HDF5 can hold; a NUL character is written as ``\0``."""
    return text.replace("\0", "\\0")


def described(table: str, column: TableColumn, *, is_time: bool = False) -> str:
    """Return the description of a table's column, with its unit and its possible values."""
    text = column.text or f"column {column.name} of the table {table}"
    if is_time:
        text += ", in seconds from the start of the session"
    elif column.unit and column.unit not in ("probability", "pellets"):
        text += f", in {column.unit}"
    values = [value or "(empty)" for value in column.values]
    return f"{text}; one of {', '.join(values)}" if values else text


def _is_exact(value: object) -> bool:
    """Whether a value is a number, and the same as a double."""
    try:
        return isinstance(value, int | float) and float(value) == value
    except OverflowError:
        return False


def _of_numbers(column: ColumnData, values: Sequence[object], kinds: set[type], *, complete: bool) -> ColumnData:
    if not complete or (float in kinds and set(values) != {0, 1}):
        data = np.array([np.nan if value is None else value for value in values], float)
        return replace(column, data=data, text=column.text if complete else f"{column.text}; NaN: no value")
    if kinds == {bool}:
        return replace(column, data=np.array(values, bool))
    whole = np.array(values, np.int64)
    return replace(column, data=whole.astype(np.int8) if _looks_binary(whole.tolist()) else whole)


def _looks_binary(values: Sequence[int]) -> bool:
    """Whether nwbinspector would take numbers for truth values: it looks at the first rows, and not at single bytes.

    In one byte they remain numbers, and so have a type that fits that of other sessions.
    """
    return set(values) <= {0, 1} or (
        set(values[:_INSPECTED_ROWS]) == {0, 1} and _BYTE.min <= min(values) and max(values) <= _BYTE.max
    )


def _of_lists(column: ColumnData, values: Sequence[list[object]]) -> ColumnData | None:
    """Return a column of lists of numbers, or of lists of texts; None of others."""
    items = [item for value in values for item in value]
    kinds = {type(item) for item in items}
    if len(kinds) != 1 and kinds != {int, float}:
        return None
    flat = column_of(column.name, column.text, items)
    if flat is None or kinds & {dict, list}:
        return None
    ends = np.cumsum([len(value) for value in values])
    return replace(flat, ends=[int(end) for end in ends])
