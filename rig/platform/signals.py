"""The signals that stop a program, and how a program keeps them from its children."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

if sys.platform == "win32":
    from rig.platform.console_close import stop_on_console_close

    STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
    HANG_UP: signal.Signals | None = None

    def signals_blocked() -> AbstractContextManager[None]:
        """Yield; Windows has no signals that a child could inherit. See ``processes.OWN_GROUP``."""
        return nullcontext()

    def signals_blocked_in_workers() -> AbstractContextManager[None]:
        """Yield; Windows has no signals that a child could inherit."""
        return nullcontext()

    def unblock_signals() -> None:
        """Return at once: no signal was blocked."""

    def interrupt_main() -> None:
        """Raise the interrupt of Ctrl-C in the main thread, at its next line of Python."""
        _thread.interrupt_main()

    def console_close_handled() -> AbstractContextManager[object]:
        """Run the main thread's SIGBREAK handler, which wakes the event loop, if the console closes in the block."""
        return stop_on_console_close(lambda: _thread.interrupt_main(signal.SIGBREAK))
else:
    STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    """A person at the terminal, another program, and a terminal that closes."""
    HANG_UP: signal.Signals | None = signal.SIGHUP
    """The signal of a terminal that closes, where the system has one."""

    @contextmanager
    def signals_blocked() -> Iterator[None]:
        """Yield with the stop signals blocked. Threads and processes that start in the block keep them blocked."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    @contextmanager
    def signals_blocked_in_workers() -> Iterator[None]:
        """Yield with the stop signals blocked, also for workers of ``multiprocessing`` that start in the block.

        A worker unblocks them when it has its own handlers.
        """
        from multiprocessing import resource_tracker

        with signals_blocked():
            resource_tracker.ensure_running()  # starting this process unblocks two signals, so block them again
            signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
            yield

    def unblock_signals() -> None:
        """Set signals to arrive again in a process that was started while they were blocked."""
        signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)

    def interrupt_main() -> None:
        """Send Ctrl-C's signal to the main thread: unlike ``_thread.interrupt_main`` it also ends ``time.sleep``."""
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def console_close_handled() -> AbstractContextManager[object]:
        """Yield; a terminal that closes sends SIGHUP."""
        return nullcontext()
