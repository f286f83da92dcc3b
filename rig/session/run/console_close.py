"""A console window of Windows that closes: the session is stopped, and the system waits for its records.

Python makes a SIGBREAK of the event, but the C library's handler returns at once, and then the system ends the
process. A handler of our own, which the system calls in a thread of its own, may take its time: 5 seconds
(``SPI_GETHUNGAPPTIMEOUT``). See https://learn.microsoft.com/windows/console/handlerroutine and Eryk Sun in
https://github.com/python/cpython/pull/96289.
"""

from __future__ import annotations

import _thread
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Event
from typing import Any

CLOSE_EVENTS = frozenset({2, 5, 6})
"""The window, the user or the system is going; Ctrl-C (0) and Ctrl-Break (1) are Python's own."""

ASK_S = 3.0
"""For the board's answer; then the session is hurried."""

HURRY_S = 1.5
"""For the footer and the tables: with the above, less than the system waits."""


def interrupt() -> None:
    """Let the main thread's handler of SIGBREAK run, as the signal would; it wakes the loop."""
    _thread.interrupt_main(signal.SIGBREAK)  # type: ignore[attr-defined, unused-ignore]


class ConsoleCloseHandler:
    """What is done when the console closes: stop the session, and wait until its records are closed."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.over = Event()
        self._stop = stop

    def __call__(self, event: int) -> bool:
        """Handle an event; True says that it was ours, and lets the system end the process."""
        if event not in CLOSE_EVENTS:
            return False
        for wait_s in (ASK_S, HURRY_S):
            self._stop()
            if self.over.wait(wait_s):
                break
        return True


@contextmanager
def stop_on_console_close(stop: Callable[[], None] = interrupt, windows: Any = None) -> Iterator[ConsoleCloseHandler]:
    """Stop a session whose console closes, until the end of the block; ``windows`` is ``ctypes`` there."""
    windows = windows or import_module("ctypes")
    closes = ConsoleCloseHandler(stop)
    handler = windows.WINFUNCTYPE(windows.c_int, windows.c_uint)(closes)  # must live as long as it is set
    kernel32 = windows.WinDLL("kernel32")
    kernel32.SetConsoleCtrlHandler(handler, True)
    try:
        yield closes
    finally:
        closes.over.set()
        kernel32.SetConsoleCtrlHandler(handler, False)
