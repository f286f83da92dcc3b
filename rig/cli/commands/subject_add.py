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
from rig.records.doubts import doubt_baseline
from rig.records.history import journals
from rig.records.known_subject import load_facts, record_facts
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK

_ACCEPTED = {
    "species": "mouse, rat, pigeon or human",
    "sex": "female, male or unknown",
    "birth": "a date, YYYY-MM-DD",
    "baseline_date": "a date, YYYY-MM-DD",
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
    if "baseline_g" in facts:
        facts["baseline_g"] = _settle_baseline(subject, facts, yes=arguments.yes)
    with subject:
        if new:
            subject.state()  # makes the state of a new subject
        record_facts(subject.folder, facts, by, common.now())
    listed = ", ".join(f"{name} {value}" for name, value in facts.items())
    print(f"{subject.name}: {'added' if new else 'changed'}{f': {listed}' if listed else ''}")
    return OK


def _settle_baseline(subject: SubjectFolder, facts: Mapping[str, Any], *, yes: bool) -> float:
    """Return the baseline weight, asked about if no animal of the species has such a one. Raises ``ConfigError``."""
    species = facts.get("species") or load_facts(subject.folder).species
    return settle_doubt(
        float(facts["baseline_g"]),
        partial(doubt_baseline, subject.name, species),
        partial(read_grams, "--baseline-g"),
        "weight",
        yes=yes,
    )


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
    if "baseline_g" in said:
        grams = parse_grams(said["baseline_g"])
        if isinstance(grams, str):
            mistakes.append(f"--baseline-g {said.pop('baseline_g')}: {grams}")
        else:
            said["baseline_g"] = grams
            said.setdefault("baseline_date", common.now().date().isoformat())
    try:
        facts = SubjectFacts.model_validate(said)
    except ValidationError as error:
        for one in error.errors():
            name = str(one["loc"][0])
            wanted = _ACCEPTED.get(name, "a text of 1 to 200 characters")
            mistakes.append(f"--{name.replace('_', '-')} {value_text(said[name])}: wanted {wanted}")
    else:
        today = common.now().date()
        for name in ("birth", "baseline_date"):
            if (day := getattr(facts, name)) is not None and day > today:
                mistakes.append(f"--{name.replace('_', '-')} {day}: lies in the future: today is {today}")
    if mistakes:
        raise ConfigError(*mistakes)
    return said
