"""All sessions of one day, over all boxes: what a technician looks at, and signs."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.records.session.history import journals, journals_of
from rig.records.subject.days import SubjectDay, subject_day
from rig.records.subject.due import Due, due_of, first_day, is_asked
from rig.records.subject.entries import Entry, entries_of
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.retirement import retirement
from rig.records.subject_events import read_events
from rig.report.day_session import DaySession, read_day_session
from rig.report.verdict import Reason, SeverityWord, Verdict, judged, whole
from rig.session.subject_folder import NAME, subjects_folder
from rig.system.config_paths import NO_SUBJECTS

_OF_A_DAY = ("weighed", "given", "remark")
"""The kinds of entries that put a subject on the page of a day."""
RECENT = datetime.timedelta(days=7)
"""A subject with a session in so many days is missed on a day without one."""
MOST_SIMULATED = 100
"""So many simulated sessions are read: a campaign has thousands of one day."""


@dataclass(frozen=True)
class SubjectOfDay:
    """One subject on a day: its sessions, what is recorded of the day, and notes about it."""

    subject: str
    sessions: Sequence[DaySession]
    day: SubjectDay | None
    """None if its records cannot be read, for the reasons in ``problems``."""
    notes: Sequence[str]
    problems: Sequence[str] = ()


@dataclass(frozen=True)
class DayReport:
    """A day: its real subjects, virtual sessions, and the subjects that had a session lately and none on this day."""

    day: datetime.date
    at: datetime.datetime
    subjects: Sequence[SubjectOfDay]
    simulated: Sequence[DaySession]
    more_simulated: int
    """How many further ones were not read."""
    missing: Mapping[str, str]
    """The last session of each subject that is missed."""
    boxes: Mapping[str, str]
    """What the computer calls the box of each rig."""
    due: Sequence[Due] = ()
    """What subjects are due on this day, and were due on the days before, the oldest first."""

    @property
    def sessions(self) -> list[DaySession]:
        """Return the real sessions, by their start."""
        found = [session for subject in self.subjects for session in subject.sessions]
        return sorted(found, key=lambda each: (each.start is None, str(each.start), each.subject, each.name))

    def box_of(self, session: DaySession) -> str:
        """Return the box of a session, or else its rig."""
        return self.boxes.get(session.box, session.box)

    @property
    def verdict(self) -> Verdict:
        """Return the verdict on the day: that of the worst session, and what subjects are still due."""
        return judged(self._reasons())

    def _reasons(self) -> Iterator[Reason]:
        for session in self.sessions:
            bad = session.verdict.serious
            if bad:
                more = f" (and {len(bad) - 1} more)" if len(bad) > 1 else ""
                yield bad[0].model_copy(
                    update={"t_us": None, "text": f"{session.subject}, {session.name}: {bad[0].text}{more}"}
                )
        for each in self.due:
            open_of = "due today" if each.day == self.at.date() else f"open, of {each.day}"
            severity: SeverityWord = "suspicious" if each.day == self.at.date() else "bad"
            yield whole("due", f"{each.subject}: {each.top_up.amount} {open_of}: {each.why}", severity)
        for subject in self.subjects:
            warnings = [] if subject.day is None else subject.day.warnings
            for text in warnings:
                yield whole("subject", f"{subject.subject}: {text}")
            for text in subject.problems:
                yield whole("records", f"{subject.subject}: {text}", "bad")


def day_report(
    data: Path,
    day: datetime.date,
    at: datetime.datetime,
    running: frozenset[Path] = frozenset(),
    boxes: Mapping[str, str] | None = None,
) -> DayReport:
    """Read all sessions of a day in a data folder; ``running`` are the folders of sessions that run at ``at``.

    ``boxes`` names the box of each rig. Raises ``RecordError`` if the data folder cannot be read.
    """
    folders = list(_subjects(data, simulated=False))
    subjects = [found for folder in folders if (found := _subject(folder, day, running, at.date())) is not None]
    places = [journal for folder in _subjects(data, simulated=True) for journal in _simulated(folder, day)]
    simulated = [read_day_session(journal, running) for journal in places[:MOST_SIMULATED]]
    seen = {subject.subject for subject in subjects if subject.sessions}
    missing = {folder.name: last for folder in folders if folder.name not in seen and (last := _missed(folder, day))}
    due = list(_due(folders, at.date(), day))
    return DayReport(day, at, subjects, simulated, len(places) - len(simulated), missing, boxes or {}, due)


def _due(folders: Sequence[Path], today: datetime.date, day: datetime.date) -> Iterator[Due]:
    """Yield what subjects are due on a day and the days before, the oldest first."""
    dues: list[Due] = []
    for folder in folders:
        with suppress(ConfigError, RecordError):  # said where its records of the day are read
            dues += due_of(folder, today, min(day, today))
    yield from sorted(dues, key=lambda each: (each.day, each.subject))


def _subjects(data: Path, *, simulated: bool) -> Iterator[Path]:
    place = subjects_folder(data, simulated=simulated)
    try:
        folders = sorted(place.iterdir()) if place.is_dir() else []
    except OSError as error:
        raise RecordError(f"{place}: cannot be read: {error.strerror}") from error
    for folder in folders:
        if NAME.fullmatch(folder.name) and folder.name.lower() not in NO_SUBJECTS and folder.is_dir():
            yield folder


def _subject(folder: Path, day: datetime.date, running: frozenset[Path], today: datetime.date) -> SubjectOfDay | None:
    """Return a subject on a day; None if nothing is recorded of it, and it could be due nothing."""
    try:
        sessions = [read_day_session(journal, running) for journal in _journals(folder, day)]
    except RecordError as error:  # a folder that cannot be read, and no reason to say nothing of the others
        return SubjectOfDay(folder.name, (), None, (), (str(error),))
    try:
        known = load_known_subject(folder, day if day < today else None, today)
        entries = [each for each in entries_of(read_events(folder)) if each.kind in _OF_A_DAY and each.day == day]
        # A record that was merged into another one is retired, and its entries of the day count there.
        is_shown = any(each.voided is None or retirement(folder) is None for each in entries)
        if not sessions and not is_shown and not (is_asked(folder, known) and first_day(folder, today) <= day):
            return None
        found = subject_day(folder, known, day, today)
    except (ConfigError, RecordError) as error:
        return SubjectOfDay(folder.name, sessions, None, (), (str(error),))
    return SubjectOfDay(folder.name, sessions, found, list(_notes(entries)))


def _notes(entries: Sequence[Entry]) -> Iterator[str]:
    """Yield the notes of a day, and the entries that were voided."""
    for entry in entries:
        if entry.voided is not None:
            yield f"{entry.full_text} was voided ({entry.voided})"
        elif entry.kind == "remark":
            yield f"{entry.text} ({entry.by})"


def _journals(folder: Path, day: datetime.date) -> list[Path]:
    """Return the journals of a day, the oldest first. Raises ``RecordError``."""
    return [*journals_of(folder, day)][::-1]


def _simulated(folder: Path, day: datetime.date) -> list[Path]:
    with suppress(RecordError):  # nothing depends on them
        return _journals(folder, day)
    return []


def _missed(folder: Path, day: datetime.date) -> str:
    """Return the last session before a day, if it was lately; otherwise, and of a retired subject, an empty text."""
    last = None
    with suppress(RecordError):  # said where its sessions of the day are read
        if retirement(folder) is not None:
            return ""
        last = next((path for path in journals(folder) if path.parent.parent.name < day.isoformat()), None)
    if last is None or datetime.date.fromisoformat(last.parent.parent.name) < day - RECENT:
        return ""
    return f"{last.parent.parent.name}/{last.parent.name}"
