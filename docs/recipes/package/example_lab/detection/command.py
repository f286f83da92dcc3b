"""Print the hits of detection sessions, a line for each session."""

import argparse
from pathlib import Path

from rig.core.journal.header import Header
from rig.records.journal.read import read_journal, rows_of
from rig.records.session.find import find_sessions
from rig.system.statuses import OK


def add_arguments(detection: argparse.ArgumentParser) -> None:
    """Add the arguments of ``rig detection``."""
    detection.add_argument("folder", type=Path, help="the folder of a session, a day, a subject or all subjects")


def run(arguments: argparse.Namespace) -> int:
    """Print the lines. Raises ``RecordError``."""
    for journal in find_sessions(arguments.folder):
        header, *lines = read_journal(journal)
        if isinstance(header, Header) and header.protocol == "detection":
            outcomes = [row["outcome"] for row in rows_of(lines)]
            print(f"{journal.parent}: {outcomes.count('hit')} hits in {len(outcomes)} trials")
    return OK
