"""What the subjects of a data folder are due, and the texts about it for the start screen."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

from rig.cli.subject.list import subject_folders
from rig.cli.terminal.top_up import open_top_up_text, others_open_text, top_up_text
from rig.core.errors import ConfigError, RecordError
from rig.records.due import Due, due_of, is_asked
from rig.records.known_subject import load_known_subject
from rig.records.top_up import DAY, top_up_of


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
