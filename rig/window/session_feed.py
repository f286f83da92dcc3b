"""One session as the window knows it: what its journal says so far, read a little at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.model.line import Line
from rig.expectations.finding import Finding
from rig.live.display_loop import SessionStatus, last_change_s, session_status
from rig.live.follow import JournalFollower
from rig.live.progress import Progress
from rig.views.chart import Chart
from rig.views.sampled_values import SessionValues
from rig.views.session import SessionViews
from rig.window.session_lanes import LaneRow, SessionLanes

BITE_BYTES = 1 << 17
"""About 1,000 lines: some milliseconds of reading, after which the window answers keys."""


class SessionFeed:
    """Reads the journal of one session, which may not be there yet, may grow, and may end in nonsense.

    ``real_time`` says whether time passes between two lines; None: where a person or an animal does the task.
    """

    def __init__(self, journal: Path, *, real_time: bool | None = None) -> None:
        self.journal = journal
        self.progress = Progress()
        self.lanes = SessionLanes()
        self.values = SessionValues(journal.parent)
        self.real_time = real_time
        self.error = ""
        """Why the journal is read no more; empty while it is."""
        self.is_caught_up = False
        self._views = SessionViews(journal.parent)
        self._folds: Sequence[Callable[[Line], object]] = (
            self.progress.take,
            self.lanes.take,
            self.values.take,
            self._views.take,
        )
        self._follower = JournalFollower(journal, BITE_BYTES)
        self._changed_s = last_change_s(self._follower)

    # --- read -------------------------------------------------------------------------------------------------------

    def read(self, budget_s: float) -> bool:
        """Read what is new for about so long; return whether there was anything."""
        end_s = time.monotonic() + budget_s
        before = self.progress.lines
        self.is_caught_up = not self._bite()
        while not self.is_caught_up and time.monotonic() < end_s:
            self.is_caught_up = not self._bite()
        if new := self.progress.lines > before:
            self._changed_s = last_change_s(self._follower)
        if self.is_caught_up:
            self._find()
        return new

    def _bite(self) -> bool:
        if self.values.read_some():
            return True
        if self.error:
            return False
        try:
            lines = self._follower.read()
        except RecordError as error:
            self.error = str(error)
            return False
        self._take(lines)
        return bool(lines)

    def _take(self, lines: Sequence[Line]) -> None:
        for take in self._folds:  # one after the other: each runs over many lines at once, which is quicker
            for line in lines:
                take(line)

    def _find(self) -> None:
        """Run the rules for the time that has passed without a line, or for the end."""
        if self.progress.footer is not None:
            self.progress.expectations.end()
        elif self._passes:
            self.progress.pass_time(self.now().elapsed_s)

    # --- the present ------------------------------------------------------------------------------------------------

    @property
    def chart_count(self) -> int:
        """Return how many charts the session has; none before its header."""
        return len(self._views.folds)

    def chart(self, number: int) -> Chart:
        """Return a chart, the same object again unless it has changed."""
        return self._views.folds[number].chart()

    def rows(self) -> Sequence[LaneRow]:
        """Return the lanes up to the present; none of a journal with more actions than any session has."""
        try:
            return self.lanes.rows(self.now_us)
        except RecordError:
            return ()

    @property
    def findings(self) -> Sequence[Finding]:
        """Return what is not normal, the oldest first."""
        return self.progress.expectations.findings

    @property
    def damaged(self) -> int:
        """Return how many lines of the journal were left out."""
        return self._follower.damaged

    @property
    def is_there(self) -> bool:
        """Whether the journal is in its place."""
        return self._follower.written_s() is not None

    @property
    def share_read(self) -> float:
        """Return how much of the journal has been read, from 0 to 1."""
        return self._follower.share_read

    def now(self) -> SessionStatus:
        """Return the present of the session."""
        return session_status(self.progress, self._quiet_s, self.damaged, self._passes)

    @property
    def now_us(self) -> int:
        """Return the present on the axis of the journal, pauses included."""
        return self.progress.t_us + (round(1e6 * self._quiet_s) if self._passes else 0)

    @property
    def _quiet_s(self) -> float:
        return max(0.0, time.monotonic() - self._changed_s)

    @property
    def _passes(self) -> bool:
        """Whether time passes without a line: not before the task, behind its end, or in an unpaced simulation."""
        progress = self.progress
        real_time = progress.runs_in_real_time if self.real_time is None else self.real_time
        return real_time and progress.footer is None and progress.state != ""
