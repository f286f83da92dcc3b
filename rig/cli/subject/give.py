"""``rig subject given``: record a reward given by hand, or the unknown total of a session."""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path

from rig.cli import common
from rig.cli.parse import read_amounts
from rig.cli.run.before import named_person
from rig.cli.terminal.history import check_entry_clock
from rig.cli.terminal.prompt import settle_doubt
from rig.cli.terminal.top_up import unrestricted_text
from rig.core.errors import ConfigError
from rig.core.model.actions import Amount
from rig.records.deliveries import DECLARED, declare_amount, delivered_between, record_manual_delivery, session_folders
from rig.records.doubts import doubt_amount
from rig.records.known_subject import load_known_subject
from rig.records.retirement import check_not_retired
from rig.records.subject_events import EVENTS
from rig.session.daily_total import amount_text
from rig.session.subject import SubjectFolder
from rig.system.statuses import OK


def run(arguments: argparse.Namespace) -> int:
    """Record an amount. Raises ``ConfigError``, ``RecordError``."""
    amount = _parse(arguments.amount)
    if not arguments.reason.strip():
        raise ConfigError("--reason: a reason is wanted, which is written down")
    by = named_person(arguments.by, "--by NAME")
    subject = common.known_subject(arguments)
    if arguments.session is not None:
        with subject:  # the lock refuses a running session
            return _settle(subject, arguments.session, amount, by, arguments.reason)
    if amount == Amount():
        raise ConfigError("AMOUNT: nothing was given: there is nothing to write down")
    check_not_retired(subject.folder)
    known, now = load_known_subject(subject.folder), common.now()
    check_entry_clock(subject.folder, now, "`rig subject water` or `food`, --at and the date and time")
    amount = settle_doubt(
        amount,
        lambda amount: doubt_amount(subject.folder, known, amount, 0.0, now),
        lambda typed: _parse(typed.split()),
        "amount",
        yes=arguments.yes,
    )
    number = record_manual_delivery(subject.folder, amount, by, arguments.reason, now)
    print(f"{subject.name} was given {amount_text(amount)} by hand: recorded as entry {number}, and counted for today")
    return OK


def _parse(words: Sequence[str]) -> Amount:
    amounts = read_amounts("AMOUNT", words)
    return Amount(amounts.get("ul", 0.0), int(amounts.get("pellets", 0)), amounts.get("access_s", 0.0))


def _settle(subject: SubjectFolder, name: str, amount: Amount, by: str, reason: str) -> int:
    total = delivered_between(subject.folder, datetime.datetime(1970, 1, 2), datetime.datetime(9999, 12, 30))
    unknown = {one.name: one.folder for one in total.unknown}
    there = {f"{path.parent.name}/{path.name}": path for path in session_folders(subject.folder)}
    place = (there | unknown).get(name)
    if place is None:
        raise ConfigError(f"--session {name}: {subject.folder} has none of that name; unknown are: {_listed(unknown)}")
    if name not in unknown and not (place / DECLARED).exists():
        raise ConfigError(f"--session {name}: its records tell what it gave; unknown are: {_listed(unknown)}")
    path = declare_amount(place, amount, by, reason, common.now())
    print(f"{path}: {name} counts as {amount_text(amount)} from now on")
    if name == EVENTS and (text := unrestricted_text(load_known_subject(subject.folder), subject.name)):
        print(text)
    return OK


def _listed(unknown: Mapping[str, Path]) -> str:
    return ", ".join(unknown) or "none"
