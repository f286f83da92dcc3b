"""How a person or the system ends a session: once is a request, twice is now.

The first signal puts a request into the inbox, so that the session ends in the order of its events. The second
switches everything off without waiting for anything. Before the session's first moment and after its last one a
signal is kept, so that nothing is begun and left, and no record is half written.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, TracebackType

from rig.system.plugins import in_user_code
from rig.system.signals import SIGNALS, signal_handler

_HANG_UP = getattr(signal, "SIGHUP", None)


class StopSignals:
    """Keeps the system's ways of saying stop from the first file of a session to its last: ``with StopSignals()``."""

    def __init__(self) -> None:
        self.count = 0
        self._delivered = 0
        self._hung_up = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._say: Callable[[int], None] = lambda press: None
        self._held = ExitStack()

    def count_signal(self) -> None:
        """Stop: ask the first time, hurry the second."""
        self.count += 1
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._say, self.count)

    @contextmanager
    def deliver_to(self, request: Callable[[], None], hurry: Callable[[], None]) -> Iterator[None]:
        """Return a session on the running loop of every press, also of those before it; the first thing it hears."""
        self._loop = asyncio.get_running_loop()

        def say(press: int) -> None:
            self._delivered = press
            if press == 1:
                request()
            else:
                hurry()

        self._say = say
        for press in range(self.count):
            self._loop.call_soon(self._say, press + 1)
        try:
            yield
        finally:
            self._loop = None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if number == _HANG_UP:
            if self._hung_up:  # a terminal that closes is told of twice, by its shell and by the system
                return
            self._hung_up = True
        unheard = self.count > self._delivered
        self.count_signal()
        # A protocol that never awaits lets nobody hear: it is cut where it stands, as a hurry would at its next await.
        if unheard and self._loop is not None and asyncio.current_task(self._loop) is not None and in_user_code(frame):
            raise asyncio.CancelledError

    def __enter__(self) -> StopSignals:
        with ExitStack() as held:
            held.enter_context(signal_handler(SIGNALS, self._on_signal))
            if sys.platform == "win32":
                from rig.session.run.console_close import stop_on_console_close

                held.enter_context(stop_on_console_close())
            self._held = held.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()
