"""A board without a microcontroller: no channels, and the host's monotonic clock as the session's time axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rig.core.clock import Clock, Timer
from rig.core.engine.inbox import Inbox
from rig.core.errors import OrderRefusedError, RecordError
from rig.core.journal.kinds import AllOffDone, BatchDone
from rig.core.model.actions import Order
from rig.core.model.board import Board, BoardCapacity, BoardInfo, Health, Wiring
from rig.core.model.events import BoardTime

CAPACITY = BoardCapacity(channels=0, groups=0, members=0, entries=0, sequences=0, events=0, horizon_us=0)


class NoBoard(Board):
    """The time axis of a rig without a board, for one session."""

    def __init__(self, clock: Clock, inbox: Inbox) -> None:
        self._clock = clock
        self._inbox = inbox
        self._zero_s = clock.time()
        self._number = self._executed = 0
        self._alarm: Timer | None = None
        self._off = False

    async def open(self, wiring: Wiring) -> BoardInfo:
        """Start the time axis. Raises ``OrderRefusedError`` when something is wired."""
        if wired := [part.name for part in (*wiring.channels, *wiring.sources)]:
            raise OrderRefusedError(f"{', '.join(wired)}: there is no board to which these could be wired")
        self._zero_s = self._clock.time() - wiring.start_us / 1e6
        self._inbox.journal.note(wiring.start_us, "timing", stamps="host", deadline="host")
        return BoardInfo("none", "", "", CAPACITY)

    def batch(self, orders: Sequence[Order], seen: int, epoch: int, number: int) -> None:
        """Record an empty batch as executed. Raises ``OrderRefusedError`` for any order."""
        if orders:
            raise OrderRefusedError(f"'{orders[0]}': there is no board that could do it")
        if not self._off:
            self._executed = number
            # Not at once: the acknowledgement of a board comes after the orders of the screen were sent.
            self._clock.call_soon(self._done, number)

    def _done(self, number: int) -> None:
        self._write(lambda: self._inbox.journal.write(BatchDone(self._now_us(), number)))

    def ask_time(self, at_us: int | None) -> None:
        """Schedule the answer for just after ``at_us``."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        if at_us is not None and not self._off:
            # One microsecond later: an event exactly at the deadline still counts.
            due_s = max(self._clock.time(), self._zero_s + (at_us + 1) / 1e6)
            self._alarm = self._clock.call_at(due_s, self._answer)

    def _answer(self) -> None:
        self._alarm = None
        self._write(self._put_time)

    def _put_time(self) -> None:
        self._number += 1
        self._inbox.put(BoardTime(self._now_us(), self._executed, self._number))

    def estimate_us(self) -> tuple[int, int]:
        """Return the time, which is the host's own."""
        return self._now_us(), 0

    def _now_us(self) -> int:
        return round((self._clock.time() - self._zero_s) * 1_000_000)

    def all_off(self) -> None:
        """Stop the answers: there is no output."""
        self._off = True
        self.ask_time(None)

    async def close(self) -> Health:
        """Write the end of the session, as a board reports it."""
        self.all_off()
        try:
            self._inbox.journal.write(AllOffDone(self._now_us(), self._number))
            self._put_time()
        except RecordError:
            return Health(False, self._number, self._executed)
        return Health(True, self._number, self._executed)

    def abort(self) -> None:
        """Stop the answers."""
        self.all_off()

    def _write(self, line: Callable[[], None]) -> None:
        try:
            line()
        except RecordError as error:
            self._inbox.fail(error)
