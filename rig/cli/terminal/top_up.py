"""The water or food that an animal is still due: its text, and the question whether it was given."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from pathlib import Path

from rig.cli.parse import parse_decimal
from rig.cli.terminal import prompt
from rig.core.model.actions import Amount
from rig.records.subject.deliveries import record_manual_delivery
from rig.records.subject.doubts import doubt_amount
from rig.records.subject.due import Due
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.top_up import TopUp, is_confirmed, top_up_time
from rig.terminal.questions import Question

TRIES = 3
MOST = {"ul": 20_000.0, "g": 2_000.0}
_AMOUNT = re.compile(r"([0-9]+(?:[.,][0-9]*)?)\s*(ul|µl|μl|ml|g)", re.IGNORECASE)


def top_up_text(top_up: TopUp | None) -> str:
    """Return the text of what is still due today; empty without a target."""
    return "" if top_up is None else top_up.text


def open_top_up_text(top_up: TopUp | None, subject: str, why: str = "") -> str:
    """Return the text of a top-up that was never confirmed, with the command that closes it; empty if none is open."""
    if top_up is None or not top_up.is_open:
        return ""
    due = top_up.text if top_up.unknown else f"{top_up.amount} were never confirmed"
    reason = f" ({why})" if why and not top_up.unknown else ""
    return f"OPEN, of {top_up.day}: {due}{reason}. If it was given: {closing_command(top_up, subject)}"


def unrestricted_text(known: KnownSubject, subject: str) -> str:
    """Return the warning that nothing is due to a subject for want of facts; empty if they are known."""
    if known.restriction != "none" or known.facts.species is not None or known.facts.restriction is not None:
        return ""
    return (
        f"warning: {subject} has no species, so nothing is due to it. If it is restricted: "
        f"rig subject set {subject} --species WORD"
    )


def closing_command(top_up: TopUp, subject: str) -> str:
    """Return the command that closes a top-up."""
    amount = "AMOUNT" if top_up.unknown else f"{top_up.due:g}{top_up.unit}"
    return f"rig subject give {subject} {amount} --top-up {top_up.day}"


def others_open_text(due: Sequence[Due]) -> str:
    """Return the text that names subjects whose top-ups of earlier days are open."""
    days: dict[str, list[str]] = {}
    for each in due:
        days.setdefault(each.subject, []).append(f"{each.day}{'' if each.has_entry else ' (no entry)'}")
    named = "; ".join(f"{subject}, of {', '.join(each)}" for subject, each in days.items())
    return f"OPEN: {named}. See `rig subject due`"


def ask_top_up(folder: Path, top_up: TopUp | None, by: str, at: datetime.datetime) -> str:
    """Record the answer to the question whether the top-up was given; return what was recorded, for the person.

    Without a terminal, or without an answer, the top-up stays open. Raises ``ConfigError`` and ``RecordError``.
    """
    if top_up is None or not top_up.is_open or top_up.unknown:
        return ""
    if not prompt.is_interactive():
        return open_top_up_text(top_up, folder.name)
    of_day = "" if top_up.day == at.date() else f" of {top_up.day}"
    amount_text = f"{top_up.due:g} {top_up.unit}"
    question: str = Question(
        f"{folder.name} is due {amount_text}{of_day}. Given? [y: all; such as 200{top_up.unit}; Enter: no] ",
        (("y", f"given: {amount_text}"), ("", "not given")),
    )
    doubted = top_up.due
    for _ in range(TRIES):
        answer = (prompt.ask_now(question) or "").lower()
        if answer in ("", "n", "no"):
            break
        amount = top_up.due if answer in ("y", "yes") else parse_top_up(answer, top_up.unit)
        if amount is not None:
            doubt = _doubt(folder, top_up, amount, at)
            if is_confirmed(folder, top_up.day):  # by another program, while the question was open
                return f"{folder.name}: the top-up of {top_up.day} was recorded meanwhile; nothing more was recorded"
            if not doubt or amount == doubted:
                _record(folder, top_up, amount, by, at)
                return f"{amount:g} {top_up.unit} recorded as top-up of {top_up.day}"
            asked = f"{doubt} Type the amount again, or Enter to leave it: "
            question, doubted = Question(asked, (("", "leave it"),)), amount
            continue
        question = f"'{answer}' is no answer; wanted y, an amount such as 200{top_up.unit}, or Enter: "
    return open_top_up_text(top_up, folder.name)


def parse_top_up(text: str, unit: str) -> float | None:
    """Parse an amount of a unit (``ul`` or ``g``); return None for anything else."""
    found = _AMOUNT.fullmatch(text)
    if found is None:
        return None
    try:
        value = parse_decimal(found[1])
    except ValueError:
        return None
    given = found[2].lower().replace("µ", "u").replace("μ", "u")
    if given == "ml":
        value, given = value * 1000, "ul"
    return round(value, 3) if given == unit and value <= MOST[unit] else None


def _doubt(folder: Path, top_up: TopUp, amount: float, at: datetime.datetime) -> str:
    given_at = top_up_time(top_up.day, at)
    return doubt_amount(folder, load_known_subject(folder).on(top_up.day), *_portion(top_up, amount), given_at)


def _portion(top_up: TopUp, amount: float) -> tuple[Amount, float]:
    """Return an amount of a top-up as water and as grams of food."""
    return (Amount(ul=amount), 0.0) if top_up.unit == "ul" else (Amount(), amount)


def _record(folder: Path, top_up: TopUp, amount: float, by: str, at: datetime.datetime) -> None:
    water, food_g = _portion(top_up, amount)
    day = top_up.day
    record_manual_delivery(
        folder, water, by, "top-up", at, food_g=food_g, top_up_for=day.isoformat(), given_at=top_up_time(day, at)
    )
