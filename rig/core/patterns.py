"""Questions about inputs, as values: an edge that may come, a level that may hold."""

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
