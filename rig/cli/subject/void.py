"""``rig subject void`` and ``undo``: take back a wrong entry. It stays in the record, and counts no more."""

from __future__ import annotations

import argparse

from rig.cli import common
from rig.cli.subject.all_due import due_texts
from rig.cli.run.before import named_person
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.records.entries import last_entry, void_entry
from rig.records.known_subject import load_known_subject
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record that an entry is void, and print what is due without it. Raises ``ConfigError``, ``RecordError``."""
    reason = arguments.reason
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    folder, now = common.known_subject(arguments).folder, common.now()
    number = last_entry(folder, now.date()).number if arguments.what == "undo" else _parse_number(arguments.id)
    entry = void_entry(folder, number, by, reason, now)
    print(f"{folder.name}: {entry.full_text} is voided: it stays in the record, and counts no more")
    if entry.kind == "facts" and (text := unrestricted_text(load_known_subject(folder), folder.name)):
        print(text)
    for text in due_texts(folder, now.date()):
        print(text)
    return OK


def _parse_number(text: str) -> int:
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise ConfigError(f"ID {text}: wanted the number of an entry, such as 12: `rig subject record NAME` lists them")
    return int(digits)
