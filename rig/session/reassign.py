"""Move a session that was recorded under the wrong subject to the right one.

The order makes it safe to be killed at any moment:

1. The place at the right subject is claimed by an empty folder.
2. Both subjects' events say that the session moves, and where to. The events are on the disk before the next step.
3. One rename moves the session's folder. Before it the session counts for the old subject, after it for the new one.
4. The old place keeps a folder with a text, so that its number is not used again.
5. The state of both subjects is built again from their sessions.

The same command completes a move that was killed: it finds the event, and goes on with the place that it names.
"""

from __future__ import annotations

import datetime
from contextlib import ExitStack, suppress
from pathlib import Path

from rig.core.errors import ConfigError, RecordError
from rig.core.journal.kinds import SessionMoved
from rig.platform.files import move_path, sync_folder
from rig.records.journal.read import JOURNAL, read_ends
from rig.records.session.moves import Reassignment, moves_of, unfinished_moves
from rig.records.subject_events import append_events
from rig.session.subject_folder import SubjectFolder
from rig.system.atomic_files import os_error_text, write_atomic
from rig.system.config_paths import SIMULATED

MOVED = "moved.txt"
"""The file in the old place of a session; it says where the session is."""
MOST = 100_000


def reassign(data: Path, session: Path, to: str, by: str, reason: str, at: datetime.datetime) -> Reassignment:
    """Move a session to the right subject; complete a move that was killed.

    Raises ``ConfigError`` for a session or a subject that does not fit, and ``RecordError``.
    """
    wrong = SubjectFolder(data, subject_of_session(data, session))
    right = SubjectFolder(data, to)
    if right.name == wrong.name:
        raise ConfigError(f"{session}: belongs to {to} already: wanted another subject")
    if not right.folder.is_dir():
        raise ConfigError(f"{data}: has no subject '{to}': `rig subject add {to}` adds one")
    with ExitStack() as locks:
        # In one order, so that two moves cannot block each other.
        for subject in sorted((wrong, right), key=lambda folder: folder.name):
            locks.enter_context(subject)
        move = _begun(wrong.folder, right.folder, session) or _begin(wrong, right, session, by, reason, at)
        _complete(move)
        for subject in (wrong, right):
            subject.rebuild_state()
    return move


def subject_of_session(data: Path, session: Path) -> str:
    """Return the subject under which a session was recorded. Raises ``ConfigError``."""
    folder, root = session.resolve(), data.resolve()
    if not folder.is_relative_to(root) or len(parts := folder.relative_to(root).parts) not in (3, 4):
        raise ConfigError(
            f"{session}: is no session below {data}: wanted SUBJECT/DATE/NUMBER, such as M1/2026-11-21/001"
        )
    if parts[0].lower() == SIMULATED:
        raise ConfigError(f"{session}: is a session of a virtual subject: wanted one of a real subject")
    if len(parts) != 3:
        raise ConfigError(f"{session}: is no session: wanted its folder, SUBJECT/DATE/NUMBER")
    return parts[0]


def _begun(wrong: Path, right: Path, session: Path) -> Reassignment | None:
    """Return a move of this session that an earlier try has recorded; None if there is none."""
    name = f"{session.parent.name}/{session.name}"
    for line in moves_of(wrong):
        if (line.session, line.old, line.new) == (name, wrong.name, right.name):
            move = Reassignment(wrong / line.session, right / line.place)
            if (move.old / JOURNAL).exists() != (move.new / JOURNAL).exists():
                return move
    return None


def _begin(
    wrong: SubjectFolder, right: SubjectFolder, session: Path, by: str, reason: str, at: datetime.datetime
) -> Reassignment:
    """Check the session, claim its place, and write the events. Raises ``ConfigError`` and ``RecordError``."""
    old = wrong.folder / session.resolve().relative_to(wrong.folder.resolve())
    check_session(old)
    if other := [move for move in unfinished_moves(wrong.folder) if move.old == old]:
        raise ConfigError(f"{other[0].unfinished_text}; then move it on")
    new = _claim(right.folder / old.parent.name)
    move = Reassignment(old, new)
    moved = SessionMoved(session=move.session, place=move.place, old=wrong.name, new=right.name, reason=reason)
    append_events(wrong.folder, [moved], by, at)
    append_events(right.folder, [moved], by, at)
    return move


def check_session(folder: Path) -> None:
    """Check that a session can belong to another subject: it is real, and has ended. Raises ``ConfigError``."""
    journal = folder / JOURNAL
    if not journal.is_file():
        moved = folder / MOVED
        if moved.is_file():
            raise ConfigError(f"{folder}: {moved.read_text(encoding='utf-8', errors='replace').strip()}")
        raise ConfigError(f"{folder}: is no session: it has no {JOURNAL}")
    ends = read_ends(journal)
    if ends.header is None:
        raise ConfigError(f"{folder}: its header cannot be read: it cannot be told whose session it was")
    if ends.header.simulated:
        raise ConfigError(f"{folder}: is a session of a virtual subject: wanted one of a real subject")
    if ends.footer is None:
        raise ConfigError(f"{folder}: has no end: run `rig recover {folder}` first")


def _claim(day: Path) -> Path:
    """Build an empty folder with the next free number of a day. Raises ``RecordError``."""
    try:
        day.mkdir(exist_ok=True)
        for number in range(1, MOST):
            with suppress(FileExistsError):
                (day / f"{number:03d}").mkdir()
                return day / f"{number:03d}"
    except OSError as error:
        raise RecordError(f"{day}: cannot be written: {os_error_text(error)}") from error
    raise RecordError(f"{day}: has {MOST} sessions")


def _complete(move: Reassignment) -> None:
    """Move the folder, unless an earlier try has moved it. Raises ``RecordError``."""
    _write_missing_event(move)
    try:
        if (move.old / JOURNAL).exists():
            move.new.parent.mkdir(exist_ok=True)
            with suppress(FileNotFoundError):
                move.new.rmdir()  # the claimed folder; Windows renames to no existing one
            move_path(move.old, move.new)
            sync_folder(move.new.parent)
            sync_folder(move.old.parent)
        move.old.mkdir(exist_ok=True)
    except OSError as error:
        raise RecordError(f"{move.old}: cannot be moved: {os_error_text(error)}") from error
    subject = move.new.parent.parent.name
    write_atomic(move.old / MOVED, f"this session belongs to {subject}, and is {subject}/{move.place}\n")


def _write_missing_event(move: Reassignment) -> None:
    """Write the event of the right subject, if a try was killed between the two events."""
    wrong, right = move.old.parent.parent, move.new.parent.parent
    key = (move.session, move.place, wrong.name)
    if any((line.session, line.place, line.old) == key for line in moves_of(right)):
        return
    for line in moves_of(wrong):
        if (line.session, line.place, line.new) == (move.session, move.place, right.name):
            append_events(right, [line], line.by, datetime.datetime.fromisoformat(line.at))
            return
