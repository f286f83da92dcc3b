"""The subject's weight before a session: entered, compared with its baseline, and recorded in the header."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rig.cli.needs_reason import NeedsReasonError
from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError
from rig.records.weight_entry import REASON_FIELDS, WeightEntry, parse_grams, read_grams
from rig.terminal.questions import Question


class UnusualWeightError(NeedsReasonError):
    """A weight with which no session starts."""

    def __init__(self, text: str, weight_g: float, rule: str) -> None:
        super().__init__(text, rule)
        self.weight_g = weight_g


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
    while (answer := ask(Question(question, is_number=True))) is not None:
        reason = answer.lstrip("- ")
        if answer.startswith("-") and reason and isinstance(parse_grams(reason), str):
            return WeightEntry(None, reason)
        grams = parse_grams(answer)
        if isinstance(grams, float):
            return WeightEntry(grams)
        question = f"'{answer}' {grams}: "
    raise ConfigError("not weighed: session not started")


def check_weight(weight: WeightEntry, known: SubjectFile) -> None:
    """Check that the weight is within the limits, or that a reason allows the session.

    Raises ``UnusualWeightError``.
    """
    if weight.weight_g is not None and (refusal := weight.refusal(known)):
        raise UnusualWeightError(refusal.text, weight.weight_g, refusal.rule)
