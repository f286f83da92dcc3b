"""``rig subject weigh``, ``water``, ``food`` and ``note``: record an event of a subject."""

from __future__ import annotations

import argparse
import datetime
import re

from rig.cli import common
from rig.cli.commands.amounts import read_amounts
from rig.cli.commands.preflight import named_person
from rig.cli.commands.weigh import WeightEntry, parse_grams
from rig.cli.terminal.top_up import top_up_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.deliveries import record_manual_delivery
from rig.records.known_subject import load_known_subject
from rig.records.subject_events import Event, append_events
from rig.records.top_up import top_up_of
from rig.session.daily_total import amount_text
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK

_GRAMS = re.compile(r"([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*g", re.IGNORECASE)
MOST_G = 2000.0
LONGEST = 4000
"""Characters of a note."""
MOST_DAYS = 3
"""An amount above this number of daily targets needs a reason, because it may be a typing error."""


def run(arguments: argparse.Namespace) -> int:
    """Record the event. Raises ``ConfigError``, ``RecordError``."""
    subject = common.known_subject(arguments)
    record = {"weigh": _weigh, "water": _give, "food": _give, "note": _note}[arguments.what]
    record(subject, arguments, named_person(arguments.by, "--by NAME"))
    return OK


def _weigh(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    grams = parse_grams(arguments.grams)
    if isinstance(grams, str):
        raise ConfigError(f"GRAMS {arguments.grams}: {grams}")
    today = common.now().date()
    known = load_known_subject(subject.folder)
    rules = known.on(today).rules
    when = "after" if arguments.after else "before"
    weighed = Event("weighed", {"weight_g": grams, "when": when})
    number = append_events(subject.folder, [weighed], by, common.now())
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
    amount, food_g = parse_given(arguments.what, arguments.amount)
    day = _top_up_day(arguments.top_up, now.date())
    if amount == Amount() and not food_g and day is None:
        raise ConfigError(f"AMOUNT {arguments.amount}: nothing was given: there is nothing to write down")
    reason = arguments.reason if arguments.reason is not None else "by hand" if day is None else "top-up"
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    if arguments.reason is None:
        _check_typing(subject, arguments.amount, amount, food_g)
    closes = None if day is None else day.isoformat()
    number = record_manual_delivery(subject.folder, amount, by, reason, now, food_g=food_g, top_up_for=closes)
    given = f"{food_g:g} g of food" if food_g else amount_text(amount)
    closed = "" if closes is None else f"; the top-up of {'today' if day == now.date() else closes} is closed"
    print(f"{subject.name} was given {given} by hand: recorded as entry {number}, and counted for today{closed}")
    left = top_up_text(top_up_of(subject.folder, load_known_subject(subject.folder), now.date()))
    if left:
        print(f"top-up: {left}")


def _check_typing(subject: SubjectFolder, text: str, amount: Amount, food_g: float) -> None:
    """Check that an amount can be meant: a wrong one cannot be taken back, and hides a top-up that is due."""
    rules = load_known_subject(subject.folder).rules
    for given, target, unit in ((amount.ul, rules.daily_target_ul, "ul"), (food_g, rules.daily_food_g, "g")):
        if target and given > MOST_DAYS * target:
            raise ConfigError(
                f"AMOUNT {text}: is {given / target:.0f} times the daily target of {target:g} {unit}: was it mistyped? "
                "If it is right, say why with --reason"
            )


def parse_given(what: str, text: str) -> tuple[Amount, float]:
    """Return the amount given by hand, and the grams of food. Raises ``ConfigError``."""
    grams = _GRAMS.fullmatch(text.strip())
    if what == "food" and grams is not None:
        if float(grams[1]) > MOST_G:
            raise ConfigError(f"AMOUNT {text}: wanted at most {MOST_G:g} g")
        return Amount(), round(float(grams[1]), 3)
    wanted = ("ul",) if what == "water" else ("pellets", "access_s")
    try:
        amounts = read_amounts("AMOUNT", [text])
    except ConfigError:
        amounts = {}
    if not amounts or next(iter(amounts)) not in wanted:
        raise ConfigError(
            f"AMOUNT {text}: wanted {'water, such as 320ul or 1.2ml' if what == 'water' else 'food, such as 5g'}"
            + ("" if what == "water" else ", 12pellets or 2.5s of grain")
        )
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
