"""The subject to which a session belongs now: its header names the subject under which it was recorded."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from rig.core.errors import RecordError
from rig.core.journal.kinds import Renamed, SessionMoved
from rig.records.subject_events import read_events


def subject_of(session: Path, recorded: str) -> str:
    """Return the subject of a session's folder: another than ``recorded`` after a renaming or a reassignment."""
    folder = session.parent.parent
    if recorded == folder.name:
        return recorded
    name = f"{session.parent.name}/{session.name}"
    with suppress(RecordError):
        for line in read_events(folder).lines:
            match line:
                case Renamed() if line.old == recorded:
                    return folder.name
                case SessionMoved() if (line.place, line.old) == (name, recorded):
                    return folder.name
    return recorded
