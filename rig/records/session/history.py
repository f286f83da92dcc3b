"""The journals in a subject's folder, and its past sessions."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from rig.records.journal.read import JOURNAL
from rig.records.session.brief import SessionBrief, read_brief
from rig.records.session.never_began import never_began
from rig.system.atomic_files import read_errors


def journals(folder: Path) -> Iterator[Path]:
    """Return the journals of a subject, the newest first, without those of sessions that never began.

    Raises ``RecordError`` where one may lie that is not seen.
    """
    for day in session_days(folder):
        yield from journals_of(folder, day)


def session_days(folder: Path) -> list[datetime.date]:
    """Return the days of which a subject's folder may hold sessions, the newest first. Raises ``RecordError``."""
    return sorted(map(datetime.date.fromisoformat, _entries(folder, _is_day)), reverse=True)


def journals_of(folder: Path, day: datetime.date) -> Iterator[Path]:
    """Return the journals of a subject's day, the newest first. Raises ``RecordError`` as `journals` does."""
    place = folder / day.isoformat()
    # Sorted as numbers: session 1000 comes after 999.
    for number in sorted(_entries(place, str.isdecimal), key=int, reverse=True):
        session = place / number
        names = _entries(session, lambda name: True)
        if JOURNAL in names and not _never_began(session, names):
            yield session / JOURNAL


def _never_began(session: Path, names: list[str]) -> bool:
    try:
        return never_began(session, names)
    except OSError:  # the one who reads it says so
        return False


def _is_day(name: str) -> bool:
    # 2026-02-31 only looks like a day, and what counts days would fail at it.
    if len(name) != 10 or name[4] != "-":
        return False
    try:
        datetime.date.fromisoformat(name)
    except ValueError:
        return False
    return True


def _entries(folder: Path, wanted: Callable[[str], bool]) -> list[str]:
    # Of a subject that is new, or another program's file, there are none.
    with read_errors(folder), suppress(FileNotFoundError, NotADirectoryError):
        return [name for name in os.listdir(folder) if wanted(name)]
    return []


def past_sessions(folder: Path, *, simulated: bool = False) -> Iterator[SessionBrief]:
    """Return a subject's past sessions that have a header, the newest first; otherwise as `past_journals`."""
    return (past for past in past_journals(folder, simulated=simulated) if isinstance(past, SessionBrief))


def past_journals(folder: Path, *, simulated: bool = False) -> Iterator[SessionBrief | Path]:
    """Return a subject's past sessions, the newest first; a journal that has no header is given as its path.

    Simulated sessions are no past of a real subject, wherever they lie, nor real ones of a simulated subject: its past
    goes on in the real subject's folder only before a session that began from the records there. Voided ones are in it.
    """
    for past in all_sessions(folder):
        if isinstance(past, SessionBrief) and past.header.simulated != simulated:
            continue
        yield past
        if simulated and isinstance(past, SessionBrief) and past.header.from_records is not None:
            yield from _up_to(past.header.from_records, folder.parent.parent / folder.name)
            return


def _up_to(name: str, folder: Path) -> Iterator[SessionBrief | Path]:
    """Return a real subject's sessions from one of that name back."""
    for past in past_journals(folder):
        session = past.folder if isinstance(past, SessionBrief) else past.parent
        if _place(session.parent.name, session.name) <= _place(*name.split("/")):
            yield past


def _place(day: str, number: str) -> tuple[str, int]:
    return day, int(number)


def all_sessions(folder: Path) -> Iterator[SessionBrief | Path]:
    """Return the sessions in a subject's folder, real or simulated; otherwise as `past_journals`."""
    for journal in journals(folder):
        yield read_brief(journal) or journal
