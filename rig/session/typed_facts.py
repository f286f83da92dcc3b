"""Check the facts of a subject as a person types them, on a command line or in a table."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from rig.config.errors.formatting import value_text
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError
from rig.records.session.history import journals
from rig.records.subject.doubts import doubt_baseline, doubt_implant
from rig.records.subject.known_subject import load_facts
from rig.records.weight_entry import parse_grams
from rig.session.subject_folder import SubjectFolder, check_case

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
    said: dict[str, object] = dict(words)
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
    check_case(folder)
    return subject
