"""``rig subject weigh``, ``note``, ``record``, ``void`` and ``undo``: the entries of a subject's record."""

from __future__ import annotations

import argparse
import datetime
import re
from functools import partial

from rig.cli import common
from rig.cli.parse import names_its_day, parse_at, parse_decimal, read_amounts
from rig.cli.run.before import named_person
from rig.cli.subject.due import due_texts
from rig.cli.subject.show import entry_lines, parse_days
from rig.cli.subject.weight import WeightEntry, read_grams
from rig.cli.terminal.history import check_entry_clock
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.deliveries import record_manual_delivery
from rig.records.doubts import doubt_amount, doubt_weight
from rig.records.entries import entries_of, last_entry, void_entry
from rig.records.known_subject import load_known_subject
from rig.records.retirement import check_not_retired
from rig.records.subject_events import Event, append_events, read_events
from rig.records.top_up import top_up_time
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
    at = _happened_at(subject, arguments.at, now)
    then = load_known_subject(subject.folder).on(at.date())
    grams = settle_doubt(
        read_grams("GRAMS", arguments.grams),
        partial(doubt_weight, subject.folder, then, at=at),
        partial(read_grams, "GRAMS"),
        "weight",
        yes=arguments.yes,
    )
    when = "after" if arguments.after else "before"
    weighed = Event("weighed", {"weight_g": grams, "when": when}, at)
    number = append_events(subject.folder, [weighed], by, now)
    entry = WeightEntry(grams)
    of_day = "" if at.date() == now.date() else f" of {at.date()}"
    print(f"{subject.name}: {entry.said(then.rules)}, {when} the session{of_day}: recorded as entry {number}")
    for text in (*entry.warnings(then.rules), then.baseline_warning(at.date())):
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
    at = _happened_at(subject, arguments.at, now)
    day = _top_up_day(arguments, at.date(), now.date())
    given_at = at if day is None or arguments.at is not None else top_up_time(day, now)
    known = load_known_subject(subject.folder)
    amount, food_g = settle_doubt(
        parse_given(arguments.what, arguments.amount),
        lambda given: doubt_amount(subject.folder, known.on(given_at.date()), *given, given_at),
        partial(parse_given, arguments.what),
        "amount",
        yes=arguments.yes,
    )
    if amount == Amount() and not food_g and day is None:
        raise ConfigError(f"AMOUNT {arguments.amount}: nothing was given: there is nothing to write down")
    reason = arguments.reason if arguments.reason is not None else "by hand" if day is None else "top-up"
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    closes = None if day is None else day.isoformat()
    number = record_manual_delivery(
        subject.folder, amount, by, reason, now, food_g=food_g, top_up_for=closes, given_at=given_at
    )
    given = f"{food_g:g} g of food" if food_g else amount_text(amount)
    counted = "today" if given_at.date() == now.date() else given_at.date().isoformat()
    closed = "" if day is None else f"; the top-up of {counted} is closed"
    print(f"{subject.name} was given {given} by hand: recorded as entry {number}, and counted for {counted}{closed}")
    for text in due_texts(subject.folder, now.date()):
        print(text)


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


def _happened_at(subject: SubjectFolder, text: str | None, now: datetime.datetime) -> datetime.datetime:
    """Return the time of an entry; refuse one that a wrong clock would misplace. Raises ``ConfigError``."""
    if text is None or not names_its_day(text):
        check_entry_clock(subject.folder, now)
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


def record(arguments: argparse.Namespace) -> int:
    """Print the entries of the last days. Raises ``ConfigError``, ``RecordError``."""
    subject = common.known_subject(arguments)
    first = common.now().date() - datetime.timedelta(days=parse_days(arguments.days) - 1)
    found = [entry for entry in entries_of(read_events(subject.folder)) if entry.at[:10] >= first.isoformat()]
    if arguments.json:
        print_json([entry.model_dump(mode="json") for entry in found])
    else:
        print(*(entry_lines(found) if found else [f"{subject.name}: nothing was recorded since {first}"]), sep="\n")
    return OK


def void(arguments: argparse.Namespace) -> int:
    """Record that an entry is void, and print what is due without it. Raises ``ConfigError``, ``RecordError``."""
    reason = arguments.reason
    if not reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    folder, now = common.known_subject(arguments).folder, common.now()
    number = last_entry(folder, now.date()).number if arguments.what == "undo" else _parse_number(arguments.id)
    entry = void_entry(folder, number, by, reason, now)
    print(f"{folder.name}: {entry.full_text} is voided: it stays in the record, and counts no more")
    if entry.kind == "facts" and (text := unrestricted_text(load_known_subject(folder), folder.name)):
        print(text)
    for text in due_texts(folder, now.date()):
        print(text)
    return OK


def _parse_number(text: str) -> int:
    digits = text.removeprefix("#")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= 9):
        raise ConfigError(f"ID {text}: wanted the number of an entry, such as 12: `rig subject record NAME` lists them")
    return int(digits)
