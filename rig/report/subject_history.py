"""All that a subject's page shows: its sessions and stages, its days, notes and what is wrong."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from pathlib import Path

from rig.live.end_reasons import FAILURES
from rig.records.session.brief import SessionBrief
from rig.records.session.history import all_sessions
from rig.records.session.task_version import TaskChange, TaskVersion, change_since
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.report import SubjectReport, subject_report
from rig.report.verdict import SeverityWord, Verdict, judged, whole

MOST_DAYS = 3650
TOP_UP_DAYS = 14
"""So many days back the page says what is due: for pellets, whole journals are read for it."""
RECENT = 7
"""Warnings of so many days decide the verdict."""


@dataclass(frozen=True)
class StageVisit:
    """The sessions from which on a subject was in a stage, until the next one, and why it came there."""

    curriculum: str
    stage: str
    why: str
    chosen: bool
    """Whether a person chose it."""
    sessions: Sequence[SessionBrief]


@dataclass(frozen=True)
class SubjectHistory:
    """A subject's records; ``sessions`` are the oldest first, ``voided`` the others, ``unreadable`` have no header."""

    subject: str
    simulated: bool
    at: datetime.datetime
    sessions: Sequence[SessionBrief]
    voided: Sequence[SessionBrief]
    unreadable: Sequence[Path]
    running: frozenset[Path]
    """The folders of sessions that run."""
    known: KnownSubject
    report: SubjectReport

    def is_running(self, session: SessionBrief) -> bool:
        """Whether a session runs now."""
        return session.footer is None and session.folder.resolve() in self.running

    @cached_property
    def stages(self) -> list[StageVisit]:
        """Return the stages that it was in, the oldest first."""
        staged = [(stage, session) for session in self.sessions if (stage := session.header.curriculum) is not None]
        visits = []
        for (name, stage), group in groupby(staged, key=lambda pair: (pair[0].name, pair[0].stage)):
            own = list(group)
            first = own[0][0]
            sessions = [session for _, session in own]
            visits.append(StageVisit(name, stage, first.override or first.why, first.override is not None, sessions))
        return visits

    @cached_property
    def task_changes(self) -> list[tuple[SessionBrief, TaskChange]]:
        """Return the sessions whose code or parameters differ from those before, the oldest first."""
        versions = [TaskVersion.of(session.name, session.header, session.folder) for session in self.sessions]
        changes = [change_since(version, reversed(versions[:number])) for number, version in enumerate(versions)]
        return [(session, change) for session, change in zip(self.sessions, changes, strict=True) if change.texts]

    @cached_property
    def verdict(self) -> Verdict:
        """Return what its newest records warn of."""
        reasons = [
            whole("records", f"{path.parent}: has no header that can be read", "bad") for path in self.unreadable
        ]
        reasons += [whole("records", text, "bad") for text in (*self.report.damage, *self.report.unfinished)]
        reasons += [whole("baseline", text) for text in [self.report.baseline_warning] if text]
        reasons += [whole("top-up", f"open, of {text}", "bad") for text in self.report.open_top_ups]
        since = self.at.date() - datetime.timedelta(days=RECENT)
        recent = (day for day in self.report.days if day.day > since)
        reasons += [whole("day", f"{day.day}: {text}") for day in recent for text in day.warnings]
        for session, change in self.task_changes:
            severity: SeverityWord = "suspicious" if session.day > since else "note"
            reasons += [whole("task", f"{session.name}: {text}", severity) for text in change.unexpected]
        runs = (session for session in self.sessions if self.is_running(session))
        reasons += [whole("session", f"{session.name}: is still running", "note") for session in runs]
        late = (session for session in self.sessions if session.day > since and not self.is_running(session))
        failed = (session for session in late if session.reason is None or session.reason in FAILURES)
        reasons += [whole("session", f"{session.name}: {_end(session)}", "bad") for session in failed]
        return judged(reasons)


def subject_history(
    folder: Path, at: datetime.datetime, running: frozenset[Path] = frozenset(), *, simulated: bool
) -> SubjectHistory:
    """Read a subject's records as they are at a moment; ``running`` are the folders of sessions that run then.

    Raises ``ConfigError`` and ``RecordError``.
    """
    oldest_first = list(all_sessions(folder))[::-1]
    sessions = [past for past in oldest_first if isinstance(past, SessionBrief) and past.header.simulated == simulated]
    return SubjectHistory(
        folder.name,
        simulated,
        at,
        [session for session in sessions if session.voided is None],
        [session for session in sessions if session.voided is not None],
        [path for path in oldest_first if isinstance(path, Path)],
        running,
        load_known_subject(folder),
        subject_report(folder, at, MOST_DAYS, TOP_UP_DAYS),
    )


def _end(session: SessionBrief) -> str:
    if session.reason is None:
        return f"broke off without an end: `rig recover {session.folder}`"
    return f"ended by a {session.reason}"
