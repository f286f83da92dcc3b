"""Patterns that a wait matches, as values: an edge, a level, or an event at the screen."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from rig.core.model.comparisons import pattern
from rig.core.model.events import ScreenEvent

T = TypeVar("T", bound=ScreenEvent)


# A tuple: the reader looks for an edge's ``(channel, level)`` among patterns without building one for each edge.
@pattern
class EdgePattern(NamedTuple):
    """A pattern that matches a change of an input to a level."""

    channel: str
    level: int

    def __str__(self) -> str:
        return f"{self.channel}{'+' if self.level else '-'}"


@pattern
class LevelPattern(NamedTuple):
    """A pattern that matches an input at a level, also one that is at this level already."""

    channel: str
    level: int

    @property
    def edge(self) -> EdgePattern:
        """Return the edge that would make it true."""
        return EdgePattern(self.channel, self.level)

    def __str__(self) -> str:
        return f"{self.channel}={self.level}"


@pattern
class ScreenPattern(NamedTuple, Generic[T]):
    """A pattern that matches an event at the screen: a touch, a key, or a frame that has appeared.

    The board does not read the screen, so no reflex can use it.
    """

    channel: str
    level: int = 1

    def __str__(self) -> str:
        return self.channel
