"""Handle the stop signals: Ctrl-C, a closing terminal, SIGTERM from another program."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FrameType

from rig.platform.signals import STOP_SIGNALS
from rig.system.statuses import STOPPED

Handler = Callable[[int, FrameType | None], object] | signal.Handlers


@contextmanager
def signal_handler(numbers: Sequence[signal.Signals], handler: Handler) -> Iterator[None]:
    """Yield with a handler for signals, and restore the earlier ones; ignored signals stay ignored."""
    before: dict[signal.Signals, Handler | int | None] = {}
    for number in numbers:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
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
    with signal_handler(STOP_SIGNALS, stops):
        yield stops


def _interrupt() -> None:
    raise KeyboardInterrupt


def ignore_signals() -> None:
    """Set all stop signals to be ignored: the exit status is decided, or this process is told otherwise."""
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_IGN)
