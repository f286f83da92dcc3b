"""``rig subject due``: what restricted subjects are due, since when, and why; and its texts for the start screen."""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from rig.cli import common
from rig.cli.subject_names import known_subject
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import write_part
from rig.cli.terminal.top_up import ask_top_up, closing_command, open_top_up_text, others_open_text, top_up_text
from rig.core.errors import ConfigError, RecordError
from rig.records.subject.due import Due, due_of, is_asked
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.top_up import DAY, top_up_of
from rig.session.subject_names import subject_folders
from rig.system.control_socket import running_folders
from rig.system.statuses import FAILED, OK

COLUMNS = ("subject", "due", "of", "why")


def run(arguments: argparse.Namespace) -> int:
    """Print what is due. Raises ``ConfigError``."""
    today = common.now().date()
    if arguments.ask is not None:
        return _ask(arguments, today)
    due, wrong = all_due(common.data_folder(arguments), today)
    if arguments.json:
        print_json([_document(each) for each in due])
    elif due or not wrong:
        _print(due, today, _in_session(common.data_folder(arguments)))
    for text in wrong:
        print(text, file=sys.stderr)
    return FAILED if wrong else OK


def _ask(arguments: argparse.Namespace, today: datetime.date) -> int:
    """Record of each day that is open whether a subject got its top-up. Raises ``ConfigError``, ``RecordError``."""
    by, data = common.signed_by(arguments), common.data_folder(arguments)
    subject = known_subject(argparse.Namespace(subject=arguments.ask, data=arguments.data))
    if subject.name in _in_session(data):
        raise ConfigError(f"{subject.name} is in a session now, which may give the rest: ask when it has ended")
    due = due_of(subject.folder, today)
    for each in due:
        if each.top_up.unknown:
            print(open_top_up_text(each.top_up, subject.name, each.why), file=sys.stderr)
        else:
            print(ask_top_up(subject.folder, each.top_up, by, common.now()))
    if not due:
        print(f"nothing is due to {subject.name}")
    return OK


def _print(due: Sequence[Due], today: datetime.date, in_session: frozenset[str]) -> None:
    if not due:
        print("nothing is due")
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    for name in COLUMNS:
        table.add_column(no_wrap=name != "why", overflow="fold")
    table.add_row(*(Text(name, style="dim") for name in COLUMNS))
    for each in due:
        late = each.day < today
        why = each.why + ("; in a session now" if each.subject in in_session and not late else "")
        cells = (each.subject, each.top_up.amount, str(each.day) if late else "today", f"OPEN: {why}" if late else why)
        table.add_row(*(Text(cell, style="bold red" if late else "") for cell in cells))
    write_part(table, sys.stdout)
    print(*_advice(due, today), sep="\n", end="")


def _advice(due: Sequence[Due], today: datetime.date) -> Iterator[str]:
    late = next((each for each in due if each.day < today), None)
    if late is not None:
        yield ""
        yield f"If it was given on that day: {closing_command(late.top_up, late.subject)}"
        unit = late.top_up.unit
        yield f"If it was not: the same with 0{unit}, and tell the person who is responsible."
        yield ""


def _in_session(data: Path) -> frozenset[str]:
    """Return the subjects of a data folder whose sessions run on this computer."""
    return frozenset(folder.parents[1].name for folder in running_folders() if folder.parents[2] == data.resolve())


def _document(each: Due) -> dict[str, object]:
    top_up = each.top_up
    return {
        "subject": each.subject,
        "day": each.day.isoformat(),
        "due": None if top_up.unknown else top_up.due,
        "unit": top_up.unit,
        "target": top_up.target,
        "given": top_up.given,
        "has_entry": each.has_entry,
        "why": each.why,
    }


def all_due(
    data: Path, today: datetime.date, until: datetime.date | None = None, without: str = ""
) -> tuple[list[Due], list[str]]:
    """Return what all subjects but one are due until a day, by default today, and what cannot be read.

    The oldest comes first. Raises ``ConfigError``.
    """
    due: list[Due] = []
    wrong: list[str] = []
    for folder in subject_folders(data):
        if folder.name == without:
            continue
        try:
            due += due_of(folder, today, until)
        except (ConfigError, RecordError) as error:  # one damaged subject does not hide the others
            wrong.append(f"{folder.name}: {error}")
    return sorted(due, key=lambda each: (each.day, each.subject)), wrong


def due_texts(folder: Path, today: datetime.date) -> Iterator[str]:
    """Yield the text of what a subject is due today, and those of its top-ups of earlier days that are open.

    Raises ``ConfigError`` and ``RecordError``.
    """
    known = load_known_subject(folder)
    if is_asked(folder, known):
        yield f"top-up: {top_up_text(top_up_of(folder, known, today))}"
        yield from _own_open_texts(folder, today)


def _own_open_texts(folder: Path, today: datetime.date) -> list[str]:
    # The sessions of today, of which some may be running, are not read.
    return [open_top_up_text(each.top_up, folder.name, each.why) for each in due_of(folder, today, today - DAY)]


def open_texts(folder: Path, today: datetime.date) -> tuple[str, ...]:
    """Return the texts of top-ups of earlier days that are open: of a subject, then of the others.

    Raises ``ConfigError`` and ``RecordError``, the latter only for the subject itself.
    """
    own = _own_open_texts(folder, today)
    if not folder.parent.is_dir():
        return tuple(own)
    others, wrong = all_due(folder.parent, today, today - DAY, folder.name)
    return (*own, *([others_open_text(others)] if others else []), *wrong)
