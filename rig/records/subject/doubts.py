"""Whether an entry can be meant: one that does not suit the animal is asked about before it is recorded.

Each function returns the question, or an empty text for an entry that suits.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rig.config.plausible import MOST_CHANGE, MOST_IMPLANT, MOST_OFF_BASELINE, MOST_TARGETS, PLAUSIBLE, PlausibleRange
from rig.config.species import PELLET_G, Species
from rig.core.model.actions import Amount
from rig.records.subject.deliveries import delivered_between, manual_between
from rig.records.subject.known_subject import KnownSubject
from rig.records.subject.last_weight import last_weight
from rig.records.subject.top_up import DAY


@dataclass(frozen=True)
class _Portion:
    """Water or food by hand: the amount, what was given before it on that day, and what bounds a day."""

    amount: float
    before: float
    target: float | None
    most: float | None
    """What an animal of this species and weight takes at will."""
    unit: str

    @property
    def is_doubtful(self) -> bool:
        """Whether the day's sum is more than this animal takes."""
        total = self.before + self.amount
        over_target = self.target is not None and total >= MOST_TARGETS * self.target
        return self.amount > 0 and (over_target or (self.most is not None and total > self.most))

    def facts(self) -> Iterator[str]:
        """Yield what a person compares the amount with."""
        if self.target is not None:
            yield f"its daily target is {_amount_text(self.target, self.unit)}"
        elif self.most is not None:
            yield f"at will it takes about {_amount_text(self.most, self.unit)} a day"
        if self.before > 0:
            yield f"with it {_amount_text(self.before + self.amount, self.unit)} today"


def doubt_amount(folder: Path, known: KnownSubject, amount: Amount, food_g: float, at: datetime.datetime) -> str:
    """Return the question whether so much water or food by hand can be meant. Raises ``RecordError``."""
    midnight = datetime.datetime.combine(at.date(), datetime.time())
    today = delivered_between(folder, midnight, midnight + DAY).amount
    fed_g = sum(line.food_g for line in manual_between(folder, midnight, midnight + DAY))
    weighed = last_weight(folder, at)
    grams = known.rules.baseline_g if weighed is None else weighed[0]
    usual, rules = _range(known.facts.species), known.rules
    most_ul, most_g = (None, None) if usual is None else usual.of_a_day(grams)
    food = food_g + amount.pellets * PELLET_G
    for portion in (
        _Portion(amount.ul, today.ul, rules.daily_target_ul, most_ul, "ul"),
        _Portion(food, fed_g + today.pellets * PELLET_G, rules.daily_food_g, most_g, "g"),
    ):
        if portion.is_doubtful:
            animal = f"{'' if grams is None else f'{grams:g} g '}{known.facts.species or ''}".strip()
            facts = "; ".join((*([animal] if animal else []), *portion.facts()))
            return f"Is {_amount_text(portion.amount, portion.unit)} right for {folder.name} ({facts})?"
    return ""


def _amount_text(amount: float, unit: str) -> str:
    return f"{amount / 1000:.4g} ml" if unit == "ul" and amount >= 1000 else f"{amount:.4g} {unit}"


def doubt_weight(folder: Path, known: KnownSubject, grams: float, at: datetime.datetime) -> str:
    """Return the question whether a weight can be meant. Raises ``RecordError``."""
    weighed, baseline_g, bare_g = last_weight(folder, at), known.rules.baseline_g, known.rules.animal_g(grams)
    fact = _range_fact(known.facts.species, grams)
    if weighed is not None and abs(grams - weighed[0]) > MOST_CHANGE * weighed[0]:
        fact = f"it weighed {weighed[0]:g} g on {weighed[1]}"
    elif weighed is None and baseline_g is not None and abs(bare_g - baseline_g) > MOST_OFF_BASELINE * baseline_g:
        fact = f"its baseline is {baseline_g:g} g"
    return f"Is {grams:g} g right for {folder.name} ({fact})?" if fact else ""


def doubt_baseline(name: str, species: Species | None, grams: float) -> str:
    """Return the question whether a baseline weight can be meant for a species."""
    fact = _range_fact(species, grams)
    return f"Is a baseline of {grams:g} g right for {name} ({fact})?" if fact else ""


def doubt_implant(name: str, baseline_g: float | None, grams: float) -> str:
    """Return the question whether the weight of an implant can be meant."""
    if baseline_g is None or grams <= MOST_IMPLANT * baseline_g:
        return ""
    return f"Is an implant of {grams:g} g right for {name} (its baseline is {baseline_g:g} g)?"


def _range(species: Species | None) -> PlausibleRange | None:
    return None if species is None else PLAUSIBLE.get(species)


def _range_fact(species: Species | None, grams: float) -> str:
    usual = _range(species)
    if usual is None or usual.lightest_g <= grams <= usual.heaviest_g:
        return ""
    return f"a {species} weighs {usual.lightest_g:g} to {usual.heaviest_g:g} g"
