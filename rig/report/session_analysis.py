"""The analysis of a session's protocol: the figures and tables of its paper, for this session alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rig.analysis.common.plugin import Report, Source
from rig.analysis.common.record import Record
from rig.analysis.common.select_analysis import Found, installed_analyses, select
from rig.analysis.common.sources import ALWAYS_READ
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


def analysis_of(records: RecordedSession, subject: str, *, draws: bool) -> SessionAnalysis | None:
    """Return the analysis that the columns of a session select; None if there is none for its protocol.

    Fits of models are left out: one session seldom has the trials for them, and they take minutes.
    """
    found = _selected(records.header.columns)
    if found is None:
        return None
    try:
        with located_user_errors(found.kind):
            return _analyzed(found, records, subject, draws=draws)
    except (RigError, OSError) as error:
        return SessionAnalysis(found.name, (), (), [str(error)])


def _selected(columns: Sequence[str]) -> Found | None:
    try:
        found = select(installed_analyses(), columns)
    except ConfigError:  # several fit: `rig analyze --analysis` chooses
        return None
    # The analysis of any protocol has nothing that this page does not have.
    return found if found is not None and found.kind.columns else None


def _analyzed(found: Found, records: RecordedSession, subject: str, *, draws: bool) -> SessionAnalysis:
    analysis = found.kind({option.name: option.value(None) for option in found.kind.options})
    kinds = (*ALWAYS_READ, *found.kind.lines)
    lines = [line for line in records.lines if isinstance(line, kinds)]
    session, notes = analysis.of_record(Record(records.name, subject, records.folder, records.header, lines))
    report: Report = analysis.report([Source(records.journal, session)], fits=False)
    texts = [*notes, *getattr(report, "notes", ()), *([] if draws else [UNDRAWN])]
    drawings = list(drawn(report.figures, "a")) if draws else []
    tables = [table for table in report.tables() if table.rows]
    return SessionAnalysis(found.name, tables, drawings, texts)
