"""The newest sessions below a folder of records. Nothing is written there: no catalog is made."""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from rig.core.errors import RecordError
from rig.records.session.history import journals
from rig.system.atomic_files import read_errors
from rig.system.config_paths import NO_SUBJECTS, SIMULATED


class NewestSessions(NamedTuple):
    """The journals of the last sessions, the newest first; ``unread`` says which folders cannot be read, and why."""

    journals: list[Path]
    unread: list[str]


def newest_sessions(data: Path, count: int, *, simulated: bool) -> NewestSessions:
    """Return the last sessions of real or simulated subjects."""
    folder = data / SIMULATED if simulated else data
    newest = NewestSessions([], [])
    try:
        with read_errors(folder), suppress(FileNotFoundError, NotADirectoryError):
            for subject in sorted(folder.iterdir()):
                if simulated or subject.name.lower() not in NO_SUBJECTS:
                    _add_last(newest, subject, count)
    except RecordError as error:
        newest.unread.append(error.lines[0])
    newest.journals.sort(key=_when, reverse=True)
    del newest.journals[count:]
    return newest


def _add_last(newest: NewestSessions, subject: Path, count: int) -> None:
    try:
        newest.journals.extend(islice(journals(subject), count))
    except RecordError as error:  # another subject's sessions are found all the same
        newest.unread.append(error.lines[0])


def _when(journal: Path) -> tuple[str, float]:
    day = journal.parent.parent.name
    try:
        return day, journal.stat().st_mtime
    except OSError:
        return day, 0.0
