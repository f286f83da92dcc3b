"""The pauses of one session: task time stands still in them, and the board's clock goes on.

The engine, the ledger and the journal use the board's time. A protocol sees task time: the board's time without the
pauses. See docs/decisions/pauses.md.
"""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from rig.core.model.events import Edge, TaskEvent, Touch

E = TypeVar("E", Edge, Touch, TaskEvent)
LONGEST_US = 30 * 60_000_000
"""How long a pause may last, unless the session says otherwise."""


class Pauses:
    """The pauses so far, and whether one is wanted or open; ``longest_us`` is the longest that one may last."""

    def __init__(self, longest_us: int = LONGEST_US) -> None:
        self.is_wanted = False
        """Whether a pause was requested and not taken back; an open pause is wanted until it is resumed."""
        self.requested_us = 0
        """When the last pause or resumption was requested, on the board's clock."""
        self.total_us = 0
        self._longest_us = longest_us
        self._began_us: int | None = None
        self._spans: list[tuple[int, int]] = []

    @property
    def is_open(self) -> bool:
        """Whether the session is paused."""
        return self._began_us is not None

    @property
    def latest_end_us(self) -> int:
        """Return when the open pause ends the session."""
        return (self._began_us or 0) + self._longest_us

    @property
    def longest_min(self) -> float:
        """Return the longest pause in minutes."""
        return self._longest_us / 60e6

    def begin(self, t_us: int) -> None:
        """Start a pause at a time of the board."""
        self._began_us = t_us

    def end(self, t_us: int) -> int:
        """End the open pause; return how long it was, in microseconds."""
        began_us, self._began_us = self._began_us or 0, None
        self._spans.append((began_us, max(began_us, t_us)))
        length_us = self._spans[-1][1] - began_us
        self.total_us += length_us
        return length_us

    def exclude(self, began_us: int, t_us: int) -> int:
        """Add a span in which task time stood still, and that is over; return its length in microseconds."""
        self.begin(began_us)
        return self.end(t_us)

    def task_us(self, board_us: int) -> int:
        """Convert a time of the board to task time; all times within a pause are its begin."""
        if not self._spans and self._began_us is None:
            return board_us
        if self._began_us is not None:
            board_us = min(board_us, self._began_us)
        return board_us - sum(min(board_us, end) - begin for begin, end in self._spans if begin < board_us)

    def board_us(self, task_us: int) -> int:
        """Convert a task time that is not past to the board's time."""
        return task_us + self.total_us

    def in_task_time(self, event: E) -> E:
        """Return an event as a protocol sees it."""
        if not self._spans and self._began_us is None:
            return event
        t_us = self.task_us(event.t_us)
        return event if t_us == event.t_us else replace(event, t_us=t_us)
