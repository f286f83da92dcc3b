"""Patterns that a wait matches, as values: an edge, a level, or an event at the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, NamedTuple, NoReturn, TypeVar

from rig.core.errors import TaskError

if TYPE_CHECKING:
    from rig.core.model.events import ScreenEvent

T = TypeVar("T", bound="ScreenEvent")


def _equals(self: tuple[Any, ...], other: object) -> bool:
    """Whether two patterns are the same. Raises ``TaskError`` for what is never equal to a pattern."""
    kind = type(other)
    if kind is not tuple and kind is not type(self) and isinstance(other, tuple | str):
        raise TaskError(f"{other!r} is compared with the pattern '{self}', which is never equal: {HOW_TO_COMPARE}")
    return tuple.__eq__(self, other)


def _differs(self: tuple[Any, ...], other: object) -> bool:
    """Whether two patterns are different. Raises ``TaskError`` as ``_equals`` does."""
    return not _equals(self, other)


def _has_no_truth(self: object) -> NoReturn:
    """Raise ``TaskError``: a pattern in an ``if`` would always be true."""
    raise TaskError(f"the pattern '{self}' is neither true nor false: {HOW_TO_ASK}")


HOW_TO_COMPARE = 'compare names, such as poke.source == "left", and edge.level for a direction'
HOW_TO_ASK = "ask self.holds(box.left.busy) for a level, poke.source for an edge, and `is not None` for a missing part"


# A tuple: the reader looks for an edge's ``(channel, level)`` among patterns without building one for each edge.
class EdgePattern(NamedTuple):
    """A pattern that matches a change of an input to a level."""

    channel: str
    level: int

    __eq__, __ne__, __hash__, __bool__ = _equals, _differs, tuple.__hash__, _has_no_truth

    def __str__(self) -> str:
        return f"{self.channel}{'+' if self.level else '-'}"


class LevelPattern(NamedTuple):
    """A pattern that matches an input at a level, also one that is at this level already."""

    channel: str
    level: int

    __eq__, __ne__, __hash__, __bool__ = _equals, _differs, tuple.__hash__, _has_no_truth

    @property
    def edge(self) -> EdgePattern:
        """Return the edge that would make it true."""
        return EdgePattern(self.channel, self.level)

    def __str__(self) -> str:
        return f"{self.channel}={self.level}"


class ScreenPattern(NamedTuple, Generic[T]):
    """A pattern that matches an event at the screen: a touch, a key, or a frame that has appeared.

    The board does not read the screen, so no reflex can use it.
    """

    channel: str
    level: int = 1

    __eq__, __ne__, __hash__, __bool__ = _equals, _differs, tuple.__hash__, _has_no_truth

    def __str__(self) -> str:
        return self.channel
