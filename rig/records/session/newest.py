"""The newest sessions below a folder of records. Nothing is written there: no catalog is made."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rig.core.errors import RecordError
from rig.records.session.history import journals
from rig.system.atomic_files import read_errors
from rig.system.config_paths import NO_SUBJECTS, SIMULATED


def newest_sessions(data: Path, count: int, *, simulated: bool) -> list[Path]:
    """Return the journals of the last sessions of real or simulated subjects, the newest first.

    Raises ``RecordError`` for a folder that cannot be read.
    """
    folder = data / SIMULATED if simulated else data
    if not folder.is_dir():
        return []
    with read_errors(folder):
        subjects = [path for path in folder.iterdir() if simulated or path.name.lower() not in NO_SUBJECTS]
    last = [journal for subject in subjects for journal in islice(_journals(subject), count)]
    return sorted(last, key=_when, reverse=True)[:count]


def _journals(subject: Path) -> Iterator[Path]:
    try:
        yield from journals(subject)
    except RecordError:
        return  # another subject's sessions are found all the same; `rig catalog` names the folder


def _when(journal: Path) -> tuple[str, float]:
    day = journal.parent.parent.name
    try:
        return day, journal.stat().st_mtime
    except OSError:
        return day, 0.0
