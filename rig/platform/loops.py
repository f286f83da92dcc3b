"""Event loops in real time."""

from __future__ import annotations

import asyncio
import sys

if sys.platform == "win32":

    def new_loop() -> asyncio.AbstractEventLoop:
        """Return a new event loop in real time."""
        return asyncio.new_event_loop()
else:

    def new_loop() -> asyncio.AbstractEventLoop:
        """Return a new event loop in real time; not the policy's: uvloop fires timers up to 1.4 ms early."""
        return asyncio.SelectorEventLoop()
