"""What restricted subjects are still due: today, and of earlier days on which it was never confirmed."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import HandGiven, Remark, Weighed
from rig.records.session.history import journals_of, session_days
from rig.records.subject.deliveries import Deliveries
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.retirement import retirement
from rig.records.subject.top_up import DAY, TopUp, is_confirmed, top_up_of
from rig.records.subject_events import EVENTS, day_of, read_events

DAYS_OPEN = 7
"""So many days back a top-up that was never confirmed is asked for."""
ENTRIES = (Weighed, HandGiven, Remark)
"""The kinds of events that people record of an animal's day."""


@dataclass(frozen=True)
class Due:
    """What a subject is due on one day."""

    subject: str
    top_up: TopUp
    has_entry: bool
    """Whether anything is recorded of that day: a session, a weight, an amount or a note."""

    @property
    def day(self) -> datetime.date:
        """Return the day."""
        return self.top_up.day

    @property
    def why(self) -> str:
        """Return why it is due, for a person."""
        top_up = self.top_up
        if not self.has_entry:
            return f"no entry on this day{f'; {top_up.unknown}' if top_up.unknown else ''}"
        if top_up.unknown:
            return top_up.unknown
        verb = "are reached" if top_up.by_weight else "were given"
        return f"{top_up.given:g} of {top_up.target:g} {top_up.unit} {verb}{top_up.doubts}"


def is_asked(folder: Path, known: KnownSubject) -> bool:
    """Whether a subject can be due anything: it is restricted, and not retired.

    Raises ``RecordError`` where it cannot be told: a damaged line may have said otherwise.
    """
    if known.restriction != "none" and retirement(folder) is None:
        return True
    if damage := read_events(folder).amounts_damage:
        raise RecordError(
            f"{folder / EVENTS}: {damage[0]}: it may be restricted, and what it is due is not known: "
            f"`rig subject give {folder.name} AMOUNT --session {EVENTS}` settles it, "
            f"and `rig subject set {folder.name}` records its facts again"
        )
    return False


def due_of(folder: Path, today: datetime.date, until: datetime.date | None = None) -> list[Due]:
    """Return what a subject is due on a day and the days before, the oldest first.

    The day is ``until``, by default ``today``. Raises ``ConfigError`` and ``RecordError``.
    """
    known, last = load_known_subject(folder), until or today
    first = max(last - DAYS_OPEN * DAY, first_day(folder, today))
    days = [first + index * DAY for index in range((last - first).days + 1)]
    # Asked first: for the others the sessions are read, and of pellets their whole journals.
    days = [day for day in days if not is_confirmed(folder, day)]
    if not is_asked(folder, known) or not days:
        return []
    deliveries = Deliveries(folder, (_midnight(days[0]), _midnight(days[-1] + DAY)), by_folder=True)
    dues = []
    for day in days:
        then = known if day >= today else load_known_subject(folder, day, today)
        top_up = top_up_of(folder, then, day, deliveries=deliveries) if then.restriction != "none" else None
        if top_up is not None and top_up.is_open:
            dues.append(Due(folder.name, top_up, has_entry(folder, day)))
    return dues


def _midnight(day: datetime.date) -> datetime.datetime:
    return datetime.datetime.combine(day, datetime.time()).astimezone()


def first_day(folder: Path, today: datetime.date) -> datetime.date:
    """Return the first day of which anything that counts is recorded, at the latest today. Raises ``RecordError``."""
    events = read_events(folder)
    days = [day_of(line) for line in events.lines if line.seq not in events.voids]
    return min([*days, *session_days(folder)[-1:], today])


def has_entry(folder: Path, day: datetime.date) -> bool:
    """Whether a session, a weight, an amount or a note is recorded of a subject's day. Raises ``RecordError``."""
    recorded = any(day_of(line) == day for line in read_events(folder).of_kind(*ENTRIES))
    return recorded or any(journals_of(folder, day))
