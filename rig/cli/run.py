"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from rig.cli import common
from rig.cli.begin import begin, experimenter
from rig.cli.course import Assigner, Course
from rig.cli.display import Display
from rig.cli.end_screen import Afterwards, print_end
from rig.cli.weigh import top_up_said
from rig.config.subject import SubjectFile, load_subject
from rig.core.errors import ConfigError, RecordError
from rig.core.plan import Rehearsal
from rig.hardware.boards import find_driver
from rig.session.day import given_today
from rig.session.perform import Order
from rig.session.subject import check_name

KEYS = "keys: a left, s centre, d right, q stop"


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    start = common.start_time(arguments.start)
    assigner = Assigner(Course.of(arguments), today=start.date())
    if arguments.subject is None:
        raise ConfigError("who does the task? Give --subject NAME")
    folder = common.data_folder(arguments) / check_name(arguments.subject)
    assigned = assigner.assign_today(folder, arguments.stage, arguments.reason)
    driver = find_driver(assigned.prepared.plan.board.driver)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    rehearsal = common.rehearsal(arguments, seed)
    speed: float | None = 1.0
    if driver.simulated:
        rehearsal, speed = _person_or_model(rehearsal)
    elif rehearsal.model is not None:
        raise ConfigError(f"--model {rehearsal.model}: a real board has a real subject; add --board sim to rehearse")
    known = load_subject(folder)
    weighed = begin(arguments, assigned, folder, known, simulated=driver.simulated)
    with Display(real_time=True, hint=KEYS if speed is None else "Ctrl-C stops") as display:
        order = Order(
            data=folder.parent,
            subject=folder.name,
            seed=seed,
            start=start,
            rehearsal=rehearsal,
            speed=speed,
            facts=weighed.facts() | assigned.facts(),
            experimenter=experimenter(arguments),
            on_folder=display.start,
        )
        kept = common.conduct(assigned.prepared, order)
    afterwards = Afterwards(weighed.said(known), _top_up(Path(kept.summary["folder"]), known))
    print_end(kept.summary, sys.stderr if arguments.json else sys.stdout, afterwards)
    if arguments.json:
        print(json.dumps(kept.summary, indent=2))
    return kept.status


def _person_or_model(rehearsal: Rehearsal) -> tuple[Rehearsal, float | None]:
    if rehearsal.model is not None and rehearsal.model != "keyboard":
        return rehearsal, 1.0
    if sys.stdin is None or not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print(KEYS, file=sys.stderr)
    return replace(rehearsal, model="keyboard"), None


def _top_up(folder: Path, known: SubjectFile) -> str:
    try:
        return top_up_said(known, given_today(folder.parent.parent, folder.parent.name))
    except RecordError as error:
        return f"unknown: {error}"
