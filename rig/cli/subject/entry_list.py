"""``rig subject record``: list the entries of a subject's record, each with its number."""

from __future__ import annotations

import argparse
import datetime

from rig.cli import common
from rig.cli.subject.show import entry_lines, parse_days
from rig.cli.terminal.printing import print_json
from rig.records.entries import entries_of
from rig.records.subject_events import read_events
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Print the entries of the last days. Raises ``ConfigError``, ``RecordError``."""
    subject = common.known_subject(arguments)
    first = common.now().date() - datetime.timedelta(days=parse_days(arguments.days) - 1)
    found = [entry for entry in entries_of(read_events(subject.folder)) if entry.at[:10] >= first.isoformat()]
    if arguments.json:
        print_json([entry.model_dump(mode="json") for entry in found])
    else:
        print(*(entry_lines(found) if found else [f"{subject.name}: nothing was recorded since {first}"]), sep="\n")
    return OK
