"""``rig subject add`` and ``set``: record facts about a subject, such as its species and its baseline weight."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rig.cli import common
from rig.cli.subject.weight import parse_grams, read_grams
from rig.cli.subject_names import known_subject
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.config.errors.formatting import value_text
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError
from rig.records.doubts import doubt_baseline, doubt_implant
from rig.records.history import journals
from rig.records.known_subject import load_facts, load_known_subject, record_facts
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record facts. Raises ``ConfigError``, ``RecordError``."""
    facts = _facts(arguments)
    by = common.signed_by(arguments)
    new = arguments.what == "add"
    subject = new_subject(common.data_folder(arguments), arguments.subject) if new else known_subject(arguments)
    if not new and not facts:
        raise ConfigError(f"rig subject set {subject.name}: give at least one fact, such as --baseline-g 24.1")
    for name, doubt in doubts_of(subject, facts).items():
        facts[name] = settle_doubt(facts[name], doubt, partial(read_grams, _option(name)), "weight", yes=arguments.yes)
    with subject:
        if new:
            subject.state()  # makes the state of a new subject
        record_facts(subject.folder, facts, by, common.now())
    listed = ", ".join(f"{name} {value}" for name, value in facts.items())
    print(f"{subject.name}: {'added' if new else 'changed'}{f': {listed}' if listed else ''}")
    if text := unrestricted_text(load_known_subject(subject.folder), subject.name):
        print(text)
    return OK


def _facts(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the facts on the command line, checked. Raises ``ConfigError`` that lists every mistake."""
    words = {name: value for name in SubjectFacts.model_fields if (value := getattr(arguments, name)) is not None}
    facts, mistakes = parse_facts(words, common.now().date())
    if mistakes:
        raise ConfigError(*(f"{_option(name)} {text}" for name, text in mistakes.items()))
    return facts


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


Mistakes = dict[str, str]
"""What is wrong with each fact, by its name."""

_ACCEPTED = {
    "species": "mouse, rat, pigeon or human",
    "sex": "female, male or unknown",
    "birth": "a date, YYYY-MM-DD",
    "baseline_date": "a date, YYYY-MM-DD",
    "implant_date": "a date, YYYY-MM-DD",
    "implant_g": "grams from 0 to 1000",
    "restriction": "water, food or none",
}
_DATES = ("birth", "baseline_date", "implant_date")


def parse_facts(words: Mapping[str, str], today: datetime.date) -> tuple[dict[str, Any], Mistakes]:
    """Return the facts of a subject by their names, and the mistakes in them; a weight without a date is of today."""
    said: dict[str, Any] = dict(words)
    mistakes: Mistakes = {}
    for part in ("baseline", "implant"):
        if (text := words.get(f"{part}_g")) is None:
            continue
        grams = 0.0 if part == "implant" and text == "0" else parse_grams(text)
        if isinstance(grams, str):
            mistakes[f"{part}_g"] = f"{said.pop(f'{part}_g')}: {grams}"
        else:
            said[f"{part}_g"] = grams
            said.setdefault(f"{part}_date", today.isoformat())
    try:
        facts = SubjectFacts.model_validate(said)
    except ValidationError as error:
        for one in error.errors():
            name = str(one["loc"][0])
            wanted = _ACCEPTED.get(name, "a text of 1 to 200 characters")
            mistakes[name] = f"{value_text(said[name])}: wanted {wanted}"
    else:
        for name in _DATES:
            if (day := getattr(facts, name)) is not None and day > today:
                mistakes[name] = f"{day}: lies in the future: today is {today}"
    return said, mistakes


def doubts_of(subject: SubjectFolder, facts: Mapping[str, Any]) -> dict[str, Callable[[float], str]]:
    """Return, for each weight among the facts, the function that returns the question whether it can be meant."""
    known = load_facts(subject.folder)
    doubts = {
        "baseline_g": partial(doubt_baseline, subject.name, facts.get("species") or known.species),
        "implant_g": partial(doubt_implant, subject.name, facts.get("baseline_g") or known.baseline_g),
    }
    return {name: doubt for name, doubt in doubts.items() if name in facts}


def new_subject(data: Path, name: str) -> SubjectFolder:
    """Return the folder of a subject that is not known yet. Raises ``ConfigError``."""
    subject = SubjectFolder(data, name)
    folder = subject.folder
    if folder.is_dir() and (any(journals(folder)) or load_facts(folder).model_fields_set):
        raise ConfigError(f"{name}: is known already, in {folder}: `rig subject set {name}` changes its facts")
    _check_case(folder)
    return subject


def _check_case(folder: Path) -> None:
    """Check that no subject has the same name in other letters. Raises ``ConfigError``."""
    if not folder.parent.is_dir():
        return
    same = next((each.name for each in folder.parent.iterdir() if each.name.lower() == folder.name.lower()), None)
    if same is not None and same != folder.name:
        raise ConfigError(f"subject '{folder.name}': there is {same}: take a name that differs in more than its case")
