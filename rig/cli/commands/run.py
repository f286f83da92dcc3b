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
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import warning, write
from rig.cli.terminal.top_up import top_up_text
from rig.config.subject import SubjectFile, limits_of, load_subject
from rig.core.errors import ConfigError, RecordError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.records.deliveries import DeliveredTotal, delivered_between
from rig.session.build.spec import SessionSpec
from rig.session.daily_total import DAY
from rig.session.run.run_session import is_simulated
from rig.session.subject import subjects_folder

KEYS = "keys: a left, s center, d right, q stop"


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    asked = replace(requested(arguments), start=common.start_time(arguments.start))
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
    known = load_subject(place)
    allowed = allowed_by_hand(arguments, simulated=simulated)
    if not simulated:
        write(map(warning, stock_warnings(spec, asked.data, limits_of(place, allowed))), sys.stderr)
    weight = run_preflight(arguments, spec, place, known, allowed, simulated=simulated)
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
    with (
        counted(spec, asked.data, simulated=simulated) as begin,
        Display(real_time=True, hint=KEYS if speed is None else "Ctrl-C stops") as display,
    ):
        spec = replace(spec, request=request, facts=weight.facts())

        def on_folder(folder: Path) -> None:
            begin(folder)
            display.start(folder)

        finished = common.run_and_save(spec, on_folder=on_folder, on_beat=display.beat)
    top_up = "" if simulated else _top_up(known, place, start)
    details = EndScreen(weight.said(known), top_up)
    print_end(finished.summary, sys.stderr if arguments.json else sys.stdout, details)
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


def _top_up(known: SubjectFile, folder: Path, start: datetime.datetime) -> str:
    """Return the text of the top-up; a read error becomes its text, so that the end screen still prints."""
    try:
        return top_up_text(known, _since_morning(folder, start))
    except RecordError as error:
        return f"unknown: {error}"


def _since_morning(folder: Path, start: datetime.datetime) -> DeliveredTotal:
    """Return the total of the day on which a session began, extended to now if it ran over midnight."""
    midnight = start.replace(hour=0, minute=0, second=0)
    return delivered_between(folder, midnight, max(midnight + DAY, common.now() + datetime.timedelta(minutes=1)))
