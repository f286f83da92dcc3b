"""The analysis of whatever sessions, as ``rig analyze`` finds it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rig.analysis.common.plugin import Analysis, Option, Source, count

if TYPE_CHECKING:
    from rig.analysis.common.record import Record
    from rig.analysis.sessions.answer import Answer
    from rig.analysis.sessions.visits import Visit


class SessionsAnalysis(Analysis["Visit"]):
    """Every session at a glance, and every subject over its days."""

    about = "sessions of any protocol"
    columns = ()
    options = (Option("--drawn", "draw so many sessions of each subject, its last ones (default: 3)", "N", count, 3),)

    def of_record(self, record: Record) -> tuple[Visit, Sequence[str]]:
        """Return what every session has: its trials with their times and outcomes, and what was given."""
        from rig.analysis.sessions.visits import of_record

        return of_record(record), ()

    def report(self, sources: Sequence[Source[Visit]], *, fits: bool) -> Answer:
        """List the sessions, and sum up the subjects."""
        from rig.analysis.sessions.answer import Answer

        return Answer.of(sources, self.given["drawn"])
