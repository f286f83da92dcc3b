"""What is known of a subject: its facts, and the rules that hold for it.

A rule is taken from ``subject.yaml``; a rule missing there from the facts; then from those of the species.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rig.config.species import RULES, Restriction, SpeciesRules
from rig.config.subject import SubjectFile, load_subject
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError, RecordError
from rig.records.subject_events import EVENTS, Event, append_events, read_events

NO_RULES = SpeciesRules(restriction="none")


@dataclass(frozen=True)
class KnownSubject:
    """A subject's facts, and its rules of weight, water and food."""

    facts: SubjectFacts
    rules: SubjectFile

    @property
    def species(self) -> SpeciesRules:
        """Return the rules of its species; without a species there are none."""
        return NO_RULES if self.facts.species is None else RULES[self.facts.species]

    @property
    def restriction(self) -> Restriction:
        """Return what is restricted: by its facts, its species, or a daily target in its file."""
        if self.facts.restriction is not None:
            return self.facts.restriction
        if self.facts.species is not None:
            return self.species.restriction
        return "water" if self.rules.daily_target_ul is not None else "none"


def load_known_subject(folder: Path) -> KnownSubject:
    """Read what is known of a subject. Raises ``ConfigError`` and ``RecordError``."""
    file, facts = load_subject(folder), load_facts(folder)
    species = NO_RULES if facts.species is None else RULES[facts.species]
    values: dict[str, Any] = dict(species.file_values())
    if facts.restriction not in (None, species.restriction):  # a species' amounts are those of its own restriction
        values = {key: value for key, value in values.items() if not key.startswith("daily_") and key != "target_pct"}
    if facts.baseline_g is not None:
        values |= {"baseline_g": facts.baseline_g, "baseline_date": facts.baseline_date}
    given = file.model_fields_set
    if "baseline_g" in given:  # the date belongs to the weight
        values.pop("baseline_date", None)
    known = {key: value for key, value in values.items() if key not in given}
    rules = file.model_copy(update=known)
    # One of the two may be the species': the file's own value holds, and warns before it refuses.
    if rules.warn_pct < rules.refuse_pct:
        rules = rules.model_copy(update={"warn_pct": rules.refuse_pct})
    return KnownSubject(facts, rules)


def load_facts(folder: Path) -> SubjectFacts:
    """Read a subject's facts, the later ones in place of the earlier. Raises ``RecordError``."""
    said: dict[str, Any] = {}
    for line in read_events(folder).of_kind("facts"):
        said |= line["facts"]
    try:
        return SubjectFacts.model_validate({name: value for name, value in said.items() if value is not None})
    except ValueError as error:
        raise RecordError(f"{folder / EVENTS}: its facts cannot be read: {error}") from None


def record_facts(folder: Path, facts: Mapping[str, Any], by: str, at: datetime.datetime) -> None:
    """Write facts of a subject; None removes one. Raises ``ConfigError`` for a fact that its own file sets."""
    file = load_subject(folder)
    for name in facts:
        if name in file.model_fields_set:
            raise ConfigError(f"{folder / 'subject.yaml'}: sets {name} already: change it there, or remove it there")
    append_events(folder, [Event("facts", {"facts": dict(facts)})], by, at)
