"""What NWB wants of a session besides its records: a start with a time zone, and an id that names day and number."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime

from rig.core.errors import RecordError
from rig.records.recorded_session import RecordedSession


def start_of(session: RecordedSession) -> datetime:
    """Return when a session began; a simulated one has no time zone and is taken as UTC. Raises ``RecordError``."""
    start = session.start
    if start is None:
        raise RecordError(f"{session.journal}: its header has no start: NWB needs the time of the session")
    return start if start.tzinfo is not None else start.replace(tzinfo=UTC)


def session_id(session: RecordedSession) -> str:
    """Return day and number of a session, such as ``2026-11-21-001``; its start if the folder has another name."""
    day, number = session.folder.parent.name, session.folder.name
    with suppress(ValueError):
        return f"{datetime.strptime(day, '%Y-%m-%d'):%Y-%m-%d}-{int(number):03}"
    return f"{start_of(session):%Y-%m-%d-%H%M%S}"
