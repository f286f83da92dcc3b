"""Detection of inputs that look broken, and of a subject that does nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from rig.core.engine.interrupts import SessionEnded
from rig.core.model.events import Edge

NEVER_US = 1 << 62
"""A time later than any session."""


@dataclass(frozen=True, slots=True)
class ActivityLimits:
    """The limits of inactivity: how long an input may stay on, and how long nothing may happen.

    ``stuck_us`` and ``alert_us`` lead to a warning, ``idle_us`` ends the session. ``external_inputs`` are driven by
    devices, not by the animal: their changes do not count as activity. The ``photodiode`` sees a square that every
    second frame lights: it may stay on as long as its picture does.
    """

    stuck_us: int = 120_000_000
    alert_us: int = NEVER_US
    idle_us: int = NEVER_US
    external_inputs: frozenset[str] = frozenset()
    photodiode: str | None = None


class ActivityMonitor:
    """A monitor of how long each input has been on, and whether the photodiode follows the screen.

    It calls ``warn(what, channel, since_us)`` once for every long stay or silence. Its time advances with the events
    that are read, so a replay warns at the same places.
    """

    def __init__(self, limits: ActivityLimits, warn: Callable[[str, str, int], None]) -> None:
        self._limits = limits
        self._first_alert_us = min(limits.alert_us, limits.idle_us)
        self._warn = warn
        self._on_since: dict[str, int] = {}
        self._changed: set[str] = set()
        self._last_us = 0
        self._alerted = False
        self._seen_lit = self._shown_lit = 0

    @property
    def next_check_us(self) -> int:
        """Return the latest time at which the board's time must be known."""
        limits = self._limits
        quiet_us = self._last_us + (limits.idle_us if self._alerted else self._first_alert_us)
        # Read some 10,000 times in 40 minutes of the bandit: without this return a third of its time went into ``min``.
        if not self._on_since:
            return quiet_us
        return min(quiet_us, min(self._on_since.values()) + limits.stuck_us)

    def on_edge(self, edge: Edge) -> None:
        """Record an edge."""
        self._changed.add(edge.channel)
        if edge.channel not in self._limits.external_inputs:
            self.note_activity(edge.t_us)
        if edge.channel == self._limits.photodiode:
            self._seen_lit = edge.level
            self._compare_light(edge.channel, edge.t_us)
        elif edge.level:
            self._on_since[edge.channel] = edge.t_us
        else:
            self._on_since.pop(edge.channel, None)

    def on_frame_shown(self, frame: int, t_us: int) -> None:
        """Record the frame that is on the screen."""
        # The square alternates with the frame number, so the parity of the frame is its expected light.
        self._shown_lit = frame % 2
        if self._limits.photodiode is not None:
            self._compare_light(self._limits.photodiode, t_us)

    def _compare_light(self, photodiode: str, t_us: int) -> None:
        if self._seen_lit == self._shown_lit:
            self._on_since.pop(photodiode, None)
        else:
            # The start of the first mismatch counts; a later edge during the mismatch must not restart it.
            self._on_since.setdefault(photodiode, t_us)

    def note_activity(self, t_us: int) -> None:
        """Record an activity of the subject."""
        # Touches and edges come in the order of arrival, so a later line may have an earlier stamp.
        self._last_us, self._alerted = max(self._last_us, t_us), False

    def check(self, t_us: int) -> SessionEnded | None:
        """Check all limits at a time; return the end of the session when nothing has happened for too long."""
        # A copy: a warning removes the input from the table.
        for channel, since_us in list(self._on_since.items()):
            if t_us - since_us >= self._limits.stuck_us:
                del self._on_since[channel]  # one warning per stay; the next change starts a new one
                self._warn("photodiode" if channel == self._limits.photodiode else "stuck", channel, since_us)
        quiet_us = t_us - self._last_us
        if quiet_us >= self._limits.idle_us:
            return SessionEnded("idle", f"nothing has happened for {self._limits.idle_us / 60e6:g} minutes")
        if quiet_us >= self._limits.alert_us and not self._alerted:
            self._alerted = True
            self._warn("idle", "", self._last_us)
        return None

    def exclude(self, us: int) -> None:
        """Remove a pause that has just ended from all spans that are measured."""
        self._last_us += us
        self._on_since = {channel: since_us + us for channel, since_us in self._on_since.items()}

    def forget_levels(self, kept: Collection[str]) -> None:
        """Remove all stays but those of inputs ``kept``: the board that was opened again reports each that is on."""
        self._on_since = {channel: since_us for channel, since_us in self._on_since.items() if channel in kept}
        self._seen_lit = self._shown_lit = 0

    def inactive_inputs(self, channels: Iterable[str]) -> list[str]:
        """Return the inputs that never changed."""
        return [channel for channel in channels if channel not in self._changed]
