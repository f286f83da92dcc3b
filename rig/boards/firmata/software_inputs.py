"""Inputs that the host filters: lock-out and minimum times, of edges stamped on arrival."""

from __future__ import annotations

from collections.abc import Callable

from rig.core.clock import Clock, Timer
from rig.core.model.board import Input


class SoftwareInput:
    """One input: the level that was reported, the level that it has, and since when; times in µs of the session."""

    def __init__(
        self, channel: Input, clock: Clock, now_us: Callable[[], int], report: Callable[[str, int, int], None]
    ) -> None:
        self.name = channel.name
        self.level = 0
        self._clock = clock
        self._now_us = now_us
        self._report = report
        self._inverted = channel.inverted
        self._debounce_us = channel.debounce_us
        self._confirm_us = (channel.confirm_off_us, channel.confirm_on_us)
        self._raw = 0
        self._changed_us = 0
        self._locked_until_us = 0
        self._timer: Timer | None = None

    @property
    def pending_since_us(self) -> int | None:
        """Return the time since which a change waits to be reported; None when none does."""
        return None if self._timer is None else self._changed_us

    def drive(self, on_pin: bool) -> None:
        """Handle a reported level; the board reports all pins of a port when one of them changes."""
        raw = int(on_pin != self._inverted)
        if raw == self._raw:
            return
        self._raw, self._changed_us = raw, self._now_us()
        # The change before this one did not last for its minimum time, so it is no edge.
        self.stop()
        if raw != self.level:
            due_us = max(self._changed_us + self._confirm_us[raw], self._locked_until_us)
            if due_us <= self._changed_us:
                self._settle()
            else:
                self._timer = self._clock.call_later((due_us - self._changed_us) / 1e6, self._settle)

    def _settle(self) -> None:
        self._timer = None
        self.level = self._raw
        # From the stamp, not from the end of the confirmation: the rig's firmware does the same.
        self._locked_until_us = self._changed_us + self._debounce_us
        self._report(self.name, self.level, self._changed_us)

    def stop(self) -> None:
        """Cancel the report of a change that waits."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
