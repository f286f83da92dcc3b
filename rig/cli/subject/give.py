"""``rig subject give``: record water or food given by hand, or the total of a session whose records do not tell it."""

from __future__ import annotations

import argparse
import datetime
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rig.cli import common
from rig.cli.parse import parse_decimal, read_amounts
from rig.cli.subject.due import due_texts
from rig.cli.subject.entries import time_of_entry
from rig.cli.subject_names import known_subject
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.subject.deliveries import (
    DECLARED,
    declare_amount,
    delivered_between,
    record_manual_delivery,
    session_folders,
)
from rig.records.subject.doubts import doubt_amount
from rig.records.subject.known_subject import load_known_subject
from rig.records.subject.retirement import check_not_retired
from rig.records.subject.top_up import top_up_time
from rig.records.subject_events import EVENTS
from rig.session.daily_total import amount_text
from rig.session.subject_folder import SubjectFolder
from rig.system.statuses import OK

MOST_G = 2000.0
_GRAMS = re.compile(r"([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)\s*g", re.IGNORECASE)
_WANTED = "an amount with its unit, such as 320ul, 1.2ml, 5g, 12pellets or 2.5s"


class Portion(NamedTuple):
    """What a subject was given by hand, and in it the grams of its usual food."""

    amount: Amount
    food_g: float

    def __str__(self) -> str:
        food = [f"{self.food_g:g} g of food"] if self.food_g else []
        return ", ".join([amount_text(self.amount), *food] if self.amount != Amount() else food) or amount_text(
            Amount()
        )


def run(arguments: argparse.Namespace) -> int:
    """Record an amount. Raises ``ConfigError``, ``RecordError``."""
    portion = parse_portion(arguments.amount)
    if arguments.session is not None:
        return _settle(arguments, portion)
    subject = known_subject(arguments)
    check_not_retired(subject.folder)
    by, now = common.signed_by(arguments), common.now()
    at = time_of_entry(subject, arguments.at, now)
    day = _top_up_day(arguments, at.date(), now.date())
    given_at = at if day is None or arguments.at is not None else top_up_time(day, now)
    known = load_known_subject(subject.folder).on(given_at.date())
    portion = settle_doubt(
        portion,
        lambda portion: doubt_amount(subject.folder, known, *portion, given_at),
        lambda typed: parse_portion(typed.split()),
        "amount",
        yes=arguments.yes,
    )
    if portion == Portion(Amount(), 0.0) and day is None:
        raise ConfigError(f"AMOUNT {' '.join(arguments.amount)}: nothing was given: there is nothing to write down")
    number = record_manual_delivery(
        subject.folder,
        portion.amount,
        by,
        arguments.reason or ("by hand" if day is None else "top-up"),
        now,
        food_g=portion.food_g,
        top_up_for=None if day is None else day.isoformat(),
        given_at=given_at,
    )
    counted = "today" if given_at.date() == now.date() else given_at.date().isoformat()
    closed = "" if day is None else f"; the top-up of {counted} is closed"
    print(f"{subject.name} was given {portion} by hand: recorded as entry {number}, and counted for {counted}{closed}")
    for text in due_texts(subject.folder, now.date()):
        print(text)
    return OK


def parse_portion(words: Sequence[str]) -> Portion:
    """Parse amounts, one of each kind. Raises ``ConfigError``."""
    matches = [(word, _GRAMS.fullmatch(word.strip())) for word in words]
    grams = [(word, match[1]) for word, match in matches if match is not None]
    amounts = read_amounts("AMOUNT", [word for word, match in matches if match is None], _WANTED)
    if len(grams) > 1:
        raise ConfigError(f"AMOUNT {grams[1][0]}: there is an amount of g already: give one of each kind")
    food_g = 0.0
    for word, number in grams:
        try:
            food_g = round(parse_decimal(number), 3)
        except ValueError as error:
            raise ConfigError(f"AMOUNT {word}: {error}") from None
        if food_g > MOST_G:
            raise ConfigError(f"AMOUNT {word}: wanted at most {MOST_G:g} g")
    ul, pellets, access_s = (amounts.get(unit, 0.0) for unit in ("ul", "pellets", "access_s"))
    return Portion(Amount(ul, int(pellets), access_s), food_g)


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


def _settle(arguments: argparse.Namespace, portion: Portion) -> int:
    """Record the total of a session. Raises ``ConfigError``, ``RecordError``."""
    name = arguments.session
    for option, value in (("--at", arguments.at), ("--top-up", arguments.top_up)):
        if value is not None:
            raise ConfigError(f"{option}: the amount counts for the session that --session {name} names: leave it out")
    if portion.food_g:
        raise ConfigError(f"AMOUNT {portion.food_g:g}g: a session gives no food by weight: wanted ul, pellets or s")
    if arguments.reason is None:
        raise ConfigError(f"--session {name}: how is the amount known? Give --reason WHY, which is written down")
    by = common.signed_by(arguments)
    subject = known_subject(arguments)
    with subject:  # the lock refuses a running session
        folder = _doubtful_session(subject, name)
        path = declare_amount(folder, portion.amount, by, arguments.reason, common.now())
    print(f"{path}: {name} counts as {portion} from now on")
    if name == EVENTS and (text := unrestricted_text(load_known_subject(subject.folder), subject.name)):
        print(text)
    return OK


def _doubtful_session(subject: SubjectFolder, name: str) -> Path:
    """Return the folder of a session whose records do not tell what it gave. Raises ``ConfigError``."""
    total = delivered_between(subject.folder, datetime.datetime(1970, 1, 2), datetime.datetime(9999, 12, 30))
    unknown = {session.name: session.folder for session in total.unknown}
    folders = {f"{path.parent.name}/{path.name}": path for path in session_folders(subject.folder)}
    folder = (folders | unknown).get(name)
    if folder is None:
        raise ConfigError(f"--session {name}: {subject.folder} has none of that name; unknown are: {_listed(unknown)}")
    if name not in unknown and not (folder / DECLARED).exists():
        raise ConfigError(f"--session {name}: its records tell what it gave; unknown are: {_listed(unknown)}")
    return folder


def _listed(unknown: Mapping[str, Path]) -> str:
    return ", ".join(unknown) or "none"
