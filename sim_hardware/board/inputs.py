"""Inputs: lock-out, confirmation, floods, and edges in channel order at the same instant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from rig.boards.wire import messages as wire
from rig.core.clock import Timer
from sim_hardware.board.ticks import Ticks

FLOOD_CHANGES, WINDOW_US = 24, 4096
"""If all inputs together change more often in one window, those that change often are muted."""
OFTEN = 4
"""So often an input changes within one window that is said to change often."""
PROBE_US, QUIET_US = 8192, 1000
"""The period with which a muted input is examined, and how long it must not have changed then."""
MAX_PER_MS = 0xFF
"""The highest rate that the wire can tell."""

_stamp_then_number = attrgetter("changed", "number")


class InputChannel:
    """One input: the level that was reported, the level on the pin, and since when."""

    __slots__ = (
        "changed",
        "changes",
        "confirm",
        "debounce",
        "inverted",
        "is_muted",
        "level",
        "locked_until",
        "number",
        "raw",
    )

    def __init__(self, number: int, inverted: bool, debounce: int, confirm: tuple[int, int]) -> None:
        self.number = number
        self.inverted = inverted
        self.debounce = debounce
        self.confirm = confirm
        self.level = 0
        self.raw = 0
        self.changed = 0
        self.locked_until = 0
        self.changes = 0
        """How often its pin has changed in the present window."""
        self.is_muted = False

    @classmethod
    def of(cls, number: int, flags: int, times_us: Sequence[int], ticks: Ticks) -> InputChannel:
        """Build the channel of an order; ``times_us`` are its lock-out, and its confirmation of on and of off."""
        debounce, confirm_on, confirm_off = map(ticks.from_us, times_us)
        # The pair is indexed by the level that is confirmed: off, on.
        return cls(number, bool(flags & wire.INVERTED), debounce, (confirm_off, confirm_on))

    def due(self) -> int:
        """Return when the change on the pin may be reported."""
        return max(self.changed + self.confirm[self.raw], self.locked_until)


class Inputs:
    """All inputs of a chip; ``report(channel, level, ticks)`` is called for every edge, in the chip's order.

    ``report_flood(channel, per_ms, ticks)`` is called when an input is muted, and with 0 when it is quiet again.
    """

    def __init__(
        self,
        ticks: Ticks,
        report: Callable[[int, int, int], None],
        report_flood: Callable[[int, int, int], None],
    ) -> None:
        self._ticks = ticks
        self._report = report
        self._report_flood = report_flood
        self._window, self._probe, self._quiet = map(ticks.from_us, (WINDOW_US, PROBE_US, QUIET_US))
        self._window_began = 0
        self._total = 0
        """How often all inputs together have changed in the present window."""
        self._by_pin: dict[int, InputChannel] = {}
        self._pins: dict[int, int] = {}
        self._pending: dict[int, InputChannel] = {}
        self._scans: dict[int, Timer] = {}
        self._probes: dict[int, Timer] = {}
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
        if (probe := self._probes.pop(pin, None)) is not None:
            probe.cancel()
        self._by_pin[pin] = channel
        channel.raw = channel.level = self._pins.get(pin, 0) ^ channel.inverted
        channel.changed = self._ticks.now()
        if channel.level:
            self._report(channel.number, 1, channel.changed)

    def forget(self) -> None:
        """Remove the configuration of all pins."""
        for timer in (*self._scans.values(), *self._probes.values()):
            timer.cancel()
        self._by_pin.clear()
        self._pending.clear()
        self._scans.clear()
        self._probes.clear()
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
        now = channel.changed = self._ticks.now()
        channel.raw = raw
        if channel.is_muted:
            return
        self._follow(channel)
        self._record(channel, now)

    def _record(self, channel: InputChannel, now: int) -> None:
        """Record a change of a pin; mute the inputs that change often if all together change too often."""
        if now - self._window_began >= self._window:
            self._begin_window(now)
        channel.changes += 1
        self._total += 1
        if self._total <= FLOOD_CHANGES:
            return
        heard = [(pin, other) for pin, other in self._by_pin.items() if not other.is_muted]
        most = max(other.changes for _, other in heard)
        for pin, other in heard:
            if other.changes >= min(OFTEN, most):
                self._mute(pin, other)
        self._begin_window(now)

    def _begin_window(self, now: int) -> None:
        self._window_began, self._total = now, 0
        for channel in self._by_pin.values():
            channel.changes = 0

    def _follow(self, channel: InputChannel) -> None:
        """Start to confirm the level on the pin, or stop a confirmation."""
        # Back on the reported level before it was confirmed: a bounce is not reported.
        if channel.raw == channel.level:
            self._pending.pop(channel.number, None)
        else:
            self._pending[channel.number] = channel
            self._scan_at(channel.due())

    def _mute(self, pin: int, channel: InputChannel) -> None:
        """Stop an input until it is quiet: its changes could keep the chip from its other work."""
        now = self._ticks.now()
        lasted_us = max(1, (now - self._window_began) * self._ticks.tick_ns // 1000)
        self._pending.pop(channel.number, None)
        channel.is_muted = True
        self._report_flood(channel.number, min(MAX_PER_MS, max(1, 1000 * channel.changes // lasted_us)), now)
        self._probes[pin] = self._ticks.at(now + self._probe, self._examine, pin, channel)

    def _examine(self, pin: int, channel: InputChannel) -> None:
        now = self._ticks.now()
        if now - channel.changed < self._quiet:
            self._probes[pin] = self._ticks.at(now + self._probe, self._examine, pin, channel)
            return
        del self._probes[pin]
        channel.is_muted = False
        self._report_flood(channel.number, 0, now)
        # When the present level came is not known: it counts from here.
        channel.changed = now
        self._follow(channel)

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
