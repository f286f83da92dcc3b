"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import datetime
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from rig.boards.registry import find_driver
from rig.cli import common
from rig.cli.commands.plan import Records, StagePlanner, requested
from rig.cli.commands.preflight import allowed_by_hand, experimenter, run_preflight
from rig.cli.commands.session_stock import counted, stock_warnings
from rig.cli.default_rig import default_rig
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import say, warning, write
from rig.cli.terminal.top_up import ask_top_up, top_up_text
from rig.config.subject import limits_of
from rig.core.errors import ConfigError, RecordError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.records.known_subject import KnownSubject, load_known_subject
from rig.records.top_up import TopUp, top_up_of
from rig.session.build.spec import SessionSpec
from rig.session.run.run_session import is_simulated
from rig.session.subject import subjects_folder

KEYS = "keys: a left, s center, d right, q stop"


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    asked = replace(requested(arguments), rig=default_rig(arguments), start=common.start_time(arguments.start))
    planner = StagePlanner(asked)
    if arguments.subject is None:
        raise ConfigError("who does the task? Give --subject NAME")
    simulated = _is_simulated(planner.example(), arguments.model)
    records = Records.of(asked.data, arguments.subject, simulated=simulated, from_records=arguments.from_records)
    spec = planner.assign_today(records, arguments.stage, arguments.stage_reason)
    driver = find_driver(spec.plan.board.driver)
    _check_same(spec, simulated, arguments.model)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    simulation = common.simulation(arguments, seed)
    speed: float | None = 1.0
    if driver.accepts_models:
        simulation, speed = _person_or_model(simulation)
    elif simulation.model is not None:
        raise ConfigError(f"--model {simulation.model}: a real board has a real subject; add --board sim to rehearse")
    place = subjects_folder(asked.data, simulated=simulated) / arguments.subject
    known = load_known_subject(place)
    allowed = allowed_by_hand(arguments, simulated=simulated)
    if not simulated:
        write(map(warning, stock_warnings(spec, asked.data, limits_of(place, allowed))), sys.stderr)
    weight = run_preflight(arguments, spec, place, known.rules, allowed, simulated=simulated)
    start = common.start_time(
        arguments.start if simulated else None
    )  # not earlier: reading, weighing and confirming took time
    request = replace(
        asked,
        subject=arguments.subject,
        seed=seed,
        start=start,
        simulation=simulation,
        speed=speed,
        experimenter=experimenter(arguments.experimenter),
        limit_override=allowed,
    )
    # A person who pokes by keys has the terminal: the session is then reached from another one.
    person = speed is None
    with (
        counted(spec, asked.data, simulated=simulated) as begin,
        Display(real_time=True, hint=KEYS if person else "Ctrl-C stops", keys=not person) as display,
    ):
        spec = replace(spec, request=request, facts=weight.facts())

        def on_folder(folder: Path) -> None:
            begin(folder)
            display.start(folder)

        finished = common.run_and_save(spec, on_folder=on_folder, on_beat=display.beat, controlled=True)
    top_up, unreadable = (None, "") if simulated else _top_up(known, place, start)
    details = EndScreen(weight.said(known.rules), unreadable or top_up_text(top_up))
    print_end(finished.summary, sys.stderr if arguments.json else sys.stdout, details)
    _ask(place, top_up, experimenter(arguments.experimenter))
    if arguments.json:
        print_json(finished.summary)
    return finished.status


def _is_simulated(spec: SessionSpec, model: str | None) -> bool:
    return is_simulated(spec, find_driver(spec.plan.board.driver), model or PERSON)


def _check_same(spec: SessionSpec, simulated: bool, model: str | None) -> None:
    """Check that all stages are real or all simulated, because these have different records.

    Raises ``ConfigError``.
    """
    if _is_simulated(spec, model) != simulated and spec.decision is not None:
        raise ConfigError(
            f"rig {spec.plan.name} of stage {spec.decision.stage} is "
            f"{'real' if simulated else 'simulated'}, and that of the first stage is not: give --rig NAME"
        )


def _person_or_model(simulation: SimulationOptions) -> tuple[SimulationOptions, float | None]:
    if simulation.model not in (None, PERSON):
        return simulation, 1.0
    if sys.stdin is None or not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print(KEYS, file=sys.stderr)
    return replace(simulation, model=PERSON), None


def _top_up(known: KnownSubject, folder: Path, start: datetime.datetime) -> tuple[TopUp | None, str]:
    """Return the top-up of the day on which a session began, extended to now if it ran over midnight.

    A read error becomes its text, so that the end screen still prints.
    """
    try:
        return top_up_of(folder, known, start.date(), common.now() + datetime.timedelta(minutes=1)), ""
    except RecordError as error:
        return None, f"unknown: {error}"


def _ask(folder: Path, top_up: TopUp | None, by: str) -> None:
    """Record the answer to whether the top-up was given; a record that fails does not fail the session."""
    try:
        answer = ask_top_up(folder, top_up, by, common.now())
    except RecordError as error:
        answer = f"{error}: the top-up stays open"
    if answer:
        say(answer, file=sys.stderr)
