"""Cells of rows as charts need them: as numbers, as words, and as yes or no; nothing in a row is trusted."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeAlias

from rig.core.journal.header import RecordedColumn
from rig.core.model.unit_names import unit_of_name
from rig.records.journal.read import Row

Described: TypeAlias = Mapping[str, RecordedColumn]

MAX_WORD_CHARS = 40
_MAX_NUMBER = 1e15
"""Larger numbers, of a damaged or an enemy's row, would leave nothing else to be seen."""


def number_of(value: object) -> float:
    """Return a cell as a number; NaN where it is none."""
    if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) <= _MAX_NUMBER:
        return float(value)
    return math.nan


def word_of(value: object) -> str:
    """Return a cell as a short word; empty where it holds nothing, or something else than a word or a number."""
    if isinstance(value, str):
        return shortened(value, MAX_WORD_CHARS)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        return f"{value:.6g}"
    return ""


def word_in(row: Row, column: str) -> str:
    """Return the word that a row has in a column; empty without one."""
    return word_of(row.get(column))


def is_true(value: object) -> bool:
    """Whether a cell says yes: a number other than 0."""
    return isinstance(value, (int, float)) and value != 0


def label_of(column: str, unit: str = "") -> str:
    """Return a column's name as words; the end that only names the unit is left out."""
    words = column.split("_")
    if unit and len(words) > 1 and unit_of_name(column) == unit and words[0] not in ("p", "q"):
        words = words[:-1]
    if len(words) > 1 and words[0] == "t":
        words = ["time", "of", *words[1:]]
    return word_of(" ".join(words)) or column[:MAX_WORD_CHARS]


def moment_of(column: str) -> str:
    """Return what happened at the time that a column holds: ``t_site_enter`` is the time of "site enter"."""
    return label_of(column, "s").removeprefix("time of ")


def unit_of(described: Described, column: str) -> str:
    """Return the unit of a column as the header describes it."""
    return word_of(described[column].unit) if column in described else ""


def shortened(text: str, most: int) -> str:
    """Return a text of at most so many characters, all of which can be printed."""
    if len(text) <= most and text.isprintable():
        return text
    shown = "".join(char if char.isprintable() else " " for char in text[:most])
    return shown if len(text) <= most else shown[:-1] + "…"
