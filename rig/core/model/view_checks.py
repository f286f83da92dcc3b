"""Checks of a protocol's ``views`` against its tables, shares and columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Meta, ValidationError, convert
from msgspec.structs import FieldInfo, fields

from rig.core.model.columns import COLUMN_KINDS, ColumnFacts, describe_columns
from rig.core.model.rows import TRIAL_TABLE, Row, unknown_column_text
from rig.core.model.views import MAX_VIEWS, VIEWS, Choices, Histogram, InTable, Numbers, RunningShare, View, as_names

M = TypeVar("M", Meta, InTable)
_NAMES = tuple(kind.__name__ for kind in VIEWS)


def view_problems(views: object, tables: Mapping[str, type[Row]]) -> Iterator[str]:
    """Yield what is wrong with the views of a protocol; ``tables`` are all its tables, that of trials too.

    Raises ``TaskError`` for a table with a type that cannot be read.
    """
    if not isinstance(views, Sequence) or isinstance(views, str):
        yield 'views are no list: wanted such as views: ClassVar = (Choices("choice"),)'
        return
    if len(views) > MAX_VIEWS:
        yield f"views: {len(views)} are more than the {MAX_VIEWS} that a page shows"
    described = {name: (row, describe_columns(row)) for name, row in tables.items()} if views else {}
    for index, view in enumerate(views):
        if type(view) not in VIEWS:
            yield f"views[{index}]: {view!r:.40} is no view: wanted {', '.join(_NAMES)}"
        else:
            yield from (f"views[{index}] ({type(view).__name__}): {wrong}" for wrong in _problems(view, described))


def _problems(view: View, tables: Mapping[str, tuple[type[Row], Mapping[str, ColumnFacts]]]) -> Iterator[str]:
    if wrong := _value_problem(view):
        yield wrong
        return
    if view.table not in tables:
        yield f"there is no table '{view.table}': wanted {' or '.join(repr(name) for name in tables)}"
        return
    row, described = tables[view.table]
    for name, kinds in _named_columns(view):
        if name not in described:
            yield unknown_column_text(row, name)
        elif described[name]["kind"] not in kinds:
            yield f"{row.__name__}.{name} holds {_a(described[name]['kind'])}: wanted a column of {' or '.join(kinds)}"
    yield from _word_problems(view, row, described)
    yield from _own_problems(view, row)


def _value_problem(view: View) -> str:
    """Return which field of a view holds something else than its type says; empty where all is right."""
    for field in fields(view):
        value = getattr(view, field.name)
        try:
            convert(value, field.type)
        except ValidationError:
            wanted = next(mark.description for mark in _marks(field, Meta) if mark.description)
            return f"'{field.name}' is empty" if value in ("", ()) else f"'{field.name}' is not {wanted}"
    return ""


def _marks(field: FieldInfo, kind: type[M]) -> Iterator[M]:
    """Yield the marks of one kind on a field's type."""
    return (mark for mark in getattr(field.type, "__metadata__", ()) if isinstance(mark, kind))


def _named_columns(view: View) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield every column that a view names, with the kinds that it may have."""
    for field in fields(view):
        for mark in _marks(field, InTable):
            yield from ((name, mark.kinds) for name in as_names(getattr(view, field.name)))
    yield from ((name, COLUMN_KINDS) for name in view.where)
    if isinstance(view, Choices):
        yield from ((name, ("number", "integer", "any")) for name in view.odds.values())


def _word_problems(view: View, row: type[Row], described: Mapping[str, ColumnFacts]) -> Iterator[str]:
    """Yield the words that a column never holds."""
    wanted = [(name, value) for name, value in view.where.items()]
    if isinstance(view, Choices):
        wanted += [(view.column, word) for word in view.odds]
    for name, word in wanted:
        known = described[name].get("values") if name in described else None
        if known is not None and word not in known:
            yield f"{row.__name__}.{name} is never {word!r}: wanted {' or '.join(repr(each) for each in known if each)}"


def _own_problems(view: View, row: type[Row]) -> Iterator[str]:
    """Yield what only some views can have wrong."""
    if isinstance(view, RunningShare):
        if view.table != TRIAL_TABLE:
            yield f"table is '{view.table}': shares are counted in the table '{TRIAL_TABLE}' only"
        known = ", ".join(row.shares) or "none"
        unknown = [name for name in as_names(view.shares) if name not in row.shares]
        yield from (f"{row.__name__} has no share '{name}': its shares are {known}" for name in unknown)
    if isinstance(view, (Numbers, Histogram)) and view.by and len(as_names(view.columns)) > 1:
        yield f"by: '{view.by}' can tell apart the rows of one column, not those of {', '.join(view.columns)}"


def _a(kind: str) -> str:
    return "values of several kinds" if kind == "any" else f"{kind}s" if kind != "text" else "texts"
