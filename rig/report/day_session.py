"""One session of a day, without its lines: a day has many sessions."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import HealthLine, SessionLine
from rig.records.session.brief import SessionBrief, read_brief
from rig.records.session.read_environment import fact
from rig.report.broken_page import broken_verdict
from rig.report.session_report import session_report
from rig.report.timeline import timeline
from rig.report.verdict import Verdict, judged


@dataclass(frozen=True)
class DaySession:
    """One session of a day, with its verdict; ``brief`` is None if its journal cannot be read."""

    subject: str
    name: str
    verdict: Verdict
    brief: SessionBrief | None = None
    is_running: bool = False
    notes: Sequence[str] = ()
    """What people noted."""
    drifts_ppm: Sequence[float] = ()
    """Those of its board's clock."""

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
        return None if self.brief is None else self.brief.header.start_time

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
        report = session_report(journal, running=folder.resolve() in running)
        brief = read_brief(journal)
        verdict = report.verdict if brief is None or brief.voided is None else judged(())
    except RecordError as error:
        return DaySession(subject, name, broken_verdict(str(error)))
    notes = [moment.text for moment in timeline(report.lines) if moment.by_person and moment.kind == "note"]
    return DaySession(subject, name, verdict, brief, report.running, notes, list(_drifts_ppm(report.lines)))


def _drifts_ppm(lines: Iterable[SessionLine]) -> Iterator[float]:
    for line in lines:
        if isinstance(line, HealthLine) and "rate_ppm" in line.counters:
            yield line.counters["rate_ppm"]
