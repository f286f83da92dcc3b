"""Stop a session by signals: the first one requests a stop, the second one stops at once.

The first signal puts a request into the inbox, so that the session ends in the order of its events. The second
switches all outputs off without waiting. Signals before the start and after the end of a session are kept, so that
no session is started by halves and no record is written by halves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType, TracebackType

from rig.platform.signals import HANG_UP, STOP_SIGNALS, console_close_handled
from rig.system.plugins import in_user_code
from rig.system.signals import signal_handler


class StopSignals:
    """Handler of the stop signals from the first file of a session to the last: ``with StopSignals()``."""

    def __init__(self) -> None:
        self.count = 0
        self._delivered = 0
        self._hung_up = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._deliver: Callable[[int], None] = lambda press: None
        self._held = ExitStack()

    def count_signal(self) -> None:
        """Add a signal to the count, and deliver it to the running session."""
        self.count += 1
        if self._loop is not None:
            # call_soon() in a signal handler would not wake a loop that waits for its next event.
            self._loop.call_soon_threadsafe(self._deliver, self.count)

    @contextmanager
    def deliver_to(self, request: Callable[[], None], stop_now: Callable[[], None]) -> Iterator[None]:
        """Send every signal to a session on the running loop, the earlier ones first."""
        self._loop = asyncio.get_running_loop()

        def deliver(press: int) -> None:
            self._delivered = press
            if press == 1:
                request()
            else:
                stop_now()

        self._deliver = deliver
        # Scheduled and not called: the journal's header must come before the request's line.
        for press in range(self.count):
            self._loop.call_soon(self._deliver, press + 1)
        try:
            yield
        finally:
            self._loop = None

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if number == HANG_UP:
            if self._hung_up:  # a closing terminal sends SIGHUP twice, once by its shell and once by the system
                return
            self._hung_up = True
        undelivered = self.count > self._delivered
        self.count_signal()
        # A protocol that never awaits blocks the loop, and the request too. It is cancelled at its current line, as an
        # immediate stop would do at its next await.
        if (
            undelivered
            and self._loop is not None
            and asyncio.current_task(self._loop) is not None
            and in_user_code(frame)
        ):
            raise asyncio.CancelledError

    def __enter__(self) -> StopSignals:
        with ExitStack() as held:
            held.enter_context(signal_handler(STOP_SIGNALS, self._on_signal))
            held.enter_context(console_close_handled())
            self._held = held.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._held.close()
