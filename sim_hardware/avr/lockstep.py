"""Keeps a chip in step with a loop: in virtual time exactly, in real time by short slices."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable

from rig.core.clock import Clock, Timer
from sim_hardware.avr.chip import HZ, Event, TraceEvent
from sim_hardware.avr.seam import SimulatedChip
from sim_hardware.loop import VirtualLoop

SLICE_S = 0.000_25
"""Largest lag of a chip in real time; shorter slices cost more processor time than they gain."""


class Lockstep:
    """Runs a chip up to the loop's time; ``on_event(event)`` is called when its time has come.

    ``ppm`` is the frequency error of the chip's crystal. Pin events keep virtual time running; bytes do not, because
    keep-alive messages between board and host would never end.
    """

    def __init__(self, chip: SimulatedChip, on_event: Callable[[Event], None], ppm: float = 0.0) -> None:
        self._loop = asyncio.get_running_loop()
        self._chip = chip
        self._on_trace_event = on_event
        self._hz = HZ * (1 + ppm / 1e6)
        self._born = self._loop.time() - chip.cycle / self._hz
        self._in_background = call_at_in_background(self._loop)
        self._slice: Timer | None = None
        if isinstance(self._loop, VirtualLoop):
            self._loop.register(self)
        else:
            self._live_in_real_time()

    def advance(self, until: float) -> None:
        """Run to a time, or to the first event."""
        target = self.cycle_at(until)
        if self._chip.cycle < target:
            self.tell(self._chip.run(target))

    def tell(self, events: list[Event]) -> None:
        """Schedule the handling of events at their times."""
        for event in events:
            call_at = self._in_background if event.kind is TraceEvent.BYTE else self._loop.call_at
            call_at(self._born + event.cycle / self._hz, self._on_trace_event, event)

    def cycle_at(self, when: float) -> int:
        """Return the cycle at a time of the loop."""
        # Rounded up, so that the chip has reached every timer of the loop.
        return math.ceil((when - self._born) * self._hz)

    def time_of(self, cycle: float) -> float:
        """Return the loop's time of a cycle, or of a part of one."""
        return self._born + cycle / self._hz

    def cycle_now(self) -> int:
        """Return the cycle of the loop's time; the chip may be an instruction ahead of it."""
        return round((self._loop.time() - self._born) * self._hz)

    def stop(self) -> None:
        """Stop the chip."""
        if isinstance(self._loop, VirtualLoop):
            self._loop.unregister(self)
        elif self._slice is not None:
            self._slice.cancel()

    def _live_in_real_time(self) -> None:
        target = self.cycle_at(self._loop.time())
        while self._chip.cycle < target:
            self.tell(self._chip.run(target))
        self._slice = self._loop.call_later(SLICE_S, self._live_in_real_time)


def call_at_in_background(clock: Clock) -> Callable[..., Timer]:
    """Return the clock's ``call_at`` for timers that keep nothing alive by themselves."""
    method: Callable[..., Timer] = getattr(clock, "call_at_in_background", clock.call_at)
    return method


class Background:
    """A clock whose timers do not keep virtual time running, for a cable that carries keep-alive messages."""

    def __init__(self, clock: Clock) -> None:
        self.time = clock.time
        self.call_soon = clock.call_soon
        self.call_at = call_at_in_background(clock)

    def call_later(self, delay: float, callback: Callable[..., object], *args: object) -> Timer:
        """Run a callback ``delay`` seconds from now."""
        return self.call_at(self.time() + delay, callback, *args)
