"""The host's estimate of the board's clock.

A board stamps in 32-bit ticks that wrap. The host extends them, counts microseconds from the acknowledgement
that opened the session, and keeps an estimate of the loop time at which the board's clock passes an instant.
The estimate only decides when to query; the board decides whether a deadline has passed.
"""

from __future__ import annotations

_SAMPLE_LIFE_S = 10.0
"""The lifetime of the best round trip. An Uno's resonator drifts by up to 0.5 %: 50 ms in this time."""


class BoardClock:
    """Converts stamps into microseconds of the session, and those into loop time."""

    def __init__(self, tick_ns: int) -> None:
        self._tick_ns = tick_ns
        self._last = 0
        self._zero = 0
        self._offset_s = 0.0
        self._best_trip_s = float("inf")
        self._best_until_s = 0.0
        self._first: tuple[float, int] | None = None
        self._latest: tuple[float, int] = (0.0, 0)

    def begin(self, stamp: int, start_us: int = 0) -> None:
        """Set the session's time at ``stamp`` to ``start_us``, a whole number of ticks."""
        self._last = stamp
        self._zero = stamp - self.ticks(start_us)
        self._best_trip_s = float("inf")
        self._first = None

    def t_us(self, stamp: int) -> int:
        """Convert a stamp into microseconds of the session; it is within 2^31 ticks of the latest one."""
        ahead = ((stamp - self._last + 0x8000_0000) & 0xFFFF_FFFF) - 0x8000_0000
        ticks = self._last + ahead
        # A repeated event carries an old stamp, which must not move the reference backward.
        if ahead > 0:
            self._last = ticks
        # Integers: a comparison with a deadline is exact, also after a month.
        return self.us(ticks - self._zero)

    def ticks(self, us: int) -> int:
        """Convert a length of time into the board's ticks, rounded down as the board does."""
        return us * 1000 // self._tick_ns

    def us(self, ticks: int) -> int:
        """Convert a length of time in the board's ticks into microseconds, rounded down."""
        return ticks * self._tick_ns // 1000

    def stamp(self, t_us: int) -> int:
        """Convert a time of the session into the board's 32-bit stamp, rounded down."""
        return (self._zero + self.ticks(t_us)) & 0xFFFF_FFFF

    def sample(self, sent_s: float, t_us: int, received_s: float) -> None:
        """Update the estimate from a query and its answer; the shortest recent round trip is used."""
        trip = received_s - sent_s
        # The middle: however the two ways differ, the error is at most half the round trip.
        self._latest = ((sent_s + received_s) / 2, t_us)
        self._first = self._first or self._latest
        # A short round trip bounds the offset best; an old one is dropped because the resonator drifts.
        if trip <= self._best_trip_s or received_s > self._best_until_s:
            self._best_trip_s = trip
            self._best_until_s = received_s + _SAMPLE_LIFE_S
            self._offset_s = (sent_s + received_s) / 2 - t_us / 1_000_000

    @property
    def rate_ppm(self) -> int:
        """Return the board clock's rate minus the host's, in parts per million; only reported, not used."""
        # Within less than 1 s the jitter of the round trips exceeds the rate.
        if self._first is None or self._latest[0] - self._first[0] < 1.0:
            return 0
        host_us = (self._latest[0] - self._first[0]) * 1e6
        return round((self._latest[1] - self._first[1] - host_us) / host_us * 1e6)

    @property
    def within_s(self) -> float:
        """Return the uncertainty of the estimate: half its round trip, in seconds."""
        return self._best_trip_s / 2

    def loop_time(self, t_us: int) -> float:
        """Return the estimated loop time at which the board's clock reads ``t_us``."""
        return self._offset_s + t_us / 1_000_000
