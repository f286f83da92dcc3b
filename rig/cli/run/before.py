"""Before a session: read past records, print the start screen, weigh, and confirm the subject.

Nothing is written before the operator has confirmed.
"""

from __future__ import annotations

import argparse
import datetime
import sys
from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rig.cli import common
from rig.cli.parse import read_amounts
from rig.cli.run.overrides import check_since_last, check_task, check_valves, reasons_of
from rig.cli.run.weight import check_weight, weigh
from rig.cli.subject.due import open_texts
from rig.cli.subject_names import check_known
from rig.cli.terminal.history import check_clock, check_start
from rig.cli.terminal.prompt import ask, confirm_name, is_interactive, settle_doubt
from rig.cli.terminal.screen_layout import Row, warning, write
from rig.cli.terminal.start_screen import StartScreen, print_start
from rig.config.limits import LimitOverride
from rig.config.subject import SubjectFile, limits_of
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON
from rig.records.session.brief import SessionBrief
from rig.records.session.history import all_sessions
from rig.records.session.moves import unfinished_moves
from rig.records.session.task_version import change_since, versions_before
from rig.records.subject.days import weight_of_day
from rig.records.subject.doubts import doubt_weight
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.records.subject.retirement import check_not_retired
from rig.records.weight_entry import WeightEntry, read_grams
from rig.session.daily_total import DailyTotal, load_daily_total
from rig.session.last_session import can_go_on, last_session
from rig.session.spec.session_spec import SessionSpec
from rig.session.subject_folder import SubjectFolder
from rig.session.unusual_task import unusual_task


class _Past(NamedTuple):
    """A subject's past."""

    day: DailyTotal | None
    """What it got recently; None if the rig gives nothing."""
    last: SessionBrief | None
    """Its last session, simulated or real as this one."""
    sessions: Sequence[SessionBrief]
    """All sessions in its folder, the newest first."""


def run_preflight(
    arguments: argparse.Namespace,
    spec: SessionSpec,
    folder: Path,
    known: SubjectFile,
    allowed: LimitOverride | None,
    *,
    simulated: bool,
) -> WeightEntry:
    """Run all steps before a session; return the weight entry.

    ``folder`` is the subject's. Raises ``ConfigError`` when the session must not start.
    """
    start = common.start_time(arguments.start)
    if not simulated:
        _check_real(arguments, folder, start)
    gives: Collection[str] = () if simulated else spec.gives
    past = _look_back(folder, start, gives, allowed, simulated=simulated)
    subject = load_known_subject(folder)
    if arguments.start is None:
        check_clock(past.last, start)
    screen = _start_screen(arguments, spec, folder, start, past, simulated=simulated)
    if not simulated:
        check_since_last(arguments, past.last, start, known, can_resume=screen.can_resume)
        screen = _with_reminders(screen, subject, past.sessions)
    print_start(screen, sys.stderr)
    check_task(arguments, screen.unusual)
    if not simulated:
        check_valves(arguments, spec.rig)
    weight = _weigh(arguments, screen, subject, needed=bool(gives))
    check_weight(weight, known)
    write(weight_rows(weight, known), sys.stderr)
    if too_old := subject.baseline_warning(start.date()):
        write([warning(too_old)], sys.stderr)
    if screen.model is None and not arguments.yes:
        confirm_subject(folder.name)
    return weight


def _check_real(arguments: argparse.Namespace, folder: Path, start: datetime.datetime) -> None:
    """Check that a real session may begin now in this subject. Raises ``ConfigError``."""
    if arguments.start is not None:
        check_start(start)
    check_not_retired(folder)
    check_known(arguments, folder)


def _start_screen(
    arguments: argparse.Namespace,
    spec: SessionSpec,
    folder: Path,
    start: datetime.datetime,
    past: _Past,
    *,
    simulated: bool,
) -> StartScreen:
    return StartScreen(
        spec=spec,
        simulated=simulated,
        folder=folder,
        start=start,
        experimenter=common.experimenter(arguments.experimenter),
        last=past.last,
        day=past.day,
        model=arguments.model if simulated and arguments.model != PERSON else None,
        strays=tuple(session.name for session in past.sessions if session.header.simulated != simulated),
        can_resume=past.last is not None and can_go_on(past.last, start),
        changed=change_since(spec.version, versions_before(folder, simulated=simulated)),
    )


def _with_reminders(screen: StartScreen, subject: KnownSubject, sessions: Sequence[SessionBrief]) -> StartScreen:
    """Return the screen with what a person must know before a real session."""
    own = [session for session in sessions if not session.header.simulated]
    return replace(
        screen,
        open_top_ups=open_texts(screen.folder, screen.start.date()),
        moves=tuple(move.unfinished_text for move in unfinished_moves(screen.folder)),
        unusual=tuple(unusual_task(screen.spec, screen.subject, subject.facts.species, own)),
    )


def _weigh(arguments: argparse.Namespace, screen: StartScreen, subject: KnownSubject, *, needed: bool) -> WeightEntry:
    """Return the weight of today. Raises ``ConfigError`` if one that does not suit the animal is left."""
    folder, start = screen.folder, screen.start
    today_g = None if screen.simulated else weight_of_day(folder, start.date())
    asks = ask if is_interactive() else None
    weight = weigh(arguments.weight_g, reasons_of(arguments), needed=needed, ask=asks, today_g=today_g)
    if screen.simulated:
        return weight
    return _meant(weight, subject.on(start.date()), folder, start, yes=arguments.yes)


def _meant(
    weight: WeightEntry, subject: KnownSubject, folder: Path, at: datetime.datetime, *, yes: bool
) -> WeightEntry:
    """Return the weight; one that does not suit the animal is asked about, unless a reason allows it.

    Raises ``ConfigError`` if it is left.
    """
    if weight.weight_g is None or weight.underweight_allowed or weight.overweight_allowed:
        return weight
    doubt = partial(doubt_weight, folder, subject, at=at)
    grams = settle_doubt(weight.weight_g, doubt, partial(read_grams, "weight"), "weight", yes=yes)
    return replace(weight, weight_g=grams)


def _look_back(
    folder: Path, start: datetime.datetime, gives: Collection[str], allowed: LimitOverride | None, *, simulated: bool
) -> _Past:
    """Return the subject's past.

    Raises ``ConfigError`` when it may be given no more of what the rig ``gives``.
    """
    with (
        SubjectFolder(folder.parent, folder.name) if folder.is_dir() else nullcontext()
    ):  # the lock refuses a running session
        day = None
        if gives:
            day = load_daily_total(folder, limits_of(folder, allowed), start)
            day.remaining_amounts(gives)
        sessions = [session for session in all_sessions(folder) if isinstance(session, SessionBrief)]
        return _Past(day, last_session(folder, simulated=simulated), sessions)


def weight_rows(weight: WeightEntry, known: SubjectFile) -> list[Row]:
    """Return the rows of the weight and of its warnings."""
    said = weight.said(known)
    rows: list[Row] = [("weight", said)] if said else []
    return [*rows, *map(warning, weight.warnings(known))]


def confirm_subject(subject: str) -> None:
    """Wait until a person has confirmed the subject. Raises ``ConfigError`` otherwise."""
    if not is_interactive():
        raise ConfigError(
            f"there is no terminal at which a person could confirm that it is {subject}: "
            "add --yes to begin without being asked"
        )
    confirm_name(subject)


def allowed_by_hand(arguments: argparse.Namespace, *, simulated: bool) -> LimitOverride | None:
    """Parse ``--daily-limit``, which replaces the daily limits today. Raises ``ConfigError``."""
    words, reason = arguments.daily_limit, reasons_of(arguments).get("daily_limit")
    if not words and reason is None:
        return None
    if simulated:
        raise ConfigError("--daily-limit: what a simulated subject gets is not counted: leave it out")
    if not words or reason is None:
        raise ConfigError("--daily-limit AMOUNT and --override daily_limit='reason': give both of them")
    amounts = read_amounts("--daily-limit", words)
    return LimitOverride(amounts, common.named_person(arguments.experimenter, "--experimenter NAME"), reason)
