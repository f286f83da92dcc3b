"""``rig report``: write the report of sessions, of a subject or of a day as one HTML file."""

from __future__ import annotations

import argparse
import datetime
import webbrowser
from collections.abc import Iterator, Mapping
from pathlib import Path

from rig.cli import common
from rig.cli.parse import check_html_file
from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.records.journal.read import journal_of
from rig.report.broken_page import broken_page, broken_verdict
from rig.report.page_report import page_report
from rig.report.session_page import session_page
from rig.report.session_report import REPORT
from rig.report.verdict import Verdict
from rig.system.atomic_files import os_error_text, write_atomic
from rig.system.config_paths import REPORTS
from rig.system.control_socket import running_folders
from rig.system.settings import boxes_by_rig, load_settings
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Write the reports, and print where they are. Raises ``ConfigError`` and ``RecordError``."""
    _check(arguments)
    documents = list(_reports(arguments))
    if arguments.json:
        print_json(documents)
    else:
        for document in documents:
            print(f"{document['verdict']}: {document['file']}")
    if arguments.open:
        for document in documents:
            webbrowser.open(Path(str(document["file"])).absolute().as_uri())
    return OK


def _check(arguments: argparse.Namespace) -> None:
    options = {
        "SESSION": bool(arguments.sessions),
        "--subject": arguments.subject is not None,
        "--day": arguments.day is not None,
    }
    given = [name for name, is_given in options.items() if is_given]
    if len(given) > 1:
        raise ConfigError(f"{' and '.join(given)}: give one of them: a report is of sessions, of a subject or of a day")
    if arguments.sim and arguments.subject is None:
        raise ConfigError("--sim: belongs to --subject; a session's folder says by itself what it is")
    if arguments.to is not None and len(arguments.sessions) > 1:
        raise ConfigError(f"--to {arguments.to}: is one file, and {len(arguments.sessions)} sessions are given")
    if arguments.to is not None:
        check_html_file(arguments.to)


def _reports(arguments: argparse.Namespace) -> Iterator[dict[str, object]]:
    if arguments.subject is not None:
        yield _of_subject(arguments)
    elif arguments.day is not None:
        yield _of_day(arguments)
    else:
        running_now = running_folders()
        sessions = [Path(name) for name in arguments.sessions] or [
            common.newest_journal(common.data_folder(arguments)).parent
        ]
        for session in sessions:
            yield _of_session(arguments, session, running_now)


def _of_session(arguments: argparse.Namespace, session: Path, running_now: frozenset[Path]) -> dict[str, object]:
    journal = journal_of(session)
    place = journal.parent / REPORT if arguments.to is None else Path(arguments.to)
    return write_session_report(journal, place, running=journal.parent.resolve() in running_now)


def write_session_report(journal: Path, place: Path, *, running: bool = False) -> dict[str, object]:
    """Write the report of a session, also of a journal that cannot be read; return its verdict for scripts."""
    try:
        report = page_report(journal.parent, running=running)
    except RecordError as error:
        verdict = broken_verdict(str(error))
        write_atomic(place, broken_page(journal, verdict), shared=True)
        return _document({"subject": None, "session": None, "folder": str(journal.parent)}, verdict, place)
    write_atomic(place, session_page(report), shared=True)
    who = {"subject": report.records.subject, "session": report.records.name, "folder": str(journal.parent)}
    return _document(who, report.verdict, place)


def _of_subject(arguments: argparse.Namespace) -> dict[str, object]:
    from rig.report.subject_history import subject_history
    from rig.report.subject_page import subject_page

    subject = known_subject(arguments)
    history = subject_history(subject.folder, common.now(), running_folders(), simulated=subject.simulated)
    kind = "virtual" if subject.simulated else "subject"
    place = _place(arguments, f"{kind}_{subject.name}.html")
    write_atomic(place, subject_page(history), shared=True)
    return _document({"subject": subject.name, "simulated": subject.simulated}, history.verdict, place)


def _of_day(arguments: argparse.Namespace) -> dict[str, object]:
    from rig.report.day import day_report
    from rig.report.day_page import day_page

    now = common.now()
    day = _day(arguments.day) if arguments.day else now.date()
    boxes = boxes_by_rig(load_settings())
    report = day_report(common.data_folder(arguments), day, now, running_folders(), boxes)
    place = _place(arguments, f"day_{day.isoformat()}.html")
    write_atomic(place, day_page(report), shared=True)
    sessions = [
        {"subject": each.subject, "session": each.name, "verdict": each.verdict.verdict} for each in report.sessions
    ]
    return _document({"day": day.isoformat(), "sessions": sessions}, report.verdict, place)


def _day(text: str) -> datetime.date:
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--day {text}: is no day: wanted YYYY-MM-DD") from None


def _place(arguments: argparse.Namespace, name: str) -> Path:
    """Return where a report goes that belongs to no session; its folder is made. Raises ``ConfigError``."""
    if arguments.to is not None:
        return Path(arguments.to)
    data = common.data_folder(arguments)
    if not data.is_dir():
        raise ConfigError(f"{data}: there is no such folder; --data or $RIG_DATA names that of the records")
    try:
        (data / REPORTS).mkdir(exist_ok=True)
    except OSError as error:
        raise ConfigError(
            f"{data / REPORTS}: cannot be made: {os_error_text(error)}; --to FILE names another place"
        ) from None
    return data / REPORTS / name


def _document(what: Mapping[str, object], verdict: Verdict, place: Path) -> dict[str, object]:
    return {**what, "file": str(place), **verdict.model_dump(mode="json")}
