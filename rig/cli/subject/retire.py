"""``rig subject retire`` and ``unretire``: take a subject out of the lists, or back. Its records stay."""

from __future__ import annotations

import argparse

from rig.cli import common
from rig.cli.run.before import named_person
from rig.cli.terminal.top_up import open_top_up_text
from rig.core.errors import ConfigError
from rig.records.due import due_of
from rig.records.retirement import check_not_retired, retirement
from rig.records.subject_events import Event, append_events
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record that a subject is retired, or is back. Raises ``ConfigError``, ``RecordError``."""
    if not arguments.reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    subject, now = common.known_subject(arguments), common.now()
    retires = arguments.what == "retire"
    with subject:  # the lock refuses a running session
        if retires:
            check_not_retired(subject.folder)
        elif retirement(subject.folder) is None:
            raise ConfigError(f"{subject.name}: is not retired")
        kind, due = "retired" if retires else "unretired", due_of(subject.folder, now.date())
        number = append_events(subject.folder, [Event(kind, {"reason": arguments.reason})], by, now)
    if retires:
        print(f"{subject.name} is retired: it is in no list, and nothing is due to it: recorded as entry {number}")
        for each in due:
            print(f"warning: {open_top_up_text(each.top_up, subject.name, each.why)}")
        if due:
            print(f"It can be recorded after `rig subject undo {subject.name}`; then retire it again.")
    else:
        print(f"{subject.name} is back in the lists: recorded as entry {number}")
    return OK
