"""The last visit at an input: when the subject came and went."""

from __future__ import annotations

from typing import TypeAlias

from rig.core.model.events import Edge, ZoneEvent

InputChange: TypeAlias = Edge | ZoneEvent


class Visits:
    """The newest stay at one input; lines of other inputs are passed over."""

    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._on_us: int | None = None
        self._off_us: int | None = None
        """The end of the stay that began at ``_on_us``; None while it lasts."""

    def take(self, line: InputChange) -> bool:
        """Read a change of an input; return whether it is this one's."""
        if line.channel != self._channel:
            return False
        if line.level:
            self._on_us, self._off_us = line.t_us, None
        else:
            self._off_us = line.t_us
        return True

    def was_inside(self, from_us: int, until_us: int) -> bool:
        """Whether the newest stay overlaps a span of time."""
        if self._on_us is None or self._on_us > until_us:
            return False
        return self._off_us is None or self._off_us >= from_us

    def stay_from(self, t_us: int) -> int | None:
        """Return how long the newest stay went on behind a time, once it has ended; None if it was before."""
        if self._on_us is None or self._off_us is None or self._off_us < t_us:
            return None
        return self._off_us - max(self._on_us, t_us)
