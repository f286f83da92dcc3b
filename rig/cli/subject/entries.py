"""``rig subject weigh``, ``note``, ``record``, ``void`` and ``undo``: the entries of a subject's record."""

from __future__ import annotations

import argparse
import datetime
from functools import partial
from typing import Literal

from rig.cli import common
from rig.cli.parse import names_its_day, parse_at
from rig.cli.subject.due import due_texts
from rig.cli.subject.show import entry_lines, parse_days
from rig.cli.subject_names import known_subject
from rig.cli.terminal.history import check_entry_clock
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.core.journal.kinds import Remark, Weighed
from rig.records.subject.doubts import doubt_weight
from rig.records.subject.entries import entries_of, last_entry, void_entry
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.retirement import check_not_retired
from rig.records.subject_events import append_events, read_events, time_us
from rig.records.weight_entry import WeightEntry, read_grams
from rig.session.subject_folder import SubjectFolder
from rig.system.statuses import OK

LONGEST = 4000
"""Characters of a note."""


def weigh(arguments: argparse.Namespace) -> int:
    """Record a weight. Raises ``ConfigError``, ``RecordError``."""
    subject = known_subject(arguments)
    check_not_retired(subject.folder)
    by, now = common.signed_by(arguments), common.now()
    at = time_of_entry(subject, arguments.at, now)
    then = load_known_subject(subject.folder).on(at.date())
    grams = settle_doubt(
        read_grams("GRAMS", arguments.grams),
        partial(doubt_weight, subject.folder, then, at=at),
        partial(read_grams, "GRAMS"),
        "weight",
        yes=arguments.yes,
    )
    when: Literal["before", "after"] = "after" if arguments.after else "before"
    weighed = Weighed(t_us=time_us(at), weight_g=grams, when=when)
    number = append_events(subject.folder, [weighed], by, now)
    entry = WeightEntry(grams)
    of_day = "" if at.date() == now.date() else f" of {at.date()}"
    print(f"{subject.name}: {entry.said(then.rules)}, {when} the session{of_day}: recorded as entry {number}")
    for text in (*entry.warnings(then.rules), then.baseline_warning(at.date())):
        if text:
            print(f"warning: {text}")
    return OK


def note(arguments: argparse.Namespace) -> int:
    """Record a note. Raises ``ConfigError``, ``RecordError``."""
    subject = known_subject(arguments)
    by = common.signed_by(arguments)
    text = " ".join(arguments.text).strip()
    if not text:
        raise ConfigError("TEXT: a note is wanted")
    if len(text) > LONGEST:
        raise ConfigError(f"TEXT: has {len(text)} characters: wanted at most {LONGEST}")
    number = append_events(subject.folder, [Remark(text=text)], by, common.now())
    print(f"{subject.name}: noted as entry {number}")
    return OK


def time_of_entry(subject: SubjectFolder, text: str | None, now: datetime.datetime) -> datetime.datetime:
    """Return the time of an entry; refuse one that a wrong clock would misplace. Raises ``ConfigError``."""
    if text is None or not names_its_day(text):
        check_entry_clock(subject.folder, now)
    return now if text is None else parse_at(text, now)


def record(arguments: argparse.Namespace) -> int:
    """Print the entries of the last days. Raises ``ConfigError``, ``RecordError``."""
    subject = known_subject(arguments)
    first = common.now().date() - datetime.timedelta(days=parse_days(arguments.days) - 1)
    found = [entry for entry in entries_of(read_events(subject.folder)) if entry.at[:10] >= first.isoformat()]
    if arguments.json:
        print_json([entry.model_dump(mode="json") for entry in found])
    else:
        print(*(entry_lines(found) if found else [f"{subject.name}: nothing was recorded since {first}"]), sep="\n")
    return OK


def void(arguments: argparse.Namespace) -> int:
    """Record that an entry is void, and print what is due without it. Raises ``ConfigError``, ``RecordError``."""
    reason = arguments.reason
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = common.signed_by(arguments)
    folder, now = known_subject(arguments).folder, common.now()
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
