"""The clock interface: the timers of a loop, and which of them keep a simulation running.

A real asyncio loop and the virtual loop both satisfy :class:`Clock`. Timers are *foreground* (a model's move, a
deadline) or *background* (keep-alive, retransmission). The virtual loop raises an error when only background timers
remain: no foreground event can follow any more. A real loop makes no such difference.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol


class Timer(Protocol):
    """A timer that can be canceled."""

    def cancel(self) -> None:
        """Cancel the timer; it does nothing when the timer has fired."""


class Clock(Protocol):
    """The one source of time below the command line."""

    def time(self) -> float:
        """Return the monotonic time in seconds."""

    def call_soon(self, callback: Callable[..., object], *args: object) -> Timer:
        """Run ``callback`` after the present one."""

    def call_at(self, when: float, callback: Callable[..., object], *args: object) -> Timer:
        """Run ``callback`` when ``time()`` reaches ``when`` seconds."""

    def call_later(self, delay: float, callback: Callable[..., object], *args: object) -> Timer:
        """Run ``callback`` ``delay`` seconds from now."""


def in_background(clock: Clock) -> Callable[..., Timer]:
    """Return the clock's ``call_later`` for timers that keep nothing alive by themselves."""
    # A real loop lacks this method: only virtual time must know which timers keep a simulation running.
    method: Callable[..., Timer] = getattr(clock, "call_later_in_background", clock.call_later)
    return method


def posting(clock: Clock) -> Callable[..., object]:
    """Return the clock's ``call_later`` for callbacks that are never canceled: the virtual loop makes no timer then."""
    method: Callable[..., object] = getattr(clock, "post", clock.call_later)
    return method


def running() -> Clock:
    """Return the clock of the running loop."""
    return asyncio.get_running_loop()
