"""Comparisons that can never be true: of an event or a pattern with a name, and of an event with a pattern.

They are errors: ``poke == box.left.poked`` would be false in every trial, and each would count as another answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeVar

from msgspec import Struct

from rig.core.errors import TaskError

S = TypeVar("S")
E = TypeVar("E", bound=type[Struct])
P = TypeVar("P", bound=type[tuple[object, ...]])

HOW_TO_COMPARE = 'compare names, such as poke.source == "left", and edge.level for a direction'
HOW_TO_ASK = "ask self.holds(box.left.busy) for a level, poke.source for an edge, and `is not None` for a missing part"

_PATTERNS: set[type[object]] = set()


def event(kind: E) -> E:
    """Return the class of an event, which is no longer compared with names and patterns."""

    def equals(self: Struct, other: object) -> bool:
        if type(other) in _PATTERNS or isinstance(other, str):
            raise TaskError(f"the event {kind.__name__} is compared with '{other}', never equal: {HOW_TO_COMPARE}")
        return Struct.__eq__(self, other)

    _set(kind, equals)
    return kind


def pattern(kind: P) -> P:
    """Return the class of a pattern, which is compared with such patterns only, and is neither true nor false."""

    def equals(self: tuple[object, ...], other: object) -> bool:
        other_kind = type(other)
        if other_kind is not tuple and other_kind is not kind and isinstance(other, (tuple, str)):
            raise TaskError(f"{other!r} is compared with the pattern '{self}', never equal: {HOW_TO_COMPARE}")
        return tuple.__eq__(self, other)

    def truth(self: object) -> NoReturn:
        raise TaskError(f"the pattern '{self}' is neither true nor false: {HOW_TO_ASK}")

    _PATTERNS.add(kind)
    _set(kind, equals, __bool__=truth)
    return kind


def _set(kind: type[S], equals: Callable[[S, object], bool], **more: Callable[..., object]) -> None:
    def differs(self: S, other: object) -> bool:
        equal = equals(self, other)
        return equal if equal is NotImplemented else not equal

    for name, method in {"__eq__": equals, "__ne__": differs, **more}.items():
        setattr(kind, name, method)
