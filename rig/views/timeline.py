"""Task time, and the moments that the reader of a chart must know of: pauses, breaks, changed parameters, faults."""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from rig.core.journal.kinds import ParamsChanged, Paused, Resumed, RowLine, TrialLine
from rig.core.model.events import Continued, LeaseExpired
from rig.core.model.line import Line
from rig.core.model.rows import TRIAL_TABLE
from rig.records.journal.read import tells_time
from rig.records.session.task_clock import RecordedClock
from rig.terminal.format import clock, param_texts
from rig.views.cells import shortened
from rig.views.chart import Floats, Moments, floats

MAX_MOMENTS = 200
"""More could not be told apart; the first ones stay."""
_MAX_CHARS = 60
_READ = frozenset((TrialLine, RowLine, ParamsChanged, LeaseExpired, Paused, Resumed, Continued))


class Timeline:
    """A fold of the lines that stop task time, or change what is measured."""

    def __init__(self) -> None:
        self.t_us = 0
        """The latest time of a line, on the board's axis."""
        self.rows: Counter[str] = Counter()
        """How many rows each table has."""
        self.changes = 0
        """Counts what was added here: a chart with another count is drawn again."""
        self._texts: list[str] = []
        self._at_s: list[float] = []
        self._after_rows: list[Counter[str]] = []
        self._clock = RecordedClock()

    def take(self, line: Line) -> None:
        """Handle the next line."""
        if line.t_us > self.t_us and tells_time(line):
            self.t_us = line.t_us
        # Most lines of a journal are none of these, and are passed over by one look-up.
        if type(line) in _READ:
            self._read(line)

    def _read(self, line: Line) -> None:
        was_paused = self._clock.is_paused
        self._clock.take(line)
        match line:
            case TrialLine():
                self.rows[TRIAL_TABLE] += 1
            case RowLine(table=table):
                self.rows[table] += 1
            case ParamsChanged(changed=changed):
                self._add(line.t_us, ", ".join(param_texts(changed)))
            case LeaseExpired():
                self._add(line.t_us, "lease expired")
            case Paused() if not was_paused:
                self._add(line.t_us, "paused")
            case Resumed(paused_us=paused_us) if was_paused:
                self._replace_last(f"pause of {clock(paused_us / 1e6)}")
            case Continued(gap_us=gap_us, why=why):
                self._add(line.t_us, f"break of {clock(gap_us / 1e6)} ({why.replace('_', ' ')})")

    def task_s(self, t_us: NDArray[np.int64]) -> Floats:
        """Convert times of the board to seconds of task time, which stands still in pauses and gaps."""
        converted: Floats = self._clock.all_task_us(t_us) / 1e6
        return converted

    @property
    def now_s(self) -> float:
        """Return the task time of the latest line."""
        return self._clock.task_us(self.t_us) / 1e6

    def after_rows(self, table: str) -> Moments:
        """Return the moments between the rows of a table, counted from 1."""
        return Moments(floats([rows[table] + 0.5 for rows in self._after_rows]), tuple(self._texts))

    def at_minutes(self) -> Moments:
        """Return the moments on an axis of task time in minutes."""
        return Moments(floats(self._at_s) / 60, tuple(self._texts))

    def _add(self, t_us: int, text: str) -> None:
        if len(self._texts) < MAX_MOMENTS:
            self.changes += 1
            self._texts.append(shortened(text, _MAX_CHARS))
            self._at_s.append(self._clock.task_us(t_us) / 1e6)
            self._after_rows.append(Counter(self.rows))

    def _replace_last(self, text: str) -> None:
        place = next((place for place in reversed(range(len(self._texts))) if self._texts[place] == "paused"), None)
        if place is not None:
            self.changes += 1
            self._texts[place] = text
