"""``rig subject list``: all subjects, each with its last weight, last session and open top-up."""

from __future__ import annotations

import argparse
import sys

from rig.cli import common
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.table import print_table
from rig.core.errors import ConfigError, RecordError
from rig.records.subject.report import SubjectReport, subject_report
from rig.records.subject.retirement import retirement
from rig.session.subject_names import subject_folders
from rig.system.statuses import FAILED, OK
from rig.terminal.format import pluralize

COLUMNS = ("subject", "species", "weight", "%", "sessions", "last", "due today", "open top-ups")


def run(arguments: argparse.Namespace) -> int:
    """Print one line per subject. Raises ``ConfigError``."""
    reports: list[SubjectReport] = []
    retired = 0
    wrong: list[str] = []
    for folder in subject_folders(common.data_folder(arguments)):
        try:
            if not arguments.all and retirement(folder) is not None:
                retired += 1
                continue
            reports.append(subject_report(folder, common.now(), 14))
        except (ConfigError, RecordError) as error:  # one damaged subject does not hide the others
            wrong.append(f"{folder.name}: {error}")
    if arguments.json:
        print_json([each.model_dump(mode="json", exclude={"days", "notes", "entries", "changes"}) for each in reports])
    elif reports or retired or not wrong:
        _print(reports, retired)
    for text in wrong:
        print(text, file=sys.stderr)
    return FAILED if wrong else OK


def _print(reports: list[SubjectReport], retired: int) -> None:
    if reports:
        print_table([_cells(report) for report in reports], COLUMNS)
    elif not retired:
        print("no subjects yet: `rig subject add NAME` adds one")
    if retired:
        print(f"{pluralize(retired, 'retired subject')}: `rig subject list --all` lists them too")


def _cells(report: SubjectReport) -> tuple[str, ...]:
    weighed = [day for day in report.days if day.weight_g is not None]
    sessions = [session.session for day in report.days for session in day.sessions]
    last = weighed[-1] if weighed else None
    return (
        report.subject,
        report.facts.species or "-",
        "-" if last is None else f"{last.weight_g:g} g",
        "-" if last is None or last.percent is None else f"{last.percent:.1f}",
        str(report.sessions),
        sessions[-1] if sessions else "-",
        report.due_today or "-",
        ", ".join(text.partition(" (")[0] for text in report.open_top_ups) or "-",
    )
