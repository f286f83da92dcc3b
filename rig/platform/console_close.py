"""Stop the session when a Windows console closes or its user logs off, and complete its records before the end.

Python turns the event of a console into SIGBREAK, but the C library's handler returns at once, and Windows then ends
the process. Windows calls a registered handler in a separate thread and waits for it for 5 s
(``SPI_GETHUNGAPPTIMEOUT``). See https://learn.microsoft.com/windows/console/handlerroutine and Eryk Sun in
https://github.com/python/cpython/pull/96289. A program that has loaded user32.dll gets no event at log-off and
shutdown: it needs a window, see `log_off_window`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Event, Lock
from types import ModuleType

from rig.platform.log_off_window import log_off_handled

CLOSE_EVENTS = frozenset({2, 5, 6})
"""Close, log-off and shutdown; Python handles Ctrl-C (0) and Ctrl-Break (1) itself."""

ASK_S = 3.0
"""Time for the board's answer; then the session stops without it."""

STOP_NOW_S = 1.5
"""Time for the footer and the tables; both times together stay below the 5 s of Windows."""


class ConsoleCloseHandler:
    """Handler of console events: it stops the session and waits until its records are closed."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self.over = Event()
        self._stop = stop
        self._stopping = Lock()

    def __call__(self, event: int) -> bool:
        """Handle an event; True lets Windows end the process."""
        if event not in CLOSE_EVENTS:
            return False
        self.stop_and_wait()
        return True

    def stop_and_wait(self) -> None:
        """Stop the session; return when its records are closed, or Windows waits no longer."""
        if not self._stopping.acquire(blocking=False):  # at log-off both the window and the console may be closed
            self.over.wait(ASK_S + STOP_NOW_S)
            return
        # As with two signals of the operator: the first asks for an end, the second waits for no board.
        for wait_s in (ASK_S, STOP_NOW_S):
            self._stop()
            if self.over.wait(wait_s):
                break


@contextmanager
def stop_on_console_close(stop: Callable[[], None], windows: ModuleType | None = None) -> Iterator[ConsoleCloseHandler]:
    """Stop the session if its console closes within the block; ``windows`` replaces ``ctypes`` in tests."""
    windows = windows or import_module("ctypes")
    closes = ConsoleCloseHandler(stop)
    handler = windows.WINFUNCTYPE(windows.c_int, windows.c_uint)(closes)  # must live as long as it is set
    kernel32 = windows.WinDLL("kernel32")
    with log_off_handled(closes.stop_and_wait, windows):
        kernel32.SetConsoleCtrlHandler(handler, True)
        try:
            yield closes
        finally:
            # Releases the handlers, for which Windows may be waiting in its own threads.
            closes.over.set()
            kernel32.SetConsoleCtrlHandler(handler, False)
