"""What is known of a subject's weight before a session, as the journal's header records it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError

UNLIKELY_PCT = 150.0


REASON_FIELDS = {
    "weight": "weight_skipped",
    "underweight": "underweight_allowed",
    "overweight": "overweight_allowed",
}
"""The fields of a weight's entry for the rules of ``--override``, in the order of the entry's fields."""


class Refusal(NamedTuple):
    """A rule that refuses a session, and why."""

    rule: str
    text: str


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

    def facts(self) -> dict[str, float | str]:
        """Return the ``facts`` of the journal's header."""
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

    def refusal(self, known: SubjectFile) -> Refusal | None:
        """Return the rule by which no session starts with this weight; None within the limits, or with a reason."""
        percent = self.percent(known)
        if percent is None:
            return None
        if percent < known.refuse_pct and self.underweight_allowed is None:
            return Refusal(
                "underweight",
                f"the weight is {percent:.1f} % of the baseline, below refuse_pct ({known.refuse_pct:g} %): "
                "no session; give it water or food, call who is responsible, or say why it may run with",
            )
        highest = known.refuse_above_pct
        if highest is not None and percent > highest and self.overweight_allowed is None:
            return Refusal(
                "overweight",
                f"the weight is {percent:.1f} % of the baseline, above refuse_above_pct ({highest:g} %): "
                "it is sated: no session; or say why it may run with",
            )
        return None


HEAVIEST_G = 20_000
"""The upper bound of a weight; above it the decimal point is missing."""


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
