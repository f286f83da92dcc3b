"""The chip's clock: whole ticks since power-on, of which timestamps on the wire have 32 bits."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.clock import Clock, Timer, in_background


class Ticks:
    """A free-running counter. ``ppm`` is its frequency error, ``start`` its value at power-on."""

    def __init__(self, clock: Clock, tick_ns: int = 1000, start: int = 0, ppm: float = 0.0) -> None:
        self.tick_ns = tick_ns
        self._clock = clock
        self._time = clock.time
        self._born = clock.time()
        self._start = start
        self._per_s = 1e9 / tick_ns * (1 + ppm / 1e6)

    def now(self) -> int:
        """Return the number of ticks since power-on."""
        # Rounded: a timer that was set for a tick must find the counter at that tick.
        return round((self._time() - self._born) * self._per_s)

    def stamp(self, ticks: int) -> int:
        """Return the 32-bit timestamp of a count."""
        return (ticks + self._start) & 0xFFFF_FFFF

    def count(self, stamp: int) -> int:
        """Return the full count of a timestamp within 2^31 ticks of now."""
        now = self.now()
        ahead = ((stamp - self.stamp(now) + 0x8000_0000) & 0xFFFF_FFFF) - 0x8000_0000
        return now + ahead

    def from_us(self, us: int) -> int:
        """Convert microseconds into ticks."""
        return us * 1000 // self.tick_ns

    def at(self, ticks: int, callback: Callable[..., object], *args: object) -> Timer:
        """Run a callback at a count of ticks."""
        return self._clock.call_at(self._born + ticks / self._per_s, callback, *args)

    def at_in_background(self, ticks: int, callback: Callable[..., object], *args: object) -> Timer:
        """Run a callback at a count of ticks, if anything else still happens by then."""
        return in_background(self._clock)(self._born + ticks / self._per_s - self._clock.time(), callback, *args)

    def seconds(self, ticks: int) -> float:
        """Convert ticks into seconds of the loop."""
        return ticks / self._per_s
