"""What the columns of a table hold: for exports, windows and reports, which know no protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, TypedDict, Union, get_args, get_origin, get_type_hints

from rig.core.errors import TaskError
from rig.core.model.reward_types import size_of
from rig.core.model.rows import OneOf, Row
from rig.core.model.unit_names import unit_of_name

_KINDS: Mapping[object, str] = {bool: "boolean", int: "integer", float: "number", str: "text"}
ANY = "any"
"""The kind of a column that may hold values of several kinds, or lists."""
COLUMN_KINDS = (*_KINDS.values(), ANY)


@dataclass(frozen=True, slots=True)
class Column:
    """A mark on a column's type: what it holds, ``Annotated[float | None, Column("when the nose left the port")]``.

    ``unit`` is needed only if neither the column's name ends with it nor its type says it.
    """

    text: str
    unit: str = ""


class ColumnFacts(TypedDict):
    """What the header says of a column."""

    kind: str
    unit: str
    text: str
    values: NotRequired[list[str]]


def column_types(row: type[Row]) -> dict[str, object]:
    """Return the types of a table's columns with their marks.

    Raises ``TaskError`` for a type that is not known where the class is defined, such as one inside a function.
    """
    try:
        return get_type_hints(row, include_extras=True)
    except (NameError, TypeError) as error:
        raise TaskError(f"{row.__name__}: the type of a column cannot be read: {error}") from None


def describe_columns(row: type[Row]) -> dict[str, ColumnFacts]:
    """Return for each column of a table its ``kind``, ``unit``, ``text`` and possible ``values``, as the header has it.

    ``kind`` is one of ``COLUMN_KINDS``; the value may be missing whatever the kind. ``unit`` and ``text`` are empty if
    they are not known. ``values`` is there only if the possible values are known. Raises ``TaskError`` for a type that
    cannot be read.
    """
    hints = column_types(row)
    return {name: _described(name, hints.get(name, Any)) for name in row.columns()}


def _described(name: str, hint: object) -> ColumnFacts:
    marks = list(marks_of(hint))
    column = next((mark for mark in marks if isinstance(mark, Column)), Column(""))
    known = next((mark.values for mark in marks if isinstance(mark, OneOf)), _literals(hint))
    kind = _kind(hint)
    facts: ColumnFacts = {"kind": kind, "unit": column.unit or _unit(name, kind, marks), "text": column.text}
    if known:
        facts["values"] = list(known)
    return facts


def _unit(name: str, kind: str, marks: Sequence[object]) -> str:
    size = size_of(marks)
    if size is not None:
        return size.unit_text
    if kind not in ("integer", "number"):
        return ""
    return unit_of_name(name) or ("s" if name == "t" or name.startswith("t_") else "")


def _kind(hint: object) -> str:
    kinds = {_KINDS.get(_type_of(member), ANY) for member in _members(hint) if member is not NoneType}
    if kinds == {"integer", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else ANY


def _type_of(member: object) -> object:
    """Return the type of a ``Literal``'s values if they have one; another type as it is."""
    types = {type(value) for value in get_args(member)} if get_origin(member) is Literal else set()
    return types.pop() if len(types) == 1 else member


def _literals(hint: object) -> Sequence[str]:
    """Return the texts that a ``Literal`` lists, in its order."""
    listed = [get_args(member) for member in _members(hint) if get_origin(member) is Literal]
    return [word for words in listed for word in words if isinstance(word, str)]


def _members(hint: object) -> Sequence[object]:
    if get_origin(hint) is Annotated:
        return _members(get_args(hint)[0])
    if get_origin(hint) in (Union, UnionType):
        return [member for inner in get_args(hint) for member in _members(inner)]
    return (hint,)


def marks_of(hint: object) -> Sequence[object]:
    """Return the marks on a type, also those inside ``RewardVolume | None``."""
    if get_origin(hint) is Annotated:
        return (*get_args(hint)[1:], *marks_of(get_args(hint)[0]))
    if get_origin(hint) in (Union, UnionType):
        return [mark for member in get_args(hint) for mark in marks_of(member)]
    return ()
