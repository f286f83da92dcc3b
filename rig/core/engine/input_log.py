"""The state of each input as far as the task has read: its level, its changes and their latest times."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from itertools import takewhile

from rig.core.model.events import Edge
from rig.core.model.microseconds import to_s, to_us

LATEST = 1_000
"""How many changes of an input to a level keep their times; all are counted."""


class Changes:
    """The changes of one input to one level."""

    __slots__ = ("_latest_us", "count")

    def __init__(self) -> None:
        self.count = 0
        self._latest_us: deque[int] = deque(maxlen=LATEST)

    def add(self, t_us: int) -> None:
        """Record one more, stamped ``t_us``."""
        self.count += 1
        self._latest_us.append(t_us)

    @property
    def last_s(self) -> float | None:
        """Return the time of the last one, in seconds of the session; None when there was none."""
        return to_s(self._latest_us[-1]) if self._latest_us else None

    def since(self, t_s: float) -> tuple[float, ...]:
        """Return the times of those at ``t_s`` or later, in seconds of the session, in their order."""
        from_us = to_us(t_s)
        # From the latest on: a protocol asks for recent changes, and up to 1,000 are kept.
        times = [to_s(t_us) for t_us in takewhile(lambda t_us: t_us >= from_us, reversed(self._latest_us))]
        return tuple(reversed(times))


class InputLog:
    """The levels and changes of all inputs of one session."""

    def __init__(self) -> None:
        self._levels: dict[str, int] = {}
        self._changes: dict[tuple[str, int], Changes] = {}

    def add(self, edge: Edge) -> None:
        """Record an edge that the task has read."""
        self._levels[edge.channel] = edge.level
        self.changes(edge.channel, edge.level).add(edge.t_us)

    def forget_levels(self, kept: Collection[str]) -> None:
        """Set all inputs to off but those ``kept``: the board that was opened again reports each that is on."""
        self._levels = {channel: level for channel, level in self._levels.items() if channel in kept}

    def level(self, channel: str) -> int:
        """Return an input's level; 0 of one that has never changed."""
        # The board reports each input that is on when it is configured, so one without an edge is off.
        return self._levels.get(channel, 0)

    def changes(self, channel: str, level: int) -> Changes:
        """Return the changes of an input to a level."""
        changes = self._changes.get((channel, level))
        if changes is None:
            changes = self._changes[channel, level] = Changes()
        return changes
