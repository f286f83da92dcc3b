"""Stop user code that blocks the event loop: a loop that never awaits handles no request and no deadline."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rig.core.errors import RecordError
from rig.platform.signals import interrupt_main
from rig.system.signals import signal_handler

CHECKS_PER_LIMIT = 100
"""The watchdog checks for progress so many times within its time limit."""


class TimeLimitExceeded(KeyboardInterrupt):
    """The time limit was exceeded; a KeyboardInterrupt, since an event loop keeps every other error to itself.

    ``is_silent`` is whether no progress was reported; otherwise the whole block took too long.
    """

    def __init__(self, *, is_silent: bool) -> None:
        super().__init__()
        self.is_silent = is_silent


class Watchdog:
    """Thread that measures the time since the last progress and since the start."""

    def __init__(self, seconds: float, in_all_s: float) -> None:
        self.late: TimeLimitExceeded | None = None
        self._step_s = seconds / CHECKS_PER_LIMIT
        self._steps = 0
        self._most_steps = round(in_all_s / self._step_s)
        self._lives = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="overdue", daemon=True)

    @property
    def elapsed_s(self) -> float:
        """Return the seconds of real time since the start, to the last check."""
        return self._steps * self._step_s

    def lives(self) -> None:
        """Record progress. Raises ``RecordError`` after the total time limit, which ends a session."""
        self._lives = True
        if self.late is not None:
            raise RecordError("it takes too long")

    def _watch(self) -> None:
        quiet = 0
        # The thread counts its waits, because this package reads no clock: see docs/decisions/virtual-time.md.
        while quiet <= CHECKS_PER_LIMIT:
            if self._over.wait(self._step_s):
                return
            quiet, self._lives = 0 if self._lives else quiet + 1, False
            self._steps += 1
            # No interrupt here: a session that still writes lines ends in order at its next one.
            if self._steps == self._most_steps:
                self.late = TimeLimitExceeded(is_silent=False)
        self.late = TimeLimitExceeded(is_silent=True)
        interrupt_main()

    def __enter__(self) -> Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()


@contextmanager
def time_limit(seconds: float, in_all_s: float) -> Iterator[Watchdog]:
    """Raise ``TimeLimitExceeded`` in the block after ``seconds`` of real time without progress.

    The block calls ``lives`` of the yielded watchdog to report progress. After ``in_all_s`` this raises
    ``RecordError``, and the block then also ends with ``TimeLimitExceeded``. Outside the main thread there is no limit:
    Python delivers signals to the main thread only.
    """
    watcher = Watchdog(seconds, in_all_s)
    before = signal.getsignal(signal.SIGINT)
    # `before` is no function where SIGINT is ignored: no other interrupt could be passed on to it.
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield watcher
        return

    def on_interrupt(number: int, frame: FrameType | None) -> None:
        if watcher.late is not None:
            raise watcher.late
        # A person's Ctrl-C arrives here too.
        before(number, frame)

    with signal_handler((signal.SIGINT,), on_interrupt), watcher:
        try:
            yield watcher
        except BaseException as error:
            if (
                watcher.late is not None and error is not watcher.late
            ):  # the interrupt may have left the block inconsistent, so its own error says little
                raise watcher.late from error
            raise
        # After the RecordError of its progress report the block returns as if it had ended by itself.
        if watcher.late is not None:
            raise watcher.late
