"""``rig run``: one session in real time."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from dataclasses import replace

from rig.cli import common
from rig.cli.display import Display, print_summary
from rig.core.errors import ConfigError
from rig.core.plan import Rehearsal
from rig.hardware.boards import find_driver
from rig.session.perform import Order, perform
from rig.session.setup import prepare


def run(arguments: argparse.Namespace) -> int:
    """Run the session."""
    prepared = prepare(arguments.protocol, arguments.rig, arguments.set, arguments.board)
    driver = find_driver(prepared.plan.board.driver)
    if arguments.subject is None:
        raise ConfigError("who does the task? Give --subject NAME")
    seed = arguments.seed if arguments.seed is not None else secrets.randbits(32)
    rehearsal = common.rehearsal(arguments, seed)
    speed: float | None = 1.0
    if driver.simulated:
        rehearsal, speed = _person_or_model(rehearsal)
    elif rehearsal.model is not None:
        raise ConfigError(f"--model {rehearsal.model}: a real board has a real subject; add --board sim to rehearse")
    with Display(arguments.subject, prepared.stop.session_s) as display:
        order = Order(
            data=common.data_folder(arguments),
            subject=arguments.subject,
            seed=seed,
            start=common.start_time(arguments.start),
            rehearsal=rehearsal,
            speed=speed,
            on_row=display.row,
        )
        performed = perform(prepared, order)
    summary = common.keep(performed)
    if arguments.json:
        print(json.dumps(summary, indent=2))
    else:
        print_summary(summary)
    return common.status_of(performed.outcome.reason)


def _person_or_model(rehearsal: Rehearsal) -> tuple[Rehearsal, float | None]:
    if rehearsal.model is not None and rehearsal.model != "keyboard":
        return rehearsal, 1.0
    if not sys.stdin.isatty():
        raise ConfigError("the board is simulated and there is no terminal to poke from: give --model NAME")
    print("keys: a left, s centre, d right, q stop", file=sys.stderr)
    return replace(rehearsal, model="keyboard"), None
