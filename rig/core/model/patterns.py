"""Questions about inputs, as values: an edge that may come, a level that may hold, what may happen at the screen."""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from rig.core.model.events import ScreenEvent

T = TypeVar("T", bound=ScreenEvent)


class EdgePattern(NamedTuple):
    """The question "did this input change to this level?"."""

    channel: str
    level: int

    def __str__(self) -> str:
        return f"{self.channel}{'+' if self.level else '-'}"


class LevelPattern(NamedTuple):
    """The question "is this input at this level?"; true at once if it already is."""

    channel: str
    level: int

    @property
    def edge(self) -> EdgePattern:
        """Return the edge that would make it true."""
        return EdgePattern(self.channel, self.level)

    def __str__(self) -> str:
        return f"{self.channel}={self.level}"


class ScreenPattern(NamedTuple, Generic[T]):
    """The question "did this happen at the screen?": a touch, a key, a change that appeared. No board can answer it."""

    channel: str
    level: int = 1

    def __str__(self) -> str:
        return self.channel
