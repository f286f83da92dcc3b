"""How a person or the system ends a session: once is a request, twice is now.

The first signal puts a request into the inbox, so that the session ends in the order of its events. The second
switches everything off without waiting for anything.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")


class StopSignals:
    """Listens for the system's ways of saying stop: ``with StopSignals(request, hurry):``."""

    def __init__(self, request: Callable[[], None], hurry: Callable[[], None]) -> None:
        self.presses = 0
        self._request = request
        self._hurry = hurry
        self._loop = asyncio.get_running_loop()
        self._before: dict[int, Any] = {}

    def press(self) -> None:
        """Stop: ask the first time, hurry the second."""
        self.presses += 1
        if self.presses == 1:
            self._request()
        else:
            self._hurry()

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self._loop.call_soon_threadsafe(self.press)

    def __enter__(self) -> StopSignals:
        for name in SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:  # as nohup leaves it
                with suppress(ValueError):  # not in the main thread: nobody can signal us here
                    self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
