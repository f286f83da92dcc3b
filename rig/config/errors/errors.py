"""Mistakes: where they were made, and how all of them reach the reader at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, TypeVar, overload

from rig.config.errors.formatting import key_text
from rig.core.errors import ConfigError

A = TypeVar("A")
B = TypeVar("B")
C = TypeVar("C")
T = TypeVar("T")

Loc: TypeAlias = tuple[str | int, ...]
"""A place in a document: keys and list positions from the top."""


@dataclass(frozen=True, slots=True)
class SourceLocation:
    """Where a value was written: a file and a line, or the command line."""

    file: str
    line: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"

    @property
    def line_text(self) -> str:
        """Return the text of the line alone, for a message that names the file already."""
        return f"on the {self.file}" if self.line is None else f"on line {self.line}"

    @property
    def sort_key(self) -> tuple[str, int]:
        """Return the key that sorts mistakes by file and line."""
        return self.file, self.line or 0


class Clash(str):
    """The text of a mistake of two values, of which either may be wrong; it ends with the key of the ``other`` one.

    ``other`` is the place of the other value from the document's top.
    """

    __slots__ = ("other",)

    other: Loc

    def __new__(cls, text: str, other: Loc) -> Clash:
        """Write the text and the key."""
        clash = super().__new__(cls, f"{text} {key_text(other)}")
        clash.other = other
        return clash

    def seen_from_other(self, loc: Loc) -> str:
        """Return the text at the other value's place; ``loc`` is that of this one."""
        return self.removesuffix(key_text(self.other)) + key_text(loc)


class ConfigIssuesError(ValueError):
    """Several mistakes found by one pydantic validator, each with its place below that validator's field."""

    def __init__(self, *mistakes: tuple[Loc, str]) -> None:
        super().__init__("; ".join(f"{key_text(loc)}: {text}" for loc, text in mistakes))
        self.mistakes = mistakes


class ConfigIssue(str):
    """One mistake as a line, ``file:line: key: text``, and as its parts; the key is empty at a document's top."""

    __slots__ = ("key", "location", "text")

    location: SourceLocation
    key: str
    text: str

    def __new__(cls, mark: SourceLocation, loc: Loc, text: str) -> ConfigIssue:
        """Write the line."""
        key = key_text(loc)
        line = super().__new__(cls, f"{mark}: {key}: {text}" if key else f"{mark}: {text}")
        line.location, line.key, line.text = mark, key, text
        return line


def config_issue(mark: SourceLocation, loc: Loc, text: str) -> ConfigIssue:
    """Write one mistake as ``file:line: key: text``."""
    return ConfigIssue(mark, loc, text)


@overload
def collect_errors(first: Callable[[], A], second: Callable[[], B], /) -> tuple[A, B]: ...
@overload
def collect_errors(first: Callable[[], A], second: Callable[[], B], third: Callable[[], C], /) -> tuple[A, B, C]: ...
@overload
def collect_errors(*thunks: Callable[[], T]) -> tuple[T, ...]: ...
def collect_errors(*thunks: Callable[[], object]) -> tuple[object, ...]:
    """Run every thunk and return their results. Raises one ``ConfigError`` with the mistakes of all of them."""
    results: list[object] = []
    mistakes: dict[str, None] = {}  # a dict, because two thunks may read the same wrong file
    for thunk in thunks:
        try:
            results.append(thunk())
        except ConfigError as error:
            mistakes.update(dict.fromkeys(error.mistakes))
    if mistakes:
        raise ConfigError(*mistakes)
    return tuple(results)
