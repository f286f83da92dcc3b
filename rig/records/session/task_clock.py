"""Convert task time to the time of a recorded session: its tables are without its pauses and gaps."""

from __future__ import annotations

from rig.core.journal.kinds import Paused, Resumed
from rig.core.model.events import Continued
from rig.core.model.line import LONGEST_US, Line
from rig.core.model.task_clock import TaskClock


class RecordedClock(TaskClock):
    """The pauses and gaps of the lines taken so far."""

    kinds = (Paused, Resumed, Continued)
    """The kinds of lines that stop task time, or let it go on."""

    def take(self, line: Line) -> None:
        """Read the next line."""
        match line:
            case Paused():
                self.pause(line.t_us)
            case Resumed() if self.is_paused:
                self.resume(line.paused_us)
            case Resumed():
                self._exclude_before(line.t_us, line.paused_us)
            case Continued() if not self.is_paused:  # a pause that was open includes the gap
                self._exclude_before(line.t_us, line.gap_us)

    def _exclude_before(self, t_us: int, length_us: int) -> None:
        length_us = min(length_us, max(0, t_us))  # no gap began before the session
        self.exclude(t_us - length_us, length_us)

    def exclude(self, began_us: int, length_us: int) -> None:
        """Add a span that is over; no journal says truly that it was longer than any session."""
        super().exclude(began_us, min(length_us, LONGEST_US))
