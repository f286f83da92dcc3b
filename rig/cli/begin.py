"""Before a session: look back, show what is about to happen, weigh, and have the subject confirmed.

Nothing is written before the person has agreed.
"""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from pathlib import Path

from rig.cli import common
from rig.cli.ask import ask, confirm, somebody
from rig.cli.course import Assigned
from rig.cli.history import Last, check_clock, last_session
from rig.cli.layout import Row, warning, write
from rig.cli.start_screen import Start, print_start
from rig.cli.weigh import Weighed, check_weight, weigh
from rig.config.subject import SubjectFile
from rig.core.errors import ConfigError
from rig.session.day import check_day, given_today
from rig.session.subject import Subject


def begin(
    arguments: argparse.Namespace, assigned: Assigned, folder: Path, known: SubjectFile, *, simulated: bool
) -> Weighed:
    """Go through everything before a session of a person or an animal; return what the scale said.

    ``folder`` is the subject's. Raises ``ConfigError`` when there is to be no session.
    """
    start = common.start_time(arguments.start)
    given_ul, last = _look_back(folder, start.date().isoformat(), assigned.prepared.stop.max_ul_day)
    if arguments.start is None:
        check_clock(last, start)
    model = arguments.model if simulated and arguments.model != "keyboard" else None
    who = experimenter(arguments)
    print_start(Start(assigned, simulated, folder.name, start, who, last, given_ul, model), sys.stderr)
    weighed = weigh(arguments, needed=not simulated, ask=ask if somebody() else None)
    check_weight(weighed, known)
    write(weight_rows(weighed, known), sys.stderr)
    if model is None and not arguments.yes:
        _have_confirmed(folder.name)
    return weighed


def _look_back(folder: Path, date: str, max_ul_day: float | None) -> tuple[float, Last | None]:
    """Tell what the subject has been given on a day, and its last session. Raises ``ConfigError`` for too much."""
    if not folder.is_dir():
        return 0.0, None
    with Subject(folder.parent, folder.name):  # the journal of a session that is running has no end either
        check_day(folder, date, max_ul_day)
        return given_today(folder, date), last_session(folder)


def weight_rows(weighed: Weighed, known: SubjectFile) -> list[Row]:
    """Say the weight, where there is anything to say, and what is wrong with it."""
    said = weighed.said(known)
    rows: list[Row] = [("weight", said)] if said else []
    return [*rows, *map(warning, weighed.warnings(known))]


def _have_confirmed(subject: str) -> None:
    if not somebody():
        raise ConfigError(
            f"there is no terminal at which somebody could confirm that it is {subject}: "
            "add --yes to begin without being asked"
        )
    confirm(f"Is it {subject}?")


def experimenter(arguments: argparse.Namespace) -> str:
    """Say who runs the session: --experimenter, $RIG_EXPERIMENTER, or the name this computer knows."""
    try:
        return str(arguments.experimenter or os.environ.get("RIG_EXPERIMENTER") or getpass.getuser())
    except (KeyError, OSError):  # a user whom the system has no name for
        return "unknown"
