"""Time limits for answers, which count only the time in which the host could read its port.

After SIGCONT or sleep the event loop runs overdue timers before it reads the port: the signal interrupts the poll,
which then returns no events. A plain time-out would therefore end a session although the answer lies in the buffer. The
limit is waited for in pieces of 0.25 s. A piece whose timer fires more than 0.1 s late counts as zero. The loop reads
the port before the next piece ends.
"""

from __future__ import annotations

from collections.abc import Callable

from rig.core.clock import Clock, Timer

PIECE_S = 0.25
LATE_S = 0.1
"""A timer later than this means that the process was stopped; a busy loop is late by less."""
DONE_S = 1e-6
"""The rest of a limit that counts as zero: sums of seconds are rounded."""


def listening_s(waited_s: float, piece_s: float) -> float:
    """Return the seconds of one piece that count: 0 when its timer fired late."""
    return 0.0 if waited_s > piece_s + LATE_S else min(waited_s, piece_s)


class AnswerTimer:
    """A timer that calls ``call`` after ``within_s`` seconds in which the host could read, unless it is canceled.

    ``later`` is the clock's way to set a timer, such as one in the background.
    """

    def __init__(
        self, clock: Clock, within_s: float, call: Callable[[], object], later: Callable[..., Timer] | None = None
    ) -> None:
        self._clock = clock
        self._later = later or clock.call_later
        self._left_s = within_s
        self._call = call
        self._listen()

    @property
    def expired(self) -> bool:
        """Whether the limit has passed."""
        return self._left_s <= DONE_S

    def _listen(self) -> None:
        # Short pieces: a stop of the process then costs at most one piece of the limit.
        piece_s = min(PIECE_S, self._left_s)
        self._timer = self._later(piece_s, self._ring, self._clock.time(), piece_s)

    def _ring(self, since_s: float, piece_s: float) -> None:
        self._left_s -= listening_s(self._clock.time() - since_s, piece_s)
        if self.expired:
            self._call()
        else:
            self._listen()

    def cancel(self) -> None:
        """Cancel the timer."""
        self._timer.cancel()
