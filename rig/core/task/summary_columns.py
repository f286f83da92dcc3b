"""Checks of the shares and letters that a class of rows declares, against its columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from rig.core.errors import TaskError
from rig.core.model.columns import describe_columns
from rig.core.model.rows import Row, unknown_column_text
from rig.core.model.shares import COMPLETED, Share

RULES = ("equals", "same_as", "changes")


def check_summary_columns(kind: object) -> None:
    """Check ``letter`` and ``shares`` of a class of rows. Raises ``TaskError`` with every mistake.

    A class that is no class of rows is refused where the task is loaded.
    """
    mistakes = list(_mistakes(kind)) if isinstance(kind, type) and issubclass(kind, Row) else []
    if mistakes:
        raise TaskError("; ".join(mistakes))


def _mistakes(kind: type[Row]) -> Iterator[str]:
    if kind.letter and kind.letter not in kind.columns():
        yield f"{kind.__name__}.letter: {unknown_column_text(kind, kind.letter)}"
    outcomes = _words(kind, "outcome") if kind.shares and "outcome" in kind.columns() else None
    if outcomes is not None and not {*outcomes} & {*COMPLETED}:
        yield (
            f"{kind.__name__}.shares: shares are of trials with the outcome {_listed(COMPLETED)}, and outcome is "
            f"{_listed(outcomes)}: keep these two words, and give the others a column"
        )
    for name, share in kind.shares.items():
        yield from (f"{kind.__name__}.shares['{name}']: {wrong}" for wrong in _wrong(kind, share))


def _wrong(kind: type[Row], share: Share) -> Iterator[str]:
    if share.rule not in RULES:
        yield f"no rule '{share.rule}': wanted {', '.join(RULES)}"
    named = (share.column, share.to) if share.rule == "same_as" else (share.column,)
    unknown = [column for column in named if column not in kind.columns()]
    yield from (unknown_column_text(kind, column) for column in unknown)
    if not unknown and share.rule in RULES:
        yield from _never(kind, share)


def _never(kind: type[Row], share: Share) -> Iterator[str]:
    """Yield why no completed trial fulfills a rule."""
    words = _words(kind, share.column)
    if share.rule == "equals" and words is not None and share.to not in words:
        yield f"'{share.column}' is never '{share.to}': wanted {_listed(words)}"
    elif share.rule == "equals" and share.column == "outcome" and share.to not in COMPLETED:
        yield f"shares are of trials with the outcome {_listed(COMPLETED)}, and never '{share.to}'"
    others = _words(kind, share.to) if share.rule == "same_as" else None
    if words is not None and others is not None and not {*words} & {*others}:
        yield f"'{share.column}' ({_listed(words)}) never is the same as '{share.to}' ({_listed(others)})"


def _words(kind: type[Row], column: str) -> Sequence[str] | None:
    """Return the words that a column may hold; None where its type does not say."""
    with suppress(TaskError):  # of a class that is defined inside a function
        return describe_columns(kind)[column].get("values")
    return None


def _listed(words: Sequence[str]) -> str:
    return " or ".join(repr(word) for word in words if word)
