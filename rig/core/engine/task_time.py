"""Task time: the task's present, and the deadline of its session."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class TaskTime:
    """The time of one task, in microseconds of the session; it follows from the events that were read.

    The running state must end by ``deadline_us``.
    """

    now_us: int = 0
    deadline_us: int = 0
    started: bool = False

    def start(self, t_us: int) -> None:
        """Start at the board's first answer."""
        self.started, self.now_us = True, t_us

    def advance(self, t_us: int) -> None:
        """Set the time to ``t_us``; it never goes back."""
        # Events are read in the order of the journal, and stamps may go back in it: see docs/decisions/one-order.md.
        if t_us > self.now_us:
            self.now_us = t_us
