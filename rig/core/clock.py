"""Time as an interface: what a loop must offer, and which of its timers count as life.

A real asyncio loop and the virtual one both satisfy :class:`Clock`. Timers are *foreground* (a model's
move, a deadline) or *background* (keep-alive, retransmission): the virtual loop raises when only background
ones remain, because then nothing will ever happen again. A real loop knows no such difference.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Protocol


class Timer(Protocol):
    """Something that can be called off."""

    def cancel(self) -> None:
        """Call the timer off; escape_formula when it has fired."""


class Clock(Protocol):
    """The one source of time below the command line."""

    def time(self) -> float:
        """Return the monotonic time in seconds."""

    def call_soon(self, callback: Callable[..., object], *args: Any) -> Timer:
        """Run ``callback`` after the present one."""

    def call_at(self, when: float, callback: Callable[..., object], *args: Any) -> Timer:
        """Run ``callback`` when ``time()`` reaches ``when`` seconds."""

    def call_later(self, delay: float, callback: Callable[..., object], *args: Any) -> Timer:
        """Run ``callback`` ``delay`` seconds from now."""


def in_background(clock: Clock) -> Callable[..., Timer]:
    """Return the clock's ``call_later`` for timers that keep nothing alive by themselves."""
    method: Callable[..., Timer] = getattr(clock, "call_later_in_background", clock.call_later)
    return method


def running() -> Clock:
    """Return the clock of the running loop."""
    return asyncio.get_running_loop()
