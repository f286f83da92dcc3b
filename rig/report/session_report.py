"""One session as its page shows it, and its verdict."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import HealthLine, SessionLine
from rig.core.model.line import Line, kind_of
from rig.live.progress import Progress
from rig.records.journal.dispatch import Dispatch
from rig.records.recorded_session import RecordedSession, read_session
from rig.records.session.task_version import change_of_session
from rig.report.guarded_part import STRANGE
from rig.report.timeline import KINDS as TIMELINE
from rig.report.verdict import Reason, Verdict, judged, record_reasons, whole

REPORT = "report.html"


class SessionReport:
    """One session as far as its records are good; ``running`` says that it has not ended yet.

    Its parts are made of what `read` keeps of the journal, in one pass: a day's session has 500,000 lines.
    """

    kept: frozenset[type[Line]] = frozenset((*TIMELINE, HealthLine))
    """The kinds of lines that are kept as they are; all others are only folded."""

    def __init__(self, records: RecordedSession, *, running: bool = False) -> None:
        self.records = records
        self.running = running
        self.progress = Progress()
        """The session as the live display shows it at its end."""
        self.lines: list[SessionLine] = []
        """The kept lines, in order."""
        self._strange: list[Reason] = []

    def readers(self) -> Dispatch:
        """Return what reads the lines beside the progress."""
        readers = Dispatch()
        readers.add(self.lines.append, *self.kept)
        return readers

    def read(self) -> None:
        """Read the journal. Raises ``RecordError``."""
        self.records.read(self._follow, self.readers().take)

    def _follow(self, line: Line) -> None:
        try:
            self.progress.take(line)
        except STRANGE as error:
            text = f"a line of the kind '{kind_of(line)}' makes no sense: {type(error).__name__}: {error}"
            self._strange.append(Reason(t_us=line.t_us, rule="records", text=text, severity="bad"))

    @property
    def subject(self) -> str:
        """Return the subject to whom it belongs now; of a header that names none, whose folder it is in."""
        return self.records.subject_label

    @cached_property
    def verdict(self) -> Verdict:
        """Return the verdict on it, with every reason."""
        return judged(self._reasons())

    def _reasons(self) -> Iterator[Reason]:
        yield from record_reasons(self.records, running=self.running)
        yield from self._strange
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
    report = SessionReport(read_session(session), running=running)
    report.read()
    return report
