"""One session as its page shows it, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import SessionLine
from rig.core.model.line import kind_of
from rig.live.progress import Progress
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.task_version import change_of_session
from rig.report.guarded_part import STRANGE
from rig.report.verdict import Reason, Verdict, judged, record_reasons, whole

REPORT = "report.html"


@dataclass(frozen=True)
class _Followed:
    """A session at its end as the live display shows it; ``strange`` are lines that make no sense to it."""

    progress: Progress
    strange: list[Reason]


@dataclass(frozen=True)
class SessionReport:
    """One session as far as its records are good; ``running`` says that it has not ended yet."""

    records: RecordedSession
    lines: Sequence[SessionLine]
    running: bool

    @property
    def subject(self) -> str:
        """Return the subject to whom it belongs now; of a header that names none, whose folder it is in."""
        return self.records.subject or self.records.folder.absolute().parent.parent.name or "no name"

    @cached_property
    def _followed(self) -> _Followed:
        progress, strange = Progress(), []
        for line in self.lines:
            try:
                progress.take(line)
            except STRANGE as error:
                text = f"a line of the kind '{kind_of(line)}' makes no sense: {type(error).__name__}: {error}"
                strange.append(Reason(t_us=line.t_us, rule="records", text=text, severity="bad"))
        return _Followed(progress, strange)

    @property
    def progress(self) -> Progress:
        """Return the session as the live display shows it at its end."""
        return self._followed.progress

    @cached_property
    def verdict(self) -> Verdict:
        """Return the verdict on it, with every reason."""
        return judged(self._reasons())

    def _reasons(self) -> Iterator[Reason]:
        yield from record_reasons(self.records, running=self.running)
        yield from self._followed.strange
        yield from task_reasons(self.records)
        monitor = self.progress.expectations
        findings = list(monitor.findings)
        if not self.running:
            try:
                findings += monitor.end()
            except STRANGE as error:
                text = f"it cannot be judged to its end: {type(error).__name__}: {error}"
                yield whole("records", text, "bad")
        yield from map(Reason.of, findings)


def task_reasons(records: RecordedSession) -> Iterator[Reason]:
    """Yield how code and parameters differ from the subject's last session of the protocol."""
    try:
        change = change_of_session(records.folder.resolve(), records.header)
    except RecordError as error:
        yield whole("task", f"the sessions before cannot be read: {error}", "note")
        return
    yield from (whole("task", text) for text in change.unexpected)
    yield from (whole("task", text, "note") for text in change.expected)


def session_report(session: Path, *, running: bool = False) -> SessionReport:
    """Read a session's folder or journal. Raises ``RecordError``."""
    records = read_session(session)
    return SessionReport(records, records.lines, running)
