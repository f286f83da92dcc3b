"""Checks of a class of rows that need no row: its decorator, the names and the types of its columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import InitVar, fields
from inspect import get_annotations
from typing import ClassVar, get_origin

from rig.core.engine.cell_check import accepts_none, cell_check
from rig.core.errors import TaskError
from rig.core.model.columns import Column, column_types, marks_of
from rig.core.model.reward_types import size_of
from rig.core.model.rows import Row
from rig.core.model.unit_names import unit_of_name
from rig.core.task.trial_row import TrialRow

_TAKEN = frozenset(name for name in dir(TrialRow) if not name.startswith("__")) - frozenset(TrialRow.columns())
"""What every row has beside its columns: a column of this name would replace it."""


def row_class_problems(kind: type[Row]) -> Iterator[str]:
    """Yield what is wrong with a class of rows, one text for each mistake."""
    try:
        types = column_types(kind)
        cell_check(kind)
    except TaskError as error:
        yield str(error)
        return
    yield from _not_decorated(kind, types)
    for column in fields(kind):
        name = column.name
        if name in _TAKEN:
            yield f"{kind.__name__}.{name}: every row has '{name}' already: {_instead(name)}"
        if column.default is None and not accepts_none(types[name]):
            yield f"{kind.__name__}.{name} is None until it is set: write '| None' in its type, or another default"
        yield from _two_units(kind, name, types[name])


def _not_decorated(kind: type[Row], types: dict[str, object]) -> Iterator[str]:
    for base in kind.__mro__[: kind.__mro__.index(Row)]:
        columns = base.columns() if issubclass(base, Row) else get_annotations(base)
        lost = [name for name in get_annotations(base) if name not in columns and not _is_no_column(types[name])]
        if lost:
            yield f"{base.__name__} has no column '{lost[0]}': write @dataclass above the class"


def _is_no_column(hint: object) -> bool:
    return hint is ClassVar or get_origin(hint) is ClassVar or isinstance(hint, InitVar)


def _instead(name: str) -> str:
    if name in ("shares", "letter"):
        return f"write {name} = ... without a type, or with ClassVar"
    return "give the column another name"


def _two_units(kind: type[Row], name: str, hint: object) -> Iterator[str]:
    """Yield that a column's name says one unit, and its type another."""
    marks = list(marks_of(hint))
    size, named = size_of(marks), unit_of_name(name)
    units = [mark.unit for mark in marks if isinstance(mark, Column)] + ([] if size is None else [size.unit_text])
    for unit in units:
        if unit and named and unit != named:
            yield f"{kind.__name__}.{name}: its name says {named}, its type says {unit}"
