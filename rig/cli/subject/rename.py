"""``rig subject rename``: give a subject another name, and keep the old one in its history.

The event is written first. So a command that was killed leaves the old name, and the same command completes it.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from rig.cli import common
from rig.cli.run.before import named_person
from rig.core.errors import ConfigError, RecordError
from rig.records.subject_events import Event, append_events, read_events
from rig.session.subject import check_name
from rig.system.atomic_files import os_error_text, sync_folder
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Set another name of a subject. Raises ``ConfigError``, ``RecordError``."""
    if not arguments.reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    new = common.data_folder(arguments) / check_name(arguments.to)
    subject = common.known_subject(arguments)
    _check_free(subject.folder, new)
    with subject:  # the lock refuses a running session
        if not _is_recorded(subject.folder, new.name):
            fields = {"from": subject.name, "to": new.name, "reason": arguments.reason}
            append_events(subject.folder, [Event("renamed", fields)], by, common.now())
        try:
            subject.folder.rename(new)
            sync_folder(new.parent)
        except OSError as error:
            raise RecordError(f"{subject.folder}: cannot be renamed: {os_error_text(error)}") from error
    print(f"{subject.name} is {new.name} from now on: {new}")
    return OK


def _check_free(old: Path, new: Path) -> None:
    if old.name == new.name:
        raise ConfigError(f"{old.name}: has this name already")
    if os.path.lexists(new) and not (old.name.lower() == new.name.lower() and new.samefile(old)):
        raise ConfigError(f"{new}: is there already: wanted a name that no subject has")
    same = [each.name for each in old.parent.iterdir() if each.name.lower() == new.name.lower() and each != old]
    if same:
        raise ConfigError(f"subject '{new.name}': there is {same[0]}: take a name that differs in more than its case")


def _is_recorded(folder: Path, to: str) -> bool:
    """Whether an earlier try, which was killed, has written the event."""
    last = list(read_events(folder).of_kind("renamed"))[-1:]
    return bool(last) and (last[0]["from"], last[0]["to"]) == (folder.name, to)
