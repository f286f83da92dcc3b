"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from rig.boards.driver_lookup import find_driver
from rig.cli import common
from rig.cli.default_rig import box_name
from rig.cli.run.before import allowed_by_hand, run_preflight
from rig.cli.run.overrides import override_facts
from rig.cli.run.real_time import person_or_model, run_in_real_time
from rig.cli.run.request import plan_session
from rig.cli.run.resume import run_rest
from rig.cli.run.stock import stock_warnings
from rig.cli.terminal.screen_layout import warning, write
from rig.config.subject import limits_of
from rig.core.errors import ConfigError
from rig.records.subject.known_subject import load_known_subject
from rig.session.spec.seed import seed_or_drawn
from rig.window.launch import check_window


def run(arguments: argparse.Namespace) -> int:
    """Run the session, or the rest of one that broke off, or those of several boxes."""
    if arguments.window:
        check_window()
    if arguments.boxes is not None:
        # Imported here: a session has no use for the supervisor.
        from rig.cli.run.boxes import run_boxes

        return run_boxes(arguments)
    if of_boxes := [name for name in ("only", "today", "leave") if getattr(arguments, name)]:
        raise ConfigError(f"--{of_boxes[0]}: belongs to --boxes FILE, which is not given")
    if arguments.resume is not None:
        return run_rest(arguments)
    planned = plan_session(arguments, common.start_time(arguments.start))
    spec, simulated, place = planned.spec, planned.simulated, planned.folder
    driver = find_driver(spec.plan.board.driver)
    seed = seed_or_drawn(arguments.seed)
    simulation = common.simulation(arguments, seed)
    speed: float | None = 1.0
    if driver.accepts_models:
        simulation, speed = person_or_model(simulation)
    elif simulation.model is not None:
        raise ConfigError(f"--model {simulation.model}: a real board has a real subject; add --board sim to rehearse")
    rules = load_known_subject(place).on(common.start_time(arguments.start).date()).rules
    allowed = allowed_by_hand(arguments, simulated=simulated)
    if not simulated:
        write(map(warning, stock_warnings(spec, planned.request.data, limits_of(place, allowed))), sys.stderr)
    weight = run_preflight(arguments, spec, place, rules, allowed, simulated=simulated)
    # Not earlier: reading, weighing and confirming took time.
    start = common.start_time(arguments.start if simulated else None)
    request = replace(
        planned.request,
        subject=arguments.subject,
        seed=seed,
        start=start,
        simulation=simulation,
        speed=speed,
        experimenter=common.experimenter(arguments.experimenter),
        limit_override=allowed,
        box=box_name(arguments, spec.plan.name),
    )
    spec = replace(spec, request=request, facts=weight.facts() | override_facts(arguments))
    return run_in_real_time(arguments, spec, place, start, simulated=simulated, weight=weight.said(rules))
