"""The analysis of a session's protocol: the figures and tables of its paper, for this session alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.select_analysis import Found, installed_analyses, select
from rig.analysis.common.tables import Table
from rig.analysis.common.user_errors import located_user_errors
from rig.core.errors import ConfigError, RigError
from rig.records.recorded_session import RecordedSession
from rig.report.drawings import Drawing, drawn

UNDRAWN = "figures are left out, for want of matplotlib: pip install 'behavior-rig[analysis]'"


@dataclass(frozen=True)
class SessionAnalysis:
    """What an analysis says of one session; ``notes`` also say why a part is missing."""

    name: str
    tables: Sequence[Table]
    drawings: Sequence[Drawing]
    notes: Sequence[str]


def analysis_of(found: Found, records: RecordedSession, *, draws: bool) -> SessionAnalysis:
    """Return what an analysis says of a session.

    Fits of models are left out: one session seldom has the trials for them, and they take minutes.
    """
    try:
        with located_user_errors(found.kind):
            return _analyzed(found, records, draws=draws)
    except (RigError, OSError) as error:
        return SessionAnalysis(found.name, (), (), [str(error)])


def selected_analysis(columns: Sequence[str]) -> Found | None:
    """Return the analysis that the columns of a session select; None if there is none for its protocol."""
    try:
        found = select(installed_analyses(), columns)
    except ConfigError:  # several fit: `rig analyze --analysis` chooses
        return None
    # The analysis of any protocol has nothing that this page does not have.
    return found if found is not None and found.kind.columns else None


def _analyzed(found: Found, records: RecordedSession, *, draws: bool) -> SessionAnalysis:
    analysis = found.kind({option.name: option.value(None) for option in found.kind.options})
    session, notes = analysis.of_session(records)
    report: Report = analysis.report([Source(records.journal, session)], fits=False)
    texts = [*notes, *getattr(report, "notes", ()), *([] if draws else [UNDRAWN])]
    drawings = list(drawn(report.figures, "a")) if draws else []
    tables = [table for table in report.tables() if table.rows]
    return SessionAnalysis(found.name, tables, drawings, texts)
