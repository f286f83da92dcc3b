"""Void a session, such as a test, or let it count again: its files stay, and the state is built again without it."""

from __future__ import annotations

import datetime
from pathlib import Path

from rig.core.errors import ConfigError
from rig.records.journal.read import JOURNAL
from rig.records.session.void import void_text, write_void
from rig.session.reassign import subject_of_session
from rig.session.subject_folder import SubjectFolder


def void_session(
    data: Path, session: Path, by: str, reason: str, at: datetime.datetime, *, voided: bool
) -> SubjectFolder:
    """Record that a session is void, or counts again; return its subject.

    Raises ``ConfigError`` and ``RecordError``.
    """
    subject = SubjectFolder(data, subject_of_session(data, session))
    if not (session / JOURNAL).is_file():
        raise ConfigError(f"{session}: is no session: it has no {JOURNAL}")
    with subject:  # the lock refuses a running session
        is_new = (void_text(session) is not None) != voided
        if is_new:
            write_void(session, by, reason, at, voided=voided)
        subject.rebuild_state()  # also where an earlier try was killed before it
    if not is_new:
        raise ConfigError(f"{session}: {f'is voided already: {void_text(session)}' if voided else 'is not voided'}")
    return subject
