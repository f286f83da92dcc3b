"""Parts of ``rig run`` that a new session and one that goes on share."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from dataclasses import replace
from pathlib import Path

from rig.cli.run.after import confirm_top_up, top_up_after
from rig.cli.run.before import experimenter
from rig.cli.run_and_save import FinishedSession
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.top_up import top_up_text
from rig.cli.terminal.window import DetachedWindow, window_of_session
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.records.known_subject import KnownSubject
from rig.supervisor.started import StartedSessions
from rig.system.processes import start_mark

KEYS = "keys: a left, s center, d right, q stop"


def person_or_model(simulation: SimulationOptions) -> tuple[SimulationOptions, float | None]:
    """Return the options and the speed of a simulated rig, on which without a model a person is the subject.

    Raises ``ConfigError`` when there is no terminal to poke from.
    """
    if simulation.model not in (None, PERSON):
        return simulation, 1.0
    if sys.stdin is None or not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print(KEYS, file=sys.stderr)
    return replace(simulation, model=PERSON), None


def display_of_run(*, person: bool, in_box: bool) -> Display:
    """Return the running display; of a session in one of several boxes, their table shows it."""
    if in_box:
        return Display(real_time=True, shown=False)
    # A person who pokes by keys has the terminal: the session is then reached from another one.
    return Display(real_time=True, hint=KEYS if person else "Ctrl-C stops", keys=not person)


def window_of_run(arguments: argparse.Namespace) -> DetachedWindow:
    """Return the window of a session, if it is asked for."""
    return DetachedWindow(window_of_session(arguments.theme) if arguments.window else None)


def record_folder(arguments: argparse.Namespace, data: Path, folder: Path) -> None:
    """Record the session's folder for the supervisor of several boxes, if one of them runs it."""
    if arguments.box is not None:
        StartedSessions(data).add_folder(os.getpid(), start_mark(os.getpid()), folder)


def end_run(
    arguments: argparse.Namespace,
    finished: FinishedSession,
    known: KnownSubject,
    place: Path,
    start: datetime.datetime,
    weight: str,
) -> int:
    """Print the end of a session that began at ``start``, ask for the top-up, and return the exit status."""
    simulated = bool(finished.summary["simulated"])
    top_up, unreadable = (None, "") if simulated else top_up_after(known, place, start)
    details = EndScreen(weight, unreadable or top_up_text(top_up))
    print_end(finished.summary, sys.stderr if arguments.json else sys.stdout, details)
    confirm_top_up(place, top_up, experimenter(arguments.experimenter))
    if arguments.json:
        print_json(finished.summary)
    return finished.status
