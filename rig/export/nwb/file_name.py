"""Names of NWB files as DANDI wants them: ``sub-M1/sub-M1_ses-2026-11-25-001_behavior.nwb``."""

from __future__ import annotations

import re
from pathlib import Path

from rig.export.nwb.identity import session_id
from rig.records.recorded_session import RecordedSession

_OTHER = re.compile(r"[^A-Za-z0-9-]+")
_LONGEST = 100


def label(text: str) -> str:
    """Return a text as a part of a file's name: letters, digits and hyphens. It never leads out of its folder."""
    return _OTHER.sub("-", text)[:_LONGEST].strip("-") or "unnamed"


def file_name(session: RecordedSession, subject_id: str) -> str:
    """Return the name of a session's file."""
    return f"sub-{label(subject_id)}_ses-{label(session_id(session))}_behavior.nwb"


def target_of(session: RecordedSession, subject_id: str, to: Path | None) -> Path:
    """Return the path of a file: ``to``, one in the folder of its subject there, or one beside the journal."""
    if to is None:
        return session.folder / file_name(session, subject_id)
    if to.suffix == ".nwb" and not to.is_dir():
        return to
    return to / f"sub-{label(subject_id)}" / file_name(session, subject_id)
