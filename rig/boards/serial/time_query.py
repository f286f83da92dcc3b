"""Query the board's time once its clock has passed a deadline, by the host's estimate."""

from __future__ import annotations

from rig.boards.serial.board_clock import BoardClock
from rig.boards.serial.link import Link
from rig.boards.wire import messages as wire
from rig.boards.wire.go_back_n import LONGEST_WAIT_S
from rig.core.clock import Clock, Timer

ASK_AGAIN_S = 0.001
"""The least time between queries. The board delays TIME while it confirms an edge; faster queries do not help."""


class TimeQuery:
    """One deadline, and one query at a time."""

    def __init__(self, link: Link, clock: Clock, board_clock: BoardClock) -> None:
        self._link = link
        self._clock = clock
        self._board_clock = board_clock
        self._at_us: int | None = None
        self._timer: Timer | None = None
        self._due = 0.0
        self._asking = False
        self._repeat: Timer | None = None
        self._answered_at = -1.0

    def set(self, at_us: int | None) -> None:
        """Schedule a time query for board time ``at_us``; None cancels it."""
        self._at_us = at_us
        if at_us is None:
            return
        due = max(self._board_clock.loop_time(at_us), self._answered_at + ASK_AGAIN_S)
        if due <= self._clock.time():
            self._ask()
        # An earlier timer may stay, because `_ring` schedules the rest: most waits then need no new timer.
        elif self._timer is None or due < self._due:
            self._schedule(due)

    def answered(self) -> None:
        """Record that the query was answered."""
        self._asking = False
        self._answered_at = self._clock.time()
        if self._repeat is not None:
            self._repeat.cancel()
            self._repeat = None

    def stop(self) -> None:
        """Cancel the deadline and the query."""
        self._at_us = None
        self.answered()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _schedule(self, due: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._due = due
        # In the foreground: a task waits for this deadline, so a simulation must reach it.
        self._timer = self._clock.call_at(due, self._ring)

    def _ring(self) -> None:
        self._timer = None
        self.set(self._at_us)

    def _ask(self) -> None:
        if not self._asking:
            self._asking = True
            self._send(self._link.protocol.resend_after())

    def _send(self, wait_s: float) -> None:
        self._link.send(wire.GET_TIME, self._link.protocol.last_journaled & 0xFFFF)
        # GET_TIME has no number, so go-back-n does not repeat it after a damaged byte. The wait doubles, because a line
        # that holds its bytes delivers all repetitions at once, and their answers would fill the board's event buffer.
        self._repeat = self._clock.call_later(wait_s, self._send, min(LONGEST_WAIT_S, 2 * wait_s))
