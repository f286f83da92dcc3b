"""``rig serve-avr``: serve the firmware on a simulated chip at a port for other programs."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rig.boards.chips import USUAL_CHIP
from rig.boards.registry import find_driver
from rig.cli import common
from rig.cli.commands.run import KEYS
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.session.build.build import build_spec, load_rig_spec
from rig.session.build.request import SessionRequest
from rig.session.run.run_session import simulation_options
from rig.system.statuses import OK

DRIVER = "avr"


def run(arguments: argparse.Namespace) -> int:
    """Run the board until Ctrl-C."""
    plan, rehearsal = _asked(arguments)
    link, scale = (None if name is None else Path(name) for name in (arguments.link, arguments.scale))
    with suppress(KeyboardInterrupt), find_driver(DRIVER).serve(plan, rehearsal, link, scale) as served:
        _print(plan, served.path, scale)
        if rehearsal.model == "keyboard":
            print(KEYS, file=sys.stderr)
        served.wait()
    return OK


def _asked(arguments: argparse.Namespace) -> tuple[RigSpec, SimulationOptions]:
    rehearsal = common.simulation(arguments, arguments.seed)
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if rehearsal.model is None and at_terminal:
        rehearsal = replace(rehearsal, model="keyboard")
    if rehearsal.model == "keyboard" and not at_terminal:
        raise ConfigError("--model keyboard: there is no terminal to poke from")
    if arguments.protocol is None:
        return load_rig_spec(arguments.rig, DRIVER), rehearsal
    spec = build_spec(SessionRequest(arguments.protocol, arguments.rig, driver=DRIVER, simulation=rehearsal))
    return spec.plan, simulation_options(spec)


def _print(plan: RigSpec, path: Path, scale: Path | None) -> None:
    chip = (plan.board.chip or USUAL_CHIP).capitalize()
    baud = "" if plan.board.baud == find_driver("serial").baud else f", baud: {plan.board.baud}"
    print(f"{path} is a simulated {chip}, wired as {plan.name}; Ctrl-C ends it")
    print(f"  in a rig file    {plan.board.name}: {{driver: serial, port: {path}{baud}}}")
    print(f"  check            rig board check --port {path}")
    print(f"  benchmark        rig board bench --port {path}", flush=True)
    if scale is not None:
        print(f"  a scale          rig valve calibrate RIG DEVICE --scale {scale} --in-place", flush=True)
