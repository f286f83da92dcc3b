"""What is known of a subject: its facts, and the rules that hold for it.

A rule is taken from ``subject.yaml``; a rule missing there from the facts; then from those of the species.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from rig.config.species import RULES, Restriction, SpeciesRules
from rig.config.subject import SubjectFile, load_subject
from rig.config.subject_facts import SubjectFacts
from rig.core.errors import ConfigError, RecordError
from rig.core.journal.kinds import Facts
from rig.records.subject_events import EVENTS, append_events, day_of, read_events

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
        """Return what is restricted: by its facts, its species, or a daily amount in its file."""
        if self.facts.restriction is not None:
            return self.facts.restriction
        if self.facts.species is not None:
            return self.species.restriction
        if self.rules.daily_target_ul is not None:
            return "water"
        return "food" if self.rules.daily_food_g is not None else "none"

    def on(self, day: datetime.date) -> KnownSubject:
        """Return it with the baseline weight and the implant of a day: a young animal grows as its strain does."""
        rules, birth = self.rules, self.facts.birth
        if rules.implant_date is not None and day < rules.implant_date:
            rules = rules.model_copy(update={"implant_g": None})
        if not rules.growth_g or birth is None or rules.baseline_g is None or rules.baseline_date is None:
            return replace(self, rules=rules)
        then, now = (strain_g(rules.growth_g, (each - birth).days / 7) for each in (rules.baseline_date, day))
        # A weight that falls in the table is no reason to expect less of an animal.
        grown_g = round(rules.baseline_g * max(1.0, now / then), 2)
        return replace(self, rules=rules.model_copy(update={"baseline_g": grown_g}))

    def baseline_warning(self, day: datetime.date) -> str:
        """Return the warning that the baseline weight is too old for a day; an empty text if it is not."""
        taken, birth = self.rules.baseline_date, self.facts.birth
        if taken is None or self.rules.growth_g:
            return ""
        young_weeks = self.species.young_weeks
        grows = birth is not None and young_weeks is not None and (taken - birth).days < 7 * young_weeks
        most = self.species.young_baseline_days if grows else self.species.baseline_days
        age = (day - taken).days
        if most is None or age <= most:
            return ""
        why = "of a growing animal " if grows else ""
        return f"the baseline weight {why}is {age} days old, and holds for {most}: take it again (`rig subject set`)"


def strain_g(growth_g: Sequence[tuple[float, float]], age_weeks: float) -> float:
    """Return the weight of a strain at an age, between the ages of its table; beyond them that of the nearest age."""
    for (young, light_g), (old, heavy_g) in pairwise(growth_g):
        if age_weeks <= old:
            share = max(0.0, (age_weeks - young) / (old - young))
            return light_g + share * (heavy_g - light_g)
    return growth_g[-1][1]


def load_known_subject(
    folder: Path, day: datetime.date | None = None, today: datetime.date | None = None
) -> KnownSubject:
    """Read what is known of a subject, with what was restricted at the end of a ``day``, by default now.

    A fact of a day after ``today`` was recorded under a clock that was wrong: it holds on every day, because it must
    not hide what is due. Raises ``ConfigError`` and ``RecordError``.
    """
    file, facts = load_subject(folder), load_facts(folder)
    if day is not None:
        # Weights stay those of now: a baseline that was mistyped then would ask for food that is not due.
        then = load_facts(folder, lambda of: of <= day or (today is not None and of > today))
        facts = facts.model_copy(update={"species": then.species, "restriction": then.restriction})
    species = NO_RULES if facts.species is None else RULES[facts.species]
    values: dict[str, object] = dict(species.file_values())
    if facts.restriction not in (None, species.restriction):  # a species' amounts are those of its own restriction
        values = {key: value for key, value in values.items() if not key.startswith("daily_") and key != "target_pct"}
    if facts.baseline_g is not None:
        values |= {"baseline_g": facts.baseline_g, "baseline_date": facts.baseline_date}
    if facts.implant_g is not None:
        values |= {"implant_g": facts.implant_g, "implant_date": facts.implant_date}
    given = file.model_fields_set
    for part in ("baseline", "implant"):
        if f"{part}_g" in given:  # the date belongs to the weight
            values.pop(f"{part}_date", None)
    known = {key: value for key, value in values.items() if key not in given}
    rules = file.model_copy(update=known)
    # One of the two may be the species': the file's own value holds, and warns before it refuses.
    if rules.warn_pct < rules.refuse_pct:
        rules = rules.model_copy(update={"warn_pct": rules.refuse_pct})
    return KnownSubject(facts, rules)


def load_facts(folder: Path, counts: Callable[[datetime.date], bool] = lambda of: True) -> SubjectFacts:
    """Read a subject's facts, the later ones in place of the earlier, of the days that count.

    Raises ``RecordError``.
    """
    facts: dict[str, object] = {}
    for line in read_events(folder).of_kind(Facts):
        if counts(day_of(line)):
            facts |= line.facts
    try:
        return SubjectFacts.model_validate({name: value for name, value in facts.items() if value is not None})
    except ValueError as error:
        raise RecordError(f"{folder / EVENTS}: its facts cannot be read: {error}") from None


def record_facts(folder: Path, facts: Mapping[str, object], by: str, at: datetime.datetime) -> None:
    """Write facts of a subject; None removes one. Raises ``ConfigError`` for a fact that its own file sets."""
    check_settable(folder, facts)
    append_events(folder, [Facts(facts=dict(facts))], by, at)


def check_settable(folder: Path, facts: Collection[str]) -> None:
    """Check that a subject's own file sets none of these facts. Raises ``ConfigError``."""
    file = load_subject(folder)
    for name in facts:
        if name in file.model_fields_set:
            raise ConfigError(f"{folder / 'subject.yaml'}: sets {name} already: change it there, or remove it there")
