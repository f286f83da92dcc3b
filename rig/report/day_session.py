"""One session of a day, without its lines: a day has many sessions."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import HealthLine
from rig.core.model.actions import Amount
from rig.report.brief_session import BriefSession, read_brief_session
from rig.report.broken_page import broken_verdict
from rig.report.session_records import fact
from rig.report.session_report import SessionReport, session_report
from rig.report.timeline import timeline
from rig.report.verdict import Verdict, judged

_LAST_LINES = 20
"""The lines of the board's health are among this number of last lines."""


@dataclass(frozen=True)
class SessionCounts:
    """What a session came to, or has come to so far, what people noted, and the drifts of its board's clock."""

    is_running: bool
    trials: int
    rewards: int
    amount: Amount
    notes: Sequence[str]
    drifts_ppm: Sequence[float]

    @classmethod
    def of(cls, report: SessionReport) -> SessionCounts:
        """Return those of a report, whose lines are not kept: a day has many sessions."""
        progress, lines = report.progress, report.records.lines
        notes = [moment.text for moment in timeline(lines) if moment.by_person and moment.kind == "note"]
        counters = [line.counters for line in lines[-_LAST_LINES:] if isinstance(line, HealthLine)]
        drifts = [each["rate_ppm"] for each in counters if "rate_ppm" in each]
        return cls(report.running, progress.trials, progress.rewards, progress.amount, notes, drifts)


@dataclass(frozen=True)
class DaySession:
    """One session of a day; ``counts`` is None if its journal cannot be read, for the reason in the verdict."""

    subject: str
    name: str
    brief: BriefSession | None
    counts: SessionCounts | None
    verdict: Verdict

    @property
    def box(self) -> str:
        """Return its rig; empty if it is not known."""
        return "" if self.brief is None else self.brief.header.rig.name

    @property
    def board(self) -> str:
        """Return the id of its board; empty if it is not known."""
        uid = None if self.brief is None else fact(self.brief.environment, "board", "uid")
        return uid if isinstance(uid, str) else ""

    @property
    def start(self) -> datetime.datetime | None:
        """Return when it began."""
        return None if self.brief is None else self.brief.start

    @property
    def end(self) -> datetime.datetime | None:
        """Return when it ended; None without an end."""
        start = self.start
        if self.brief is None or start is None or self.brief.duration_s is None:
            return None
        end = start + datetime.timedelta(seconds=self.brief.duration_s)
        # The clocks may have been changed during the session: its start has the offset of then alone.
        is_here = start.tzinfo is not None and start.astimezone().utcoffset() == start.utcoffset()
        return end.astimezone() if is_here else end


def read_day_session(journal: Path, running: frozenset[Path]) -> DaySession:
    """Read one session; ``running`` are the folders of those that run."""
    day, folder = journal.parent.parent, journal.parent
    subject, name = day.parent.name, f"{day.name}/{folder.name}"
    try:
        brief = read_brief_session(journal, running)
        report = session_report(journal, running=folder.resolve() in running)
    except RecordError as error:
        return DaySession(subject, name, None, None, broken_verdict(str(error)))
    verdict = report.verdict if brief.voided is None else judged(())
    return DaySession(subject, name, brief, SessionCounts.of(report), verdict)
