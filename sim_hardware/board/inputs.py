"""Inputs: lock-out, confirmation, and edges in channel order at the same instant."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from rig.core.clock import Timer
from sim_hardware.board.ticks import Ticks

_stamp_then_number = attrgetter("changed", "number")


class InputChannel:
    """One input: the level that was reported, the level on the pin, and since when."""

    __slots__ = ("changed", "confirm", "debounce", "inverted", "level", "locked_until", "number", "raw")

    def __init__(self, number: int, inverted: bool, debounce: int, confirm: tuple[int, int]) -> None:
        self.number = number
        self.inverted = inverted
        self.debounce = debounce
        self.confirm = confirm
        self.level = 0
        self.raw = 0
        self.changed = 0
        self.locked_until = 0

    def due(self) -> int:
        """Return when the change on the pin may be reported."""
        return max(self.changed + self.confirm[self.raw], self.locked_until)


class Inputs:
    """All inputs of a chip; ``report(channel, level, ticks)`` is called for every edge, in the chip's order."""

    def __init__(self, ticks: Ticks, report: Callable[[int, int, int], None]) -> None:
        self._ticks = ticks
        self._report = report
        self._by_pin: dict[int, InputChannel] = {}
        self._pins: dict[int, int] = {}
        self._pending: dict[int, InputChannel] = {}
        self._scans: dict[int, Timer] = {}
        self._watched: tuple[int, bool, Callable[[], None]] | None = None

    def watch(self, pin: int, inverted: bool, on_active: Callable[[], None]) -> None:
        """Start to watch one pin: ``on_active`` is called when it has or gets its active level, without any filter."""
        self._watched = pin, inverted, on_active
        self._check_watched(pin)

    def _check_watched(self, pin: int) -> None:
        if self._watched is not None and self._watched[0] == pin and self._pins.get(pin, 0) != self._watched[1]:
            self._watched[2]()

    def configure(self, pin: int, channel: InputChannel) -> None:
        """Set the configuration of a pin; a level that is on already is reported as an edge."""
        self._by_pin[pin] = channel
        channel.raw = channel.level = self._pins.get(pin, 0) ^ channel.inverted
        channel.changed = self._ticks.now()
        if channel.level:
            self._report(channel.number, 1, channel.changed)

    def forget(self) -> None:
        """Remove the configuration of all pins."""
        for timer in self._scans.values():
            timer.cancel()
        self._by_pin.clear()
        self._pending.clear()
        self._scans.clear()
        self._watched = None

    def drive(self, pin: int, level: int) -> None:
        """Set the level that the world puts on a pin."""
        self._pins[pin] = level
        self._check_watched(pin)
        channel = self._by_pin.get(pin)
        if channel is None:
            return
        raw = level ^ channel.inverted
        if raw == channel.raw:
            return
        channel.raw = raw
        channel.changed = self._ticks.now()
        # Back on the reported level before it was confirmed: a bounce is not reported.
        if raw == channel.level:
            self._pending.pop(channel.number, None)
        else:
            self._pending[channel.number] = channel
            self._scan_at(channel.due())

    def horizon(self) -> int:
        """Return the tick up to which all edges have been reported."""
        now = self._ticks.now()
        if not self._pending:
            return now - 1  # a pin may still change in this tick
        # A change that is being confirmed may still be reported, with its earlier stamp
        # (docs/decisions/confirmed-deadlines.md).
        return min(now, *(channel.changed for channel in self._pending.values())) - 1

    def _scan_at(self, due: int) -> None:
        if due not in self._scans:
            self._scans[due] = self._ticks.at(due, self._scan, due)

    def _scan(self, due: int) -> None:
        # One scan per instant, after all other callbacks: edges that are confirmed together come in
        # the order of their stamps, simultaneous ones in channel order.
        del self._scans[due]
        now = self._ticks.now()
        for channel in sorted(self._pending.values(), key=_stamp_then_number):
            if channel.due() <= now:
                del self._pending[channel.number]
                channel.level = channel.raw
                # From the stamp of the edge, not from its confirmation, as in the firmware.
                channel.locked_until = channel.changed + channel.debounce
                self._report(channel.number, channel.level, channel.changed)
            else:
                self._scan_at(channel.due())
