"""Inputs that look broken: one that stays on far too long, one that never changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rig.core.events import Edge


class InputWatch:
    """Follows when each input went on; ``warn(channel, since_us)`` is called once for every long stay.

    Time passes with the events that are read, so a replay warns at the same places.
    """

    def __init__(self, stuck_us: int, warn: Callable[[str, int], None]) -> None:
        self._stuck_us = stuck_us
        self._warn = warn
        self._on_since: dict[str, int] = {}
        self._changed: set[str] = set()

    def edge(self, edge: Edge) -> None:
        """Take note of an edge."""
        self._changed.add(edge.channel)
        if edge.level:
            self._on_since[edge.channel] = edge.t_us
        else:
            self._on_since.pop(edge.channel, None)

    def tick(self, t_us: int) -> None:
        """Take note of the time."""
        for channel, since_us in list(self._on_since.items()):
            if t_us - since_us >= self._stuck_us:
                del self._on_since[channel]  # said once; the next change starts anew
                self._warn(channel, since_us)

    def silent(self, channels: Iterable[str]) -> list[str]:
        """List the inputs that never changed."""
        return [channel for channel in channels if channel not in self._changed]
