"""Handle the stop signals: Ctrl-C, a closing terminal, SIGTERM from another program."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from rig.system.statuses import STOPPED

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
Handler = Callable[[int, FrameType | None], object] | signal.Handlers


@contextmanager
def signal_handler(names: tuple[str, ...], handler: Handler) -> Iterator[None]:
    """Yield with a handler for signals, and restore the earlier ones; ignored signals stay ignored."""
    before: dict[int, Handler | int | None] = {}
    for name in names:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
            with suppress(ValueError):  # not in the main thread: no signal can be handled here
                before[number] = signal.signal(number, handler)
    try:
        yield
    finally:
        for number, was in before.items():
            signal.signal(number, was)


class InterruptHandler:
    """Outside a session: the first signal stops; signals after the first ``patience`` ones lose patience."""

    def __init__(
        self,
        stop: Callable[[], None],
        lose_patience: Callable[[], None] = lambda: os._exit(STOPPED),
        *,
        patience: int = 2,
    ) -> None:
        self.count = 0
        self._stop = stop
        self._lose_patience = lose_patience
        self._patience = patience
        self._held = False

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        self.count += 1
        if self.count == 1 and not self._held:
            self._stop()
        elif self.count > self._patience:
            self._lose_patience()

    @contextmanager
    def deferred(self) -> Iterator[None]:
        """Stop only behind the block, which must not be cut anywhere."""
        self._held = True
        try:
            yield
        finally:
            self._held = False
        if self.count:
            self._stop()


@contextmanager
def interruptible() -> Iterator[InterruptHandler]:
    """Handle every stop signal like Ctrl-C."""
    stops = InterruptHandler(_interrupt)
    with signal_handler(SIGNALS, stops):
        yield stops


def _interrupt() -> None:
    raise KeyboardInterrupt


@contextmanager
def signals_blocked() -> Iterator[None]:
    """Yield with signals blocked. Threads and processes that start in the block, and theirs, keep them blocked.

    A process unblocks them when it has its own handlers.
    """
    if os.name != "posix":
        yield
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, _numbers())
    try:
        resource_tracker.ensure_running()  # starting this process unblocks two signals, so block them again
        signal.pthread_sigmask(signal.SIG_BLOCK, _numbers())
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unblock_signals() -> None:
    """Set signals to arrive again in a process that was started with `signals_blocked`."""
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _numbers())


def _numbers() -> list[int]:
    return [getattr(signal, name) for name in SIGNALS if hasattr(signal, name)]


def ignore_signals() -> None:
    """Set all stop signals to be ignored: the exit status is decided, or this process is told otherwise."""
    for number in _numbers():
        signal.signal(number, signal.SIG_IGN)
