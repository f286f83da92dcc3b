"""Find the journals of sessions below the paths that a person names."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from rig.core.errors import RecordError
from rig.records.journal.read import JOURNAL
from rig.records.session.history import journals, journals_of
from rig.records.session.void import void_text
from rig.system.atomic_files import os_error_text, read_errors
from rig.system.config_paths import SIMULATED


def is_session(path: Path) -> bool:
    """Whether a path is a session's folder or a journal. Raises ``RecordError`` for one that is not there."""
    try:
        path.stat()
    except (OSError, ValueError) as error:
        reason = os_error_text(error) if isinstance(error, OSError) else str(error)
        raise RecordError(f"{path}: cannot be read: {reason}") from error
    return path.is_file() or (path / JOURNAL).is_file()


def find_sessions(path: Path) -> list[Path]:
    """Return the journals below the folder of a session, a day, a subject or all subjects; the oldest come first.

    A voided session is found only by its own folder. Raises ``RecordError`` where there is none.
    """
    if is_session(path):
        return [path]
    sessions = [*_of_day(path), *_of_subject(path)] or [
        journal for subject in _folders(path) for journal in _of_subject(subject)
    ]
    if not sessions:
        raise RecordError(
            f"{path}: has no session: wanted a session's folder (with {JOURNAL}), a day's, a subject's (with folders "
            "such as 2026-11-21/001), or that of all subjects"
        )
    return sessions


def _of_day(folder: Path) -> Iterator[Path]:
    try:
        day = datetime.date.fromisoformat(folder.name)
    except ValueError:
        return
    yield from _not_voided(list(journals_of(folder.parent, day)))


def _of_subject(folder: Path) -> Iterator[Path]:
    yield from _not_voided(list(journals(folder)))


def _not_voided(newest_first: Sequence[Path]) -> Iterator[Path]:
    yield from (journal for journal in reversed(newest_first) if void_text(journal.parent) is None)


def _folders(path: Path) -> list[Path]:
    with read_errors(path):
        # Simulated sessions are never taken for real ones: their folder has to be named.
        return sorted(Path(item.path) for item in os.scandir(path) if item.is_dir() and item.name.lower() != SIMULATED)
