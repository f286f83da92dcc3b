"""``rig export nwb``: write a file of Neurodata Without Borders for each session."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from importlib.util import find_spec
from pathlib import Path

from rig.cli.terminal.printing import print_json
from rig.core.errors import ConfigError, RecordError
from rig.export.nwb.file_name import target_of
from rig.export.nwb.general import GivenGeneral, experimenters_of, is_full_name
from rig.export.nwb.subject import GivenFacts, SubjectFields, subject_fields
from rig.records.recorded_session import RecordedSession, read_session
from rig.system.settings import load_settings
from rig.system.statuses import OK, WRONG_INPUT

INSTALL = "pip install 'behavior-rig[nwb]'"
_WORDS = {"subject_id": "its name", "species": "its species", "sex": "its sex", "age": "its age"}
_OPTIONS = {"subject_id": "--subject-id", "species": "--species", "sex": "--sex", "age": "--birth"}


@dataclass(frozen=True)
class Planned:
    """One session to export: its path, the facts of its subject, and its file."""

    path: Path
    subject: SubjectFields
    target: Path


def run(arguments: argparse.Namespace) -> int:
    """Write the files, and print their names. Nothing is written if a fact is missing or a file exists."""
    if find_spec("pynwb") is None:
        raise ConfigError(f"rig export nwb needs PyNWB, which is not installed: {INSTALL}")
    facts, general = _facts(arguments), _general(arguments)
    sessions = [read_session(Path(name)) for name in arguments.sessions]
    planned = [_plan(session, arguments, facts) for session in sessions]
    mistakes = [*_existing(planned, force=arguments.force)]
    if not arguments.incomplete:
        mistakes += _missing(sessions, planned)
    if mistakes:
        raise ConfigError(*dict.fromkeys(mistakes))
    for hint in dict.fromkeys(hint for session in sessions for hint in _hints(session, general)):
        print(f"hint: {hint}", file=sys.stderr)
    return _write_all(planned, general, as_json=arguments.json)


def _plan(session: RecordedSession, arguments: argparse.Namespace, facts: GivenFacts) -> Planned:
    subject = subject_fields(session, facts)
    to = None if arguments.to is None else Path(arguments.to)
    if to is not None and to.suffix == ".nwb" and len(arguments.sessions) > 1 and not to.is_dir():
        raise ConfigError(f"--to {to}: is one file for {len(arguments.sessions)} sessions: wanted a folder")
    return Planned(session.journal, subject, target_of(session, subject.fields.get("subject_id", ""), to))


def _existing(planned: Sequence[Planned], *, force: bool) -> Iterator[str]:
    """Yield what forbids to write the files: two sessions for one file, or a file that exists."""
    taken: dict[Path, Path] = {}
    for each in planned:
        other = taken.setdefault(each.target.absolute(), each.path)
        if other is not each.path:
            yield f"{each.path}: would be written to {each.target}, as {other}: export them one by one, with --to"
        elif each.target.exists() and not force:
            yield f"{each.target}: exists: --force replaces it"


def _missing(sessions: Sequence[RecordedSession], planned: Sequence[Planned]) -> Iterator[str]:
    """Yield for each subject the facts that are not known, and what gives them."""
    for session, each in zip(sessions, planned, strict=True):
        if each.subject.missing:
            yield _missing_text(session, each.subject.missing)


def _missing_text(session: RecordedSession, missing: Sequence[str]) -> str:
    name = session.subject or str(session.journal)
    facts = " and ".join(_WORDS[field] for field in missing)
    options = " ".join(f"{_OPTIONS[field]} ..." for field in missing)
    advice = f"give {options} with this command"
    if not session.simulated and "subject_id" not in missing:
        advice = f"`rig subject set {name} {options}` records it; or {advice}"
    return (
        f"{name}: DANDI requires {facts}, which the records do not have: {advice}; --incomplete writes the file "
        "without it"
    )


def _hints(session: RecordedSession, general: GivenGeneral) -> Iterator[str]:
    """Yield what the archive recommends, and this session lacks."""
    names = experimenters_of(session, general)
    if not names:
        yield "no experimenter is recorded: --experimenter 'Doe, Jane' names one"
    for name in names:
        if not is_full_name(name):
            yield f"the experimenter is named '{name}' in the records: --experimenter 'Doe, Jane' gives the full name"
    if not general.institution:
        yield "no institution is named: --institution NAME, or institution in rig.toml"


def _write_all(planned: Sequence[Planned], general: GivenGeneral, *, as_json: bool) -> int:
    """Write each file, and go on behind one that cannot be written."""
    from rig.export.nwb.write import write_nwb

    written, failed = [], False
    for each in planned:
        try:
            session = read_session(each.path)
            _make_folder(each.target.parent)
            write_nwb(session, each.subject, general, each.target)
        except RecordError as error:
            print(*error.lines, sep="\n", file=sys.stderr)
            failed = True
            continue
        for text in session.clocks.damage:
            print(f"{text}; left out", file=sys.stderr)
        written.append({"session": str(each.path.parent), "file": str(each.target), "complete": session.complete})
        if not as_json:
            print(f"{each.target}{'' if session.complete else ' (incomplete records)'}")
    if as_json:
        print_json(written)
    return WRONG_INPUT if failed else OK


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordError(f"{folder}: cannot be made: {error.strerror}") from error


def _facts(arguments: argparse.Namespace) -> GivenFacts:
    return GivenFacts(
        arguments.subject_id,
        arguments.species,
        arguments.sex,
        arguments.age,
        _date(arguments.birth),
        arguments.strain,
        arguments.genotype,
    )


def _date(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--birth {text}: is no day: wanted YYYY-MM-DD") from None


def _general(arguments: argparse.Namespace) -> GivenGeneral:
    settings = load_settings()
    return GivenGeneral(
        arguments.experimenter,
        arguments.lab or settings.lab.value or "",
        arguments.institution or settings.institution.value or "",
        arguments.keyword,
        arguments.publication,
    )
