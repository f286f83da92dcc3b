"""The subject's weight before a session: entered, compared with its baseline, and recorded in the header."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError

HEAVIEST_G = 20_000
"""The upper bound of a weight; above it the decimal point is missing."""
UNLIKELY_PCT = 150.0
REASON_FIELDS = {
    "weight": "weight_skipped",
    "underweight": "underweight_allowed",
    "overweight": "overweight_allowed",
}
"""The fields of a weight's entry for the rules of ``--override``, in the order of the entry's fields."""


class UnusualWeightError(ConfigError):
    """A weight with which no session starts; ``rule`` is the one that a reason overrides."""

    def __init__(self, text: str, weight_g: float, rule: str) -> None:
        super().__init__(f"{text} --override {rule}='reason'")
        self.weight_g = weight_g
        self.rule = rule


@dataclass(frozen=True)
class WeightEntry:
    """What is known of today's weight: grams, or why there are none; the reason when a light subject may run."""

    weight_g: float | None = None
    weight_skipped: str | None = None
    underweight_allowed: str | None = None
    overweight_allowed: str | None = None

    @property
    def reasons(self) -> dict[str, str]:
        """Return the reason for each rule about a weight that is overridden."""
        reasons = {rule: getattr(self, field) for rule, field in REASON_FIELDS.items()}
        return {rule: reason for rule, reason in reasons.items() if reason is not None}

    def facts(self) -> dict[str, Any]:
        """Return the fields for the journal's header."""
        return {name: value for name, value in vars(self).items() if value is not None}

    def percent(self, known: SubjectFile) -> float | None:
        """Return the weight, without the implant, in percent of the baseline; None when either is unknown."""
        return None if self.weight_g is None else known.percent(self.weight_g)

    def said(self, known: SubjectFile) -> str:
        """Return the text of the weight; empty when nothing is known."""
        if self.weight_g is None:
            return f"not weighed: {self.weight_skipped}" if self.weight_skipped else ""
        percent = self.percent(known)
        text = f"{self.weight_g:g} g"
        if known.implant_g:
            text += f", {known.animal_g(self.weight_g):g} g without its implant of {known.implant_g:g} g"
        if percent is not None:
            grown = ", grown with its strain since then" if known.growth_g else ""
            since = f" of {known.baseline_date}{grown}" if known.baseline_date else ""
            text += f", {percent:.1f} % of the baseline ({known.baseline_g:g} g{since})"
        allowed = self.underweight_allowed or self.overweight_allowed
        return text + (f"; allowed by hand: {allowed}" if allowed else "")

    def warnings(self, known: SubjectFile) -> list[str]:
        """Return warnings about the weight that do not refuse the session."""
        percent = self.percent(known)
        if percent is None:
            return []
        if percent < known.warn_pct:
            return [f"the weight is {percent:.1f} % of the baseline, below warn_pct ({known.warn_pct:g} %)"]
        if known.warn_above_pct is not None and UNLIKELY_PCT >= percent > known.warn_above_pct:
            return [f"the weight is {percent:.1f} % of the baseline, above warn_above_pct ({known.warn_above_pct:g} %)"]
        if percent > UNLIKELY_PCT:
            return [f"the weight is {percent:.1f} % of the baseline: was it mistyped?"]
        return []


def weigh(
    typed: str | None,
    reasons: Mapping[str, str],
    *,
    needed: bool,
    ask: Callable[[str], str | None] | None,
    today_g: float | None = None,
) -> WeightEntry:
    """Return the weight of ``--weight-g``, or when it is ``needed`` that recorded today, or from ``ask``.

    ``reasons`` are those of the rules that the line overrides. Raises ``ConfigError`` when nothing gives the weight.
    """
    grams = None if typed is None else read_grams("--weight-g", typed)
    if grams is not None and "weight" in reasons:
        raise ConfigError("--weight-g and --override weight: give one of them")
    entry = WeightEntry(grams, *(reasons.get(rule) for rule in REASON_FIELDS))
    if grams is not None or "weight" in reasons or not needed:
        return entry
    if today_g is not None:
        return replace(entry, weight_g=today_g)
    if ask is None:
        raise ConfigError("how heavy is the subject? Give --weight-g GRAMS, or --override weight='reason'")
    asked = _asked(ask)
    return replace(entry, weight_g=asked.weight_g, weight_skipped=asked.weight_skipped)


def _asked(ask: Callable[[str], str | None]) -> WeightEntry:
    question = "weight in g (or - and why it is not weighed): "
    while (answer := ask(question)) is not None:
        reason = answer.lstrip("- ")
        if answer.startswith("-") and reason and isinstance(parse_grams(reason), str):
            return WeightEntry(None, reason)
        grams = parse_grams(answer)
        if isinstance(grams, float):
            return WeightEntry(grams)
        question = f"'{answer}' {grams}: "
    raise ConfigError("not weighed: session not started")


def parse_grams(text: str) -> float | str:
    """Parse a weight in grams; return the error text for an invalid one."""
    try:
        grams = float(text.strip().removesuffix("g").replace(",", "."))
    except ValueError:
        return "is no weight; wanted grams, such as 24.1"
    if not (math.isfinite(grams) and 0 < grams <= HEAVIEST_G):
        return f"is no weight of a subject; wanted grams, above 0 and up to {HEAVIEST_G}"
    return grams


def read_grams(option: str, text: str) -> float:
    """Parse a weight in grams. Raises ``ConfigError`` that names the option."""
    grams = parse_grams(text)
    if isinstance(grams, str):
        raise ConfigError(f"{option} {text}: {grams}")
    return grams


def check_weight(weight: WeightEntry, known: SubjectFile) -> None:
    """Check that the weight is within the limits, or that a reason allows the session.

    Raises ``UnusualWeightError``.
    """
    percent = weight.percent(known)
    if percent is None or weight.weight_g is None:
        return
    if percent < known.refuse_pct and weight.underweight_allowed is None:
        raise UnusualWeightError(
            f"the weight is {percent:.1f} % of the baseline, below refuse_pct ({known.refuse_pct:g} %): no session; "
            "give it water or food, call who is responsible, or say why it may run with",
            weight.weight_g,
            "underweight",
        )
    if known.refuse_above_pct is not None and percent > known.refuse_above_pct and weight.overweight_allowed is None:
        raise UnusualWeightError(
            f"the weight is {percent:.1f} % of the baseline, above refuse_above_pct ({known.refuse_above_pct:g} %): "
            "it is sated: no session; or say why it may run with",
            weight.weight_g,
            "overweight",
        )
