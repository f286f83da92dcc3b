"""One session with all that its page shows of it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from rig.core.journal.header import Footer, Header
from rig.core.journal.kinds import RewardLine, SessionLine
from rig.records.journal.dispatch import Dispatch
from rig.records.outputs.lanes import Lanes
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.state_spans import StateSpans
from rig.report.guarded_part import GuardedReader
from rig.report.latencies import OrderLatencies, StampErrors
from rig.report.session_report import SessionReport
from rig.views.sampled_values import SessionValues
from rig.views.session import SessionViews


class PageReport(SessionReport):
    """The report of a session with the folds of its lines that only its page shows."""

    def __init__(self, records: RecordedSession, *, running: bool = False) -> None:
        super().__init__(records, running=running)
        self.views = GuardedReader(SessionViews(records.folder))
        self.values = GuardedReader(SessionValues(records.folder))
        self.states = StateSpans()
        self.orders = OrderLatencies()
        self.stamps = StampErrors()
        self.lanes = Lanes()
        self.kept = self.kept | {Header, RewardLine, Footer}

    def readers(self) -> Dispatch:
        """Return what reads the lines beside the progress."""
        readers = super().readers()
        for fold in (self.states, self.orders, self.stamps):
            readers.add(fold.take, *fold.kinds)
        readers.add(self.values.take, *SessionValues.kinds)
        for take in (self.views.take, self.lanes.take):
            readers.add(take, *get_args(SessionLine))
        return readers


def page_report(session: Path, *, running: bool = False) -> PageReport:
    """Read a session's folder or journal. Raises ``RecordError``."""
    report = PageReport(read_session(session), running=running)
    report.read()
    return report
