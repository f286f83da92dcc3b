"""The time for which the task of a session has run: without its pauses and breaks."""

from __future__ import annotations

from rig.core.journal.lines import tells_time
from rig.expectations.rule import Line


class SessionClock:
    """The time of the newest line, and how much of it the task did not run."""

    def __init__(self) -> None:
        self.t_us = 0
        self._stopped_us = 0
        self._paused_since_us: int | None = None

    @property
    def paused(self) -> bool:
        """Whether the session is paused."""
        return self._paused_since_us is not None

    def take(self, line: Line) -> None:
        """Read the next line."""
        kind, t_us = line["k"], line["t"]
        if t_us > self.t_us and tells_time(line):
            self.t_us = t_us
        if kind == "pause":
            self._paused_since_us = t_us
        elif kind == "resume":
            self._stopped_us += line["paused_us"]
            self._paused_since_us = None
        elif kind == "continued" and not self.paused:  # a pause that was open includes the gap
            self._stopped_us += line["gap_us"]

    def advance(self, t_us: int) -> None:
        """Set the time, unless it is earlier than the newest line."""
        self.t_us = max(self.t_us, t_us)

    def running_us(self, t_us: int) -> int:
        """Return for how long the task had run at a time, which is not before the last pause."""
        until_us = t_us if self._paused_since_us is None else min(t_us, self._paused_since_us)
        return until_us - self._stopped_us
