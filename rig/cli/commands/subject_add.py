"""``rig subject add`` and ``set``: record facts about a subject, such as its species and its baseline weight."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rig.cli import common
from rig.cli.commands.preflight import named_person
from rig.cli.commands.weigh import parse_grams, read_grams
from rig.cli.terminal.doubt import settle_doubt
from rig.config.errors.formatting import value_text
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError
from rig.records.doubts import doubt_baseline, doubt_implant
from rig.records.history import journals
from rig.records.known_subject import load_facts, record_facts
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK

_ACCEPTED = {
    "species": "mouse, rat, pigeon or human",
    "sex": "female, male or unknown",
    "birth": "a date, YYYY-MM-DD",
    "baseline_date": "a date, YYYY-MM-DD",
    "implant_date": "a date, YYYY-MM-DD",
    "implant_g": "grams from 0 to 1000",
    "restriction": "water, food or none",
}


def run(arguments: argparse.Namespace) -> int:
    """Record facts. Raises ``ConfigError``, ``RecordError``."""
    facts = parse_facts(arguments)
    by = named_person(arguments.by, "--by NAME")
    new = arguments.what == "add"
    subject = _new_subject(arguments) if new else common.known_subject(arguments)
    if not new and not facts:
        raise ConfigError(f"rig subject set {subject.name}: give at least one fact, such as --baseline-g 24.1")
    facts |= _settled(subject, facts, yes=arguments.yes)
    with subject:
        if new:
            subject.state()  # makes the state of a new subject
        record_facts(subject.folder, facts, by, common.now())
    listed = ", ".join(f"{name} {value}" for name, value in facts.items())
    print(f"{subject.name}: {'added' if new else 'changed'}{f': {listed}' if listed else ''}")
    return OK


def _settled(subject: SubjectFolder, facts: Mapping[str, Any], *, yes: bool) -> dict[str, float]:
    """Return the weights among the facts, asked about if they do not suit the species. Raises ``ConfigError``."""
    known = load_facts(subject.folder)
    doubts = {
        "baseline_g": partial(doubt_baseline, subject.name, facts.get("species") or known.species),
        "implant_g": partial(doubt_implant, subject.name, facts.get("baseline_g") or known.baseline_g),
    }
    return {
        name: settle_doubt(facts[name], doubt, partial(read_grams, f"--{name.replace('_', '-')}"), "weight", yes=yes)
        for name, doubt in doubts.items()
        if name in facts
    }


def _new_subject(arguments: argparse.Namespace) -> SubjectFolder:
    subject = SubjectFolder(common.data_folder(arguments), arguments.subject)
    folder = subject.folder
    if folder.is_dir() and (any(journals(folder)) or load_facts(folder).model_fields_set):
        raise ConfigError(
            f"{subject.name}: is known already, in {folder}: `rig subject set {subject.name}` changes its facts"
        )
    _check_case(folder)
    return subject


def _check_case(folder: Path) -> None:
    """Check that no subject has the same name in other letters. Raises ``ConfigError``."""
    if not folder.parent.is_dir():
        return
    same = next((each.name for each in folder.parent.iterdir() if each.name.lower() == folder.name.lower()), None)
    if same is not None and same != folder.name:
        raise ConfigError(f"subject '{folder.name}': there is {same}: take a name that differs in more than its case")


def parse_facts(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the facts on the command line, checked. Raises ``ConfigError`` that lists every mistake."""
    said: dict[str, Any] = {
        name: value for name in SubjectFacts.model_fields if (value := getattr(arguments, name)) is not None
    }
    mistakes: list[str] = []
    for part in ("baseline", "implant"):
        if (text := said.get(f"{part}_g")) is None:
            continue
        grams = 0.0 if part == "implant" and text == "0" else parse_grams(text)
        if isinstance(grams, str):
            mistakes.append(f"--{part}-g {said.pop(f'{part}_g')}: {grams}")
        else:
            said[f"{part}_g"] = grams
            said.setdefault(f"{part}_date", common.now().date().isoformat())
    try:
        facts = SubjectFacts.model_validate(said)
    except ValidationError as error:
        for one in error.errors():
            name = str(one["loc"][0])
            wanted = _ACCEPTED.get(name, "a text of 1 to 200 characters")
            mistakes.append(f"--{name.replace('_', '-')} {value_text(said[name])}: wanted {wanted}")
    else:
        today = common.now().date()
        for name in ("birth", "baseline_date", "implant_date"):
            if (day := getattr(facts, name)) is not None and day > today:
                mistakes.append(f"--{name.replace('_', '-')} {day}: lies in the future: today is {today}")
    if mistakes:
        raise ConfigError(*mistakes)
    return said
