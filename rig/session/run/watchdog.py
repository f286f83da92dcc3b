"""An end for what may never come back: somebody's loop that never awaits hears no request and meets no deadline."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from rig.core.errors import RecordError
from rig.system.signals import signal_handler

CHECKS_PER_LIMIT = 20
"""So often within its patience a watcher looks for a sign of life."""


class TimeLimitExceeded(KeyboardInterrupt):
    """Time is up; a kind of Ctrl-C, since an event loop keeps every other error to itself.

    ``is_silent`` says that no sign of life came; otherwise the whole took too long.
    """

    def __init__(self, *, is_silent: bool) -> None:
        super().__init__()
        self.is_silent = is_silent


class _Watchdog:
    """Counts, in a thread of its own, how long no sign of life has come, and how long all has taken."""

    def __init__(self, seconds: float, in_all_s: float) -> None:
        self.late: TimeLimitExceeded | None = None
        self._step_s = seconds / CHECKS_PER_LIMIT
        self._most_steps = round(in_all_s / self._step_s)
        self._lives = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="overdue", daemon=True)

    def lives(self) -> None:
        """Take note of a sign of life. Raises ``RecordError`` when all has taken too long: a session ends with that."""
        self._lives = True
        if self.late is not None:
            raise RecordError("it takes too long")

    def _watch(self) -> None:
        quiet = steps = 0
        while quiet <= CHECKS_PER_LIMIT:
            if self._over.wait(self._step_s):
                return
            quiet, self._lives = 0 if self._lives else quiet + 1, False
            steps += 1
            if steps == self._most_steps:
                self.late = TimeLimitExceeded(is_silent=False)
        self.late = TimeLimitExceeded(is_silent=True)
        _interrupt_main()

    def __enter__(self) -> _Watchdog:
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._over.set()
        self._thread.join()


@contextmanager
def time_limit(seconds: float, in_all_s: float) -> Iterator[Callable[[], None]]:
    """Raise ``TimeLimitExceeded`` in the block when no sign of life comes for so long, in real time.

    What it gives is called with every sign of life, and raises ``RecordError`` after ``in_all_s``; the block ends with
    ``TimeLimitExceeded`` then, too. Only the main thread can be told.
    """
    watcher = _Watchdog(seconds, in_all_s)
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield watcher.lives
        return

    def hear(number: int, frame: FrameType | None) -> None:
        if watcher.late is not None:
            raise watcher.late
        before(number, frame)

    with signal_handler(("SIGINT",), hear), watcher:
        try:
            yield watcher.lives
        except BaseException as error:
            if watcher.late is not None and error is not watcher.late:  # what it broke off has left things in disorder
                raise watcher.late from error
            raise
        if watcher.late is not None:
            raise watcher.late


def _interrupt_main() -> None:
    if sys.platform == "win32":
        _thread.interrupt_main()
    else:  # a signal of the system also ends a sleep
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
