"""The newest session in a subject's folder, and checks of the clock against it."""

from __future__ import annotations

import datetime
from pathlib import Path

from rig.cli import common
from rig.core.errors import ConfigError
from rig.records.session.brief import SessionBrief, local
from rig.records.subject.due import ENTRIES
from rig.records.subject_events import EVENTS, read_events
from rig.session.last_session import last_session

MOST_OFF = datetime.timedelta(minutes=5)
"""The largest difference between ``--start`` of a real session and the clock."""


def check_start(start: datetime.datetime) -> None:
    """Check that ``--start`` of a real session is now; another day would misplace rewards. Raises ``ConfigError``."""
    if abs(local(start) - common.now()) > MOST_OFF:
        raise ConfigError(
            f"--start {start.isoformat(timespec='minutes')}: a real session can only start now, "
            f"and this computer's clock says {common.now():%Y-%m-%d %H:%M}: "
            "leave --start out, or set the clock right if it is wrong"
        )


def check_clock(last: SessionBrief | None, start: datetime.datetime, how: str = "--start and the time") -> None:
    """Check that a time lies after the start of the newest session; ``how`` else it is said. Raises ``ConfigError``."""
    if last is not None and last.began is not None and local(start) < last.began:
        raise ConfigError(
            f"this computer's clock says {local(start):%Y-%m-%d %H:%M}, but the newest session of "
            f"'{last.header.subject}' began at {last.began:%Y-%m-%d %H:%M} ({last.folder}): "
            f"set the clock right; if it is right, say so with {how} that it is now"
        )


def check_entry_clock(folder: Path, now: datetime.datetime, how: str = "--at and the date and time") -> None:
    """Check that no session or entry of a subject is newer than the clock; ``how`` else the time is said.

    Raises ``ConfigError`` and ``RecordError``.
    """
    check_clock(last_session(folder), now, how)
    newest = max((event.t_us for event in read_events(folder).of_kind(*ENTRIES)), default=0) / 1e6
    if now.timestamp() + MOST_OFF.total_seconds() < newest:
        raise ConfigError(
            f"this computer's clock says {now:%Y-%m-%d %H:%M}, but the newest entry of '{folder.name}' is of "
            f"{datetime.datetime.fromtimestamp(newest):%Y-%m-%d %H:%M} ({folder / EVENTS}): "
            f"set the clock right; if it is right, say so with {how} that it is now"
        )
