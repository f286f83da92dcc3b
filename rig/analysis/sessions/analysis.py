"""Plug-in of ``rig analyze`` for sessions of any protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rig.analysis.common.plugin import Analysis, Option, Source, count

if TYPE_CHECKING:
    from rig.analysis.sessions.report import SessionsReport
    from rig.analysis.sessions.visits import SessionRecord
    from rig.records.recorded_session import RecordedSession


class SessionsAnalysis(Analysis["SessionRecord"]):
    """Overview of every session, and of every subject over its days."""

    about = "sessions of any protocol"
    columns = ()
    answers = ("sessions", "subjects")
    pools = False
    options = (Option("--drawn", "number of sessions drawn per subject, the last ones (default: 3)", "N", count, 3),)

    def of_session(self, session: RecordedSession) -> tuple[SessionRecord, Sequence[str]]:
        """Return the trials of a session with times and outcomes, and the amounts delivered."""
        from rig.analysis.sessions.visits import of_session

        return of_session(session), ()

    def report(self, sources: Sequence[Source[SessionRecord]], *, fits: bool) -> SessionsReport:
        """Return the report of the sessions and their subjects."""
        from rig.analysis.sessions.report import SessionsReport

        return SessionsReport.of(sources, self.given["drawn"])
