"""Run a session in real time, a new one or the rest of one that broke off: display, window, records, and end screen."""

from __future__ import annotations

import argparse
import datetime
import os
import sys
from dataclasses import replace
from pathlib import Path

from rig.cli import common
from rig.cli.run.stock import counted
from rig.cli.run.top_up_after import confirm_top_up, top_up_after
from rig.cli.run_and_save import FinishedSession, run_and_save
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.top_up import top_up_text
from rig.cli.terminal.window import DetachedWindow, window_of_session
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.platform.processes import start_mark
from rig.records.subject.known_subject import KnownSubject, load_known_subject
from rig.session.spec.session_spec import SessionSpec
from rig.supervisor.started import StartedSessions

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


def run_in_real_time(
    arguments: argparse.Namespace,
    spec: SessionSpec,
    subject: Path,
    start: datetime.datetime,
    *,
    simulated: bool,
    weight: str = "",
    resumed: Path | None = None,
) -> int:
    """Run a session of the subject in this folder, which began at ``start``; return the exit status.

    ``weight`` is a text for the end screen, ``resumed`` the folder of a session that goes on.
    """
    request = spec.request
    known = load_known_subject(subject)
    with (
        counted(spec, request.data, simulated=simulated) as begin,
        _display(person=request.speed is None, in_box=arguments.box is not None) as display,
        DetachedWindow(window_of_session(arguments.theme) if arguments.window else None) as window,
    ):

        def on_folder(folder: Path) -> None:
            begin(folder)
            display.start(folder)
            window.start(folder)
            if arguments.box is not None:  # for the supervisor of several boxes
                StartedSessions(request.data).add_folder(os.getpid(), start_mark(os.getpid()), folder)

        finished = run_and_save(spec, on_folder=on_folder, on_beat=display.beat, controlled=True, resumed=resumed)
    return _end(arguments, finished, known, subject, start, weight)


def _display(*, person: bool, in_box: bool) -> Display:
    """Return the running display; of a session in one of several boxes, their table shows it."""
    if in_box:
        return Display(real_time=True, shown=False)
    # A person who pokes by keys has the terminal: the session is then reached from another one.
    return Display(real_time=True, hint=KEYS if person else "Ctrl-C stops", keys=not person)


def _end(
    arguments: argparse.Namespace,
    finished: FinishedSession,
    known: KnownSubject,
    subject: Path,
    start: datetime.datetime,
    weight: str,
) -> int:
    """Print the end of a session, ask for the top-up, and return the exit status."""
    simulated = finished.summary.simulated
    top_up, unreadable = (None, "") if simulated else top_up_after(known, subject, start)
    details = EndScreen(weight, unreadable or top_up_text(top_up))
    print_end(finished.summary, sys.stderr if arguments.json else sys.stdout, details)
    confirm_top_up(subject, top_up, common.experimenter(arguments.experimenter))
    if arguments.json:
        print_json(finished.summary.document())
    return finished.status
