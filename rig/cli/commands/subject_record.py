"""``rig subject weigh``, ``water``, ``food`` and ``note``: record an event of a subject."""

from __future__ import annotations

import argparse
import datetime
import re
from functools import partial

from rig.cli import common
from rig.cli.commands.amounts import read_amounts
from rig.cli.commands.preflight import named_person
from rig.cli.commands.weigh import WeightEntry, read_grams
from rig.cli.terminal.decimals import parse_decimal
from rig.cli.terminal.doubt import settle_doubt
from rig.cli.terminal.top_up import top_up_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.deliveries import record_manual_delivery
from rig.records.doubts import doubt_amount, doubt_weight
from rig.records.known_subject import load_known_subject
from rig.records.retirement import check_not_retired
from rig.records.subject_events import Event, append_events
from rig.records.top_up import top_up_of
from rig.session.daily_total import amount_text
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK

_GRAMS = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*g", re.IGNORECASE)
MOST_G = 2000.0
LONGEST = 4000
"""Characters of a note."""
_WANTED = {"water": "water, such as 320ul or 1.2ml", "food": "food, such as 5g, 12pellets or 2.5s of grain"}


def run(arguments: argparse.Namespace) -> int:
    """Record the event. Raises ``ConfigError``, ``RecordError``."""
    subject = common.known_subject(arguments)
    if arguments.what != "note":
        check_not_retired(subject.folder)
    record = {"weigh": _weigh, "water": _give, "food": _give, "note": _note}[arguments.what]
    record(subject, arguments, named_person(arguments.by, "--by NAME"))
    return OK


def _weigh(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    now = common.now()
    today, known = now.date(), load_known_subject(subject.folder).on(now.date())
    grams = settle_doubt(
        read_grams("GRAMS", arguments.grams),
        partial(doubt_weight, subject.folder, known, at=now),
        partial(read_grams, "GRAMS"),
        "weight",
        yes=arguments.yes,
    )
    rules = known.rules
    when = "after" if arguments.after else "before"
    weighed = Event("weighed", {"weight_g": grams, "when": when})
    number = append_events(subject.folder, [weighed], by, now)
    entry = WeightEntry(grams)
    print(f"{subject.name}: {entry.said(rules)}, {when} the session: recorded as entry {number}")
    for text in (*entry.warnings(rules), known.baseline_warning(today)):
        if text:
            print(f"warning: {text}")


def _note(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    text = " ".join(arguments.text).strip()
    if not text:
        raise ConfigError("TEXT: a note is wanted")
    if len(text) > LONGEST:
        raise ConfigError(f"TEXT: has {len(text)} characters: wanted at most {LONGEST}")
    number = append_events(subject.folder, [Event("remark", {"text": text})], by, common.now())
    print(f"{subject.name}: noted as entry {number}")


def _give(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    now = common.now()
    known = load_known_subject(subject.folder).on(now.date())
    amount, food_g = settle_doubt(
        parse_given(arguments.what, arguments.amount),
        lambda given: doubt_amount(subject.folder, known, *given, now),
        partial(parse_given, arguments.what),
        "amount",
        yes=arguments.yes,
    )
    day = _top_up_day(arguments.top_up, now.date())
    if amount == Amount() and not food_g and day is None:
        raise ConfigError(f"AMOUNT {arguments.amount}: nothing was given: there is nothing to write down")
    reason = arguments.reason if arguments.reason is not None else "by hand" if day is None else "top-up"
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    closes = None if day is None else day.isoformat()
    number = record_manual_delivery(subject.folder, amount, by, reason, now, food_g=food_g, top_up_for=closes)
    given = f"{food_g:g} g of food" if food_g else amount_text(amount)
    closed = "" if closes is None else f"; the top-up of {'today' if day == now.date() else closes} is closed"
    print(f"{subject.name} was given {given} by hand: recorded as entry {number}, and counted for today{closed}")
    left = top_up_text(top_up_of(subject.folder, known, now.date()))
    if left:
        print(f"top-up: {left}")


def parse_given(what: str, text: str) -> tuple[Amount, float]:
    """Return the amount given by hand, and the grams of food. Raises ``ConfigError``."""
    grams = _GRAMS.fullmatch(text.strip())
    if what == "food" and grams is not None:
        try:
            food_g = parse_decimal(grams[1])
        except ValueError as error:
            raise ConfigError(f"AMOUNT {text}: {error}") from None
        if food_g > MOST_G:
            raise ConfigError(f"AMOUNT {text}: wanted at most {MOST_G:g} g")
        return Amount(), round(food_g, 3)
    amounts = read_amounts("AMOUNT", [text], _WANTED[what])
    if ("ul" in amounts) != (what == "water"):
        raise ConfigError(f"AMOUNT {text}: wanted {_WANTED[what]}")
    return Amount(amounts.get("ul", 0.0), int(amounts.get("pellets", 0)), amounts.get("access_s", 0.0)), 0.0


def _top_up_day(text: str | None, today: datetime.date) -> datetime.date | None:
    if text is None or text == "today":
        return None if text is None else today
    try:
        day = datetime.date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--top-up {text}: is no day: wanted YYYY-MM-DD, or nothing for today") from None
    if day > today:
        raise ConfigError(f"--top-up {text}: lies in the future: today is {today}")
    return day
