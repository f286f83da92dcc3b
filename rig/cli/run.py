"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import datetime
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from rig.cli import common
from rig.cli.begin import allowed_by_hand, begin, experimenter
from rig.cli.course import Assigned, Assigner, Course, Records
from rig.cli.display import Display
from rig.cli.end_screen import Afterwards, print_end
from rig.cli.printing import print_json
from rig.cli.weigh import top_up_said
from rig.config.subject import SubjectFile, load_subject
from rig.core.errors import ConfigError, RecordError
from rig.core.plan import PERSON, Rehearsal
from rig.hardware.boards import find_driver
from rig.records.given import Total, given_between
from rig.session.day import DAY
from rig.session.perform import Order, is_simulated
from rig.session.setup import Prepared
from rig.session.subject import subjects_folder

KEYS = "keys: a left, s centre, d right, q stop"


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    assigner = Assigner(Course.of(arguments), today=common.start_time(arguments.start).date())
    if arguments.subject is None:
        raise ConfigError("who does the task? Give --subject NAME")
    data = common.data_folder(arguments)
    simulated = _is_simulated(assigner.example(), arguments.model)
    records = Records.of(data, arguments.subject, simulated=simulated, from_records=arguments.from_records)
    assigned = assigner.assign_today(records, arguments.stage, arguments.reason)
    driver = find_driver(assigned.prepared.plan.board.driver)
    _check_same(assigned, simulated, arguments.model)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    rehearsal = common.rehearsal(arguments, seed)
    speed: float | None = 1.0
    if driver.accepts_models:
        rehearsal, speed = _person_or_model(rehearsal)
    elif rehearsal.model is not None:
        raise ConfigError(f"--model {rehearsal.model}: a real board has a real subject; add --board sim to rehearse")
    place = subjects_folder(data, simulated=simulated) / arguments.subject
    known = load_subject(place)
    allowed = allowed_by_hand(arguments, simulated=simulated)
    weighed = begin(arguments, assigned, place, known, allowed, simulated=simulated)
    start = common.start_time(arguments.start if simulated else None)  # now: somebody has read, weighed and confirmed
    with Display(real_time=True, hint=KEYS if speed is None else "Ctrl-C stops") as display:
        order = Order(
            data=data,
            subject=arguments.subject,
            seed=seed,
            start=start,
            rehearsal=rehearsal,
            speed=speed,
            facts=weighed.facts() | assigned.facts(),
            experimenter=experimenter(arguments.experimenter),
            from_records=assigned.from_records,
            allowed=allowed,
            on_folder=display.start,
            on_beat=display.beat,
        )
        kept = common.conduct(assigned.prepared, order)
    top_up = "" if simulated else _top_up(known, place, start)
    afterwards = Afterwards(weighed.said(known), top_up)
    print_end(kept.summary, sys.stderr if arguments.json else sys.stdout, afterwards)
    if arguments.json:
        print_json(kept.summary)
    return kept.status


def _is_simulated(prepared: Prepared, model: str | None) -> bool:
    return is_simulated(prepared, find_driver(prepared.plan.board.driver), model or PERSON)


def _check_same(assigned: Assigned, simulated: bool, model: str | None) -> None:
    """Refuse a curriculum some of whose stages are simulated: the records of which subject decide? Raises."""
    if _is_simulated(assigned.prepared, model) != simulated and assigned.decision is not None:
        raise ConfigError(
            f"rig {assigned.prepared.plan.name} of stage {assigned.decision.stage} is "
            f"{'real' if simulated else 'simulated'}, and that of the first stage is not: give --rig NAME"
        )


def _person_or_model(rehearsal: Rehearsal) -> tuple[Rehearsal, float | None]:
    if rehearsal.model not in (None, PERSON):
        return rehearsal, 1.0
    if sys.stdin is None or not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print(KEYS, file=sys.stderr)
    return replace(rehearsal, model=PERSON), None


def _top_up(known: SubjectFile, folder: Path, start: datetime.datetime) -> str:
    """Say what is to be given by hand; a session that has ended is not lost sight of where that is not known."""
    try:
        return top_up_said(known, _since_morning(folder, start))
    except RecordError as error:
        return f"unknown: {error}"


def _since_morning(folder: Path, start: datetime.datetime) -> Total:
    """Sum up what was given on the day on which a session began, and after it if the session ran over midnight."""
    midnight = start.replace(hour=0, minute=0, second=0)
    return given_between(folder, midnight, max(midnight + DAY, common.now() + datetime.timedelta(minutes=1)))
