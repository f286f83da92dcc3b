"""An end for what may never come back: somebody's loop that never awaits hears no request and meets no deadline."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from rig.signals import handling


class OverdueInterrupt(KeyboardInterrupt):
    """Time is up; a kind of Ctrl-C, since an event loop keeps every other error to itself."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Raise ``OverdueInterrupt`` in the block when it takes longer, in real time; only the main thread can be told."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    late = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        if late.is_set():
            raise OverdueInterrupt
        before(number, frame)

    def ring() -> None:
        late.set()
        _thread.interrupt_main()

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    with handling(("SIGINT",), hear):
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
