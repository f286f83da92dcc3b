"""The pauses of one session: task time stands still in them, and the board's clock goes on.

The engine, the ledger and the journal use the board's time. A protocol sees task time: the board's time without the
pauses. See docs/decisions/pauses.md.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from rig.core.model.events import Edge, TaskEvent, Touch
from rig.core.model.task_clock import TaskClock

E = TypeVar("E", Edge, Touch, TaskEvent)
LONGEST_US = 30 * 60_000_000
"""How long a pause may last, unless the session says otherwise."""


class Pauses(TaskClock):
    """The pauses so far, and whether one is wanted or open; ``longest_us`` is the longest that one may last."""

    def __init__(self, longest_us: int = LONGEST_US) -> None:
        super().__init__()
        self.is_wanted = False
        """Whether a pause was requested and not taken back; an open pause is wanted until it is resumed."""
        self.requested_us = 0
        """When the last pause or resumption was requested, on the board's clock."""
        self._longest_us = longest_us

    @property
    def latest_end_us(self) -> int:
        """Return when the open pause ends the session."""
        return (self._open_us or 0) + self._longest_us

    @property
    def longest_min(self) -> float:
        """Return the longest pause in minutes."""
        return self._longest_us / 60e6

    def end(self, t_us: int) -> int:
        """End the open pause at a time of the board; return how long it was, in microseconds."""
        length_us = max(0, t_us - (self._open_us or 0))
        self.resume(length_us)
        return length_us

    def board_us(self, task_us: int) -> int:
        """Convert a task time that is not past to the board's time."""
        return task_us + self.stopped_us

    def in_task_time(self, event: E) -> E:
        """Return an event as a protocol sees it."""
        if not self.has_paused and not self.is_paused:
            return event
        t_us = self.task_us(event.t_us)
        return event if t_us == event.t_us else replace(event, t_us=t_us)
