"""Plug-in of ``rig analyze`` for sessions of any protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rig.analysis.common.plugin import Analysis, Option, Source, count

if TYPE_CHECKING:
    from rig.analysis.common.record import Record
    from rig.analysis.sessions.answer import Answer
    from rig.analysis.sessions.visits import Visit


class SessionsAnalysis(Analysis["Visit"]):
    """Overview of every session, and of every subject over its days."""

    about = "sessions of any protocol"
    columns = ()
    options = (Option("--drawn", "number of sessions drawn per subject, the last ones (default: 3)", "N", count, 3),)

    def of_record(self, record: Record) -> tuple[Visit, Sequence[str]]:
        """Return the trials of a session with times and outcomes, and the amounts delivered."""
        from rig.analysis.sessions.visits import of_record

        return of_record(record), ()

    def report(self, sources: Sequence[Source[Visit]], *, fits: bool) -> Answer:
        """Return the report of the sessions and their subjects."""
        from rig.analysis.sessions.answer import Answer

        return Answer.of(sources, self.given["drawn"])
