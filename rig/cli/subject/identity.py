"""``rig subject rename``, ``merge``, ``retire``, ``unretire`` and ``rebuild``: whose records a folder holds."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rig.cli import common
from rig.cli.subject_names import known_subject
from rig.cli.terminal.top_up import open_top_up_text
from rig.core.errors import ConfigError, RecordError
from rig.core.journal.kinds import Renamed, Retired, Unretired
from rig.platform.files import MOVES_OPEN_FILES, move_path, sync_folder
from rig.records.subject.due import due_of
from rig.records.subject.retirement import check_not_retired, retirement
from rig.records.subject_events import append_events, read_events
from rig.session.merge import merge
from rig.session.subject_folder import STATE, check_case, check_name
from rig.system.atomic_files import os_error_text
from rig.system.statuses import OK
from rig.terminal.format import pluralize


def rename(arguments: argparse.Namespace) -> int:
    """Set another name of a subject. Raises ``ConfigError``, ``RecordError``."""
    by = common.signed_by(arguments)
    new = common.data_folder(arguments) / check_name(arguments.to)
    subject = known_subject(arguments)
    _check_free(subject.folder, new)
    with subject:  # the lock refuses a running session
        if not _is_recorded(subject.folder, new.name):
            renamed = Renamed(old=subject.name, new=new.name, reason=arguments.reason)
            append_events(subject.folder, [renamed], by, common.now())
        if MOVES_OPEN_FILES:
            _move(subject.folder, new)
    # Windows moves no folder in which the lock is open, and none in which a session has begun meanwhile.
    if not MOVES_OPEN_FILES:
        _move(subject.folder, new)
    print(f"{subject.name} is {new.name} from now on: {new}")
    return OK


def _move(folder: Path, new: Path) -> None:
    try:
        move_path(folder, new)
        sync_folder(new.parent)
    except OSError as error:
        raise RecordError(f"{folder}: cannot be renamed: {os_error_text(error)}") from error


def _check_free(old: Path, new: Path) -> None:
    if old.name == new.name:
        raise ConfigError(f"{old.name}: has this name already")
    if os.path.lexists(new) and not (old.name.lower() == new.name.lower() and new.samefile(old)):
        raise ConfigError(f"{new}: is there already: wanted a name that no subject has")
    if old.name.lower() != new.name.lower():
        check_case(new)


def _is_recorded(folder: Path, to: str) -> bool:
    """Whether an earlier try, which was killed, has written the event."""
    last = list(read_events(folder).of_kind(Renamed))[-1:]
    return bool(last) and (last[0].old, last[0].new) == (folder.name, to)


def merge_records(arguments: argparse.Namespace) -> int:
    """Run the merge. Raises ``ConfigError``, ``RecordError``."""
    by = common.signed_by(arguments)
    data = common.data_folder(arguments)
    wrong = known_subject(arguments)
    right = known_subject(argparse.Namespace(subject=arguments.right, data=arguments.data))
    merged = merge(data, wrong.name, right.name, by, arguments.reason, common.now())
    print(
        f"{wrong.name} is merged into {right.name}: {pluralize(merged.sessions, 'session')} and "
        f"{'1 entry' if merged.entries == 1 else f'{merged.entries} entries'} moved; {wrong.name} is retired"
    )
    return OK


def retire(arguments: argparse.Namespace) -> int:
    """Record that a subject is retired, or is back. Raises ``ConfigError``, ``RecordError``."""
    by = common.signed_by(arguments)
    subject, now = known_subject(arguments), common.now()
    retires = arguments.what == "retire"
    with subject:  # the lock refuses a running session
        if retires:
            check_not_retired(subject.folder)
        elif retirement(subject.folder) is None:
            raise ConfigError(f"{subject.name}: is not retired")
        due = due_of(subject.folder, now.date())
        event = Retired(reason=arguments.reason) if retires else Unretired(reason=arguments.reason)
        number = append_events(subject.folder, [event], by, now)
    if retires:
        print(f"{subject.name} is retired: it is in no list, and nothing is due to it: recorded as entry {number}")
        for each in due:
            print(f"warning: {open_top_up_text(each.top_up, subject.name, each.why)}")
        if due:
            print(f"It can be recorded after `rig subject undo {subject.name}`; then retire it again.")
    else:
        print(f"{subject.name} is back in the lists: recorded as entry {number}")
    return OK


def rebuild(arguments: argparse.Namespace) -> int:
    """Build ``state.json`` again: for each protocol, the carry-over of its last session that counts."""
    with known_subject(arguments) as subject:
        state, left_out = subject.rebuild_state()
    for text in left_out:
        print(f"left out: {text}")
    print(
        f"{subject.folder / STATE}: rebuilt, {pluralize(len(state), 'protocol')}: {', '.join(sorted(state)) or 'none'}"
    )
    return OK
