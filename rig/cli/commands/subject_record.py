"""``rig subject weigh``, ``water``, ``food`` and ``note``: record an event of a subject."""

from __future__ import annotations

import argparse
import datetime
import re

from rig.cli import common
from rig.cli.commands.amounts import read_amounts
from rig.cli.commands.past_time import names_its_day, parse_at
from rig.cli.commands.preflight import named_person
from rig.cli.commands.weigh import WeightEntry, parse_grams
from rig.cli.terminal.history import check_clock, check_newest_entry, last_session
from rig.cli.terminal.top_up import open_top_up_text, top_up_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.deliveries import record_manual_delivery
from rig.records.due import due_of
from rig.records.known_subject import load_known_subject
from rig.records.subject_events import Event, append_events
from rig.records.top_up import top_up_of, top_up_time
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
    now = common.now()
    at = _happened_at(subject, arguments.at, now)
    known = load_known_subject(subject.folder)
    rules = known.on(at.date()).rules
    when = "after" if arguments.after else "before"
    append_events(subject.folder, [Event("weighed", {"weight_g": grams, "when": when}, at)], by, now)
    entry = WeightEntry(grams)
    of_day = "" if at.date() == now.date() else f" of {at.date()}"
    print(f"{subject.name}: {entry.said(rules)}, {when} the session{of_day}: recorded")
    for text in (*entry.warnings(rules), known.baseline_warning(at.date())):
        if text:
            print(f"warning: {text}")


def _note(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    text = " ".join(arguments.text).strip()
    if not text:
        raise ConfigError("TEXT: a note is wanted")
    if len(text) > LONGEST:
        raise ConfigError(f"TEXT: has {len(text)} characters: wanted at most {LONGEST}")
    append_events(subject.folder, [Event("remark", {"text": text})], by, common.now())
    print(f"{subject.name}: noted")


def _give(subject: SubjectFolder, arguments: argparse.Namespace, by: str) -> None:
    now = common.now()
    amount, food_g = parse_given(arguments.what, arguments.amount)
    at = _happened_at(subject, arguments.at, now)
    day = _top_up_day(arguments, at.date(), now.date())
    given_at = at if day is None or arguments.at is not None else top_up_time(day, now)
    if amount == Amount() and not food_g and day is None:
        raise ConfigError(f"AMOUNT {arguments.amount}: nothing was given: there is nothing to write down")
    reason = arguments.reason if arguments.reason is not None else "by hand" if day is None else "top-up"
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    if arguments.reason is None:
        _check_typing(subject, arguments.amount, amount, food_g)
    closes = None if day is None else day.isoformat()
    record_manual_delivery(subject.folder, amount, by, reason, now, food_g=food_g, top_up_for=closes, given_at=given_at)
    given = f"{food_g:g} g of food" if food_g else amount_text(amount)
    counted = "today" if given_at.date() == now.date() else given_at.date().isoformat()
    closed = "" if day is None else f"; the top-up of {counted} is closed"
    print(f"{subject.name} was given {given} by hand: recorded, and counted for {counted}{closed}")
    left = top_up_text(top_up_of(subject.folder, load_known_subject(subject.folder), now.date()))
    if left:
        print(f"top-up: {left}")
    for each in due_of(subject.folder, now.date()):
        if each.day < now.date():
            print(open_top_up_text(each.top_up, subject.name, each.why))


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


def _happened_at(subject: SubjectFolder, text: str | None, now: datetime.datetime) -> datetime.datetime:
    """Return the time of an entry; refuse one that a wrong clock would misplace. Raises ``ConfigError``."""
    if text is None or not names_its_day(text):
        check_clock(last_session(subject.folder), now, "--at and the date and time")
        check_newest_entry(subject.folder, now)
    return now if text is None else parse_at(text, now)


def _top_up_day(arguments: argparse.Namespace, given: datetime.date, today: datetime.date) -> datetime.date | None:
    """Return the day whose top-up is closed; None if none is. Raises ``ConfigError``."""
    text = arguments.top_up
    if not text:
        return None if text is None else given
    words = {"today": today, "yesterday": today - datetime.timedelta(days=1)}
    try:
        day = words.get(text) or datetime.date.fromisoformat(text)
    except ValueError:
        raise ConfigError(f"--top-up {text}: is no day: wanted today, yesterday or YYYY-MM-DD") from None
    if day > today:
        raise ConfigError(f"--top-up {text}: lies in the future: today is {today}")
    if arguments.at is not None and day != given:
        raise ConfigError(
            f"--top-up {text}: --at lies on {given}, and what closes a day's top-up counts for that day: leave one out"
        )
    return day
