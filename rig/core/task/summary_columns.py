"""Checks of the shares and letters that a class of rows declares, against its columns."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from rig.core.errors import TaskError
from rig.core.model.rows import OneOf, Row, unknown_column_text
from rig.core.model.shares import Share

RULES = ("equals", "same_as", "changes")


def check_summary_columns(kind: Any) -> None:
    """Check ``letter`` and ``shares`` of a class of rows. Raises ``TaskError`` with every mistake.

    A class that is no class of rows is refused where the task is loaded.
    """
    mistakes = list(_mistakes(kind)) if isinstance(kind, type) and issubclass(kind, Row) else []
    if mistakes:
        raise TaskError("; ".join(mistakes))


def _mistakes(kind: type[Row]) -> Iterator[str]:
    if kind.letter and kind.letter not in kind.columns():
        yield f"{kind.__name__}.letter: {unknown_column_text(kind, kind.letter)}"
    for name, share in kind.shares.items():
        yield from (f"{kind.__name__}.shares['{name}']: {wrong}" for wrong in _wrong(kind, share))


def _wrong(kind: type[Row], share: Share) -> Iterator[str]:
    if share.rule not in RULES:
        yield f"no rule '{share.rule}': wanted {', '.join(RULES)}"
    named = (share.column, share.to) if share.rule == "same_as" else (share.column,)
    unknown = [column for column in named if column not in kind.columns()]
    yield from (unknown_column_text(kind, column) for column in unknown)
    words = _words(kind, share.column) if share.rule == "equals" and not unknown else None
    if words is not None and share.to not in words:
        yield f"'{share.column}' is never '{share.to}': wanted {' or '.join(repr(word) for word in words if word)}"


def _words(kind: type[Row], column: str) -> tuple[Any, ...] | None:
    """Return the words that a column may hold; None where its type does not say."""
    hint: Any = None
    with suppress(NameError, TypeError):  # of a class that is defined inside a function
        hint = get_type_hints(kind, include_extras=True).get(column)
    if get_origin(hint) is Literal:
        return get_args(hint)
    marks = [mark for mark in get_args(hint) if isinstance(mark, OneOf)] if get_origin(hint) is Annotated else []
    return marks[0].values if marks else None
