"""The time for which the task of a session has run: without its pauses and breaks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rig.core.journal.lines import tells_time
from rig.records.session.task_clock import TaskClock


class SessionClock(TaskClock):
    """The time of the newest line, and how much of it the task did not run."""

    def __init__(self) -> None:
        super().__init__()
        self.t_us = 0

    def take(self, line: Mapping[str, Any]) -> None:
        """Read the next line."""
        if line["t"] > self.t_us and tells_time(line):
            self.t_us = line["t"]
        super().take(line)

    def advance(self, t_us: int) -> None:
        """Set the time, unless it is earlier than the newest line."""
        self.t_us = max(self.t_us, t_us)
