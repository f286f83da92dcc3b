"""``rig subject import``: add the animals of a table. All rows are checked first; with one mistake nothing is written.

After a crash in the middle the same command adds the rest: an animal that has the facts of its row is passed over.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Mapping
from pathlib import Path

from rig.cli import common
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.records.animal_table import COLUMNS, Row, read_table
from rig.records.subject.known_subject import check_settable, load_facts, load_known_subject, record_facts
from rig.records.subject.retirement import check_not_retired
from rig.session.subject_folder import SubjectFolder, check_name
from rig.session.typed_facts import doubts_of, new_subject, parse_facts
from rig.system.statuses import OK
from rig.terminal.format import pluralize


def run(arguments: argparse.Namespace) -> int:
    """Add the animals, or print the header of such a table. Raises ``ConfigError``, ``RecordError``."""
    if arguments.template:
        print(",".join(COLUMNS))
        return OK
    if arguments.file is None:
        raise ConfigError("FILE.csv: which table? `rig subject import --template` prints the header of one")
    by, now, data = common.signed_by(arguments), common.now(), common.data_folder(arguments)
    rows, mistakes = read_table(Path(arguments.file))
    found: list[tuple[SubjectFolder, Mapping[str, object]]] = []
    for row in rows:
        facts, wrong = _facts(data, row, now.date(), yes=arguments.yes)
        mistakes += [f"{row.where}: {text}" for text in wrong]
        if not wrong and not _is_there(data / row.name, row, facts):
            found.append((SubjectFolder(data, row.name), facts))
    if mistakes:
        raise ConfigError(*mistakes, "Nothing was written: correct the table, and import it again.")
    for subject, said in found:
        with subject:
            subject.state()  # makes the state of a new subject
            record_facts(subject.folder, said, by, now)
        print(f"{subject.name}: added")
        if text := unrestricted_text(load_known_subject(subject.folder), subject.name):
            print(text)
    there = len(rows) - len(found)
    print(f"{pluralize(len(found), 'animal')} added" + (f", {there} had these facts already" if there else ""))
    return OK


def _facts(data: Path, row: Row, today: datetime.date, *, yes: bool) -> tuple[dict[str, object], list[str]]:
    """Return the facts of a row, and what is wrong with them, each with its column."""
    facts, mistakes = parse_facts(row.words, today)
    wrong = [f"{name}: {text}" for name, text in mistakes.items()]
    try:
        check_name(row.name)
        check_not_retired(data / row.name)
        if not _is_there(data / row.name, row, facts):
            subject = new_subject(data, row.name)
            check_settable(subject.folder, facts)
            if not yes and not wrong:
                doubts = {name: doubt(facts[name]) for name, doubt in doubts_of(subject, facts).items()}
                wrong += [f"{name}: {text} Add --yes if it is right" for name, text in doubts.items() if text]
    except ConfigError as error:
        wrong += [f"subject: {text}" for text in error.mistakes]
    return facts, wrong


def _is_there(folder: Path, row: Row, facts: Mapping[str, object]) -> bool:
    """Whether a subject is known with the facts of a row; a date that the table does not give may differ."""
    if not folder.is_dir():
        return False
    known = load_facts(folder).model_dump(mode="json", exclude_none=True)
    return bool(known) and all(known.get(name) == facts.get(name) for name in row.words)
