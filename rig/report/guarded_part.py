"""Parts of a page that a strange record may not break: such a part says so, and the others are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from rig.core.model.line import Line
from rig.report.html import Html, element, notice

STRANGE = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError)
"""What a line raises that is checked, but holds what a protocol's own notes, orders and columns should not hold."""


class Fold(Protocol):
    """What reads lines one by one."""

    def take(self, line: Line) -> object:
        """Read the next line."""


F = TypeVar("F", bound=Fold)


def attempt(what: str, make: Callable[[], Html | None]) -> Html | None:
    """Return a part of a page, or a remark that it cannot be made of these records."""
    try:
        return make()
    except STRANGE as error:
        problem = f"{what} cannot be made of these records: {type(error).__name__}: {error}"
        return notice("suspicious", element("p", problem))


class GuardedReader(Generic[F]):
    """A fold of lines that reads no more after a strange one, which its part of the page then names."""

    def __init__(self, fold: F) -> None:
        self._fold = fold
        self._error: Exception | None = None

    def take(self, line: Line) -> None:
        """Read the next line."""
        if self._error is None:
            try:
                self._fold.take(line)
            except STRANGE as error:
                self._error = error

    @property
    def fold(self) -> F:
        """Return the fold of all lines. Raises what a strange line has raised."""
        if self._error is not None:
            raise self._error
        return self._fold
