"""Task time: the task's present, and the deadline of its session."""

from __future__ import annotations

from dataclasses import dataclass, field

from rig.core.engine.pauses import Pauses


@dataclass(slots=True)
class TaskTime:
    """The time of one task, in microseconds of the session; it follows from the events that were read.

    The running state must end by ``deadline_us``. Both are times of the board, pauses included.
    """

    now_us: int = 0
    deadline_us: int = 0
    started: bool = False
    may_rest: bool = False
    """Whether the running state is one in which the session may end, and so may pause."""
    pauses: Pauses = field(default_factory=Pauses)

    def start(self, t_us: int) -> None:
        """Start at the board's first answer."""
        self.started, self.now_us = True, t_us

    @property
    def task_now_us(self) -> int:
        """Return the present as a protocol sees it: without the pauses."""
        return self.pauses.task_us(self.now_us)

    def advance(self, t_us: int) -> None:
        """Set the time to ``t_us``; it never goes back."""
        # Events are read in the order of the journal, and stamps may go back in it: see docs/decisions/one-order.md.
        if t_us > self.now_us:
            self.now_us = t_us
