"""Questions about inputs, as values: an edge that may come, a level that may hold, a touch of the screen."""

from __future__ import annotations

from typing import NamedTuple


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
        """Give the edge that would make it true."""
        return EdgePattern(self.channel, self.level)

    def __str__(self) -> str:
        return f"{self.channel}={self.level}"


class TouchPattern(NamedTuple):
    """The question "was the screen touched?": in one phase of a touch, or by a peck. The host answers, not a board."""

    channel: str
    level: int = 1

    def __str__(self) -> str:
        return self.channel


class ShownPattern(NamedTuple):
    """The question "has what was ordered appeared on the screen?"."""

    channel: str
    level: int = 1

    def __str__(self) -> str:
        return self.channel
