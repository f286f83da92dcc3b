"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import secrets
import sys
from dataclasses import replace
from pathlib import Path

from rig.boards.registry import find_driver
from rig.cli import common
from rig.cli.commands.after_session import confirm_top_up, top_up_after
from rig.cli.commands.planned import plan_session
from rig.cli.commands.preflight import allowed_by_hand, experimenter, run_preflight
from rig.cli.commands.session_stock import counted, stock_warnings
from rig.cli.commands.since_last import early_facts
from rig.cli.terminal.display import Display
from rig.cli.terminal.end_screen import EndScreen, print_end
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.screen_layout import warning, write
from rig.cli.terminal.top_up import top_up_text
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import PERSON, SimulationOptions
from rig.records.known_subject import load_known_subject

KEYS = "keys: a left, s center, d right, q stop"


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    if arguments.boxes is not None:
        # Imported here: a session has no use for the supervisor.
        from rig.cli.commands.run_boxes import run_boxes

        return run_boxes(arguments)
    planned = plan_session(arguments, common.start_time(arguments.start))
    spec, simulated, place = planned.spec, planned.simulated, planned.folder
    driver = find_driver(spec.plan.board.driver)
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    simulation = common.simulation(arguments, seed)
    speed: float | None = 1.0
    if driver.accepts_models:
        simulation, speed = _person_or_model(simulation)
    elif simulation.model is not None:
        raise ConfigError(f"--model {simulation.model}: a real board has a real subject; add --board sim to rehearse")
    known = load_known_subject(place)
    allowed = allowed_by_hand(arguments, simulated=simulated)
    if not simulated:
        write(map(warning, stock_warnings(spec, planned.request.data, limits_of(place, allowed))), sys.stderr)
    weight = run_preflight(arguments, spec, place, known.rules, allowed, simulated=simulated)
    start = common.start_time(
        arguments.start if simulated else None
    )  # not earlier: reading, weighing and confirming took time
    request = replace(
        planned.request,
        subject=arguments.subject,
        seed=seed,
        start=start,
        simulation=simulation,
        speed=speed,
        experimenter=experimenter(arguments.experimenter),
        limit_override=allowed,
        box=arguments.box or arguments.box_of_rig,
    )
    # A person who pokes by keys has the terminal: the session is then reached from another one.
    person = speed is None
    with (
        counted(spec, planned.request.data, simulated=simulated) as begin,
        _display(person=person, in_box=arguments.box is not None) as display,
    ):
        spec = replace(spec, request=request, facts=weight.facts() | early_facts(arguments))

        def on_folder(folder: Path) -> None:
            begin(folder)
            display.start(folder)

        finished = common.run_and_save(spec, on_folder=on_folder, on_beat=display.beat, controlled=True)
    top_up, unreadable = (None, "") if simulated else top_up_after(known, place, start)
    details = EndScreen(weight.said(known.rules), unreadable or top_up_text(top_up))
    print_end(finished.summary, sys.stderr if arguments.json else sys.stdout, details)
    confirm_top_up(place, top_up, experimenter(arguments.experimenter))
    if arguments.json:
        print_json(finished.summary)
    return finished.status


def _display(*, person: bool, in_box: bool) -> Display:
    if in_box:  # the table of the boxes shows it
        return Display(real_time=True, shown=False)
    return Display(real_time=True, hint=KEYS if person else "Ctrl-C stops", keys=not person)


def _person_or_model(simulation: SimulationOptions) -> tuple[SimulationOptions, float | None]:
    if simulation.model not in (None, PERSON):
        return simulation, 1.0
    if sys.stdin is None or not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print(KEYS, file=sys.stderr)
    return replace(simulation, model=PERSON), None
