"""``rig board serve``: serve the firmware on a simulated chip at a port for other programs."""

from __future__ import annotations

import argparse
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from rig.boards.chips import CHIPS, USUAL_CHIP
from rig.boards.driver_lookup import ServedPlace, VirtualPort, find_driver
from rig.cli import common
from rig.cli.run.real_time import KEYS
from rig.cli.terminal.printing import print_lines
from rig.core.errors import ConfigError
from rig.core.model.rig_spec import BoardSpec, RigSpec, SimulationOptions
from rig.platform.ports import HAS_PSEUDO_TERMINALS
from rig.session.run.run_session import simulation_options
from rig.session.spec.build import build_spec, load_rig_spec
from rig.session.spec.request import SessionRequest
from rig.system.statuses import OK
from rig.system.tcp_address import parse_place

ANY_PORT = "0"
"""The TCP port that the system chooses."""


def run(arguments: argparse.Namespace) -> int:
    """Run the board until Ctrl-C."""
    plan, rehearsal = _asked(arguments)
    driver = find_driver(plan.board.driver)
    place, scale = _places(arguments)
    with suppress(KeyboardInterrupt), driver.serve(plan, rehearsal, place, scale) as served:
        _print(plan, served.name, served.scale_name)
        if place.tcp is not None and not place.tcp.is_of_this_computer:
            print("programs on other computers can open it: nothing asks them for a password", file=sys.stderr)
        if rehearsal.model == "keyboard":
            print(KEYS, file=sys.stderr)
        if arguments.leads:
            threading.Thread(target=_move_leads, args=(served,), name="leads", daemon=True).start()
        served.wait()
    return OK


def _places(arguments: argparse.Namespace) -> tuple[ServedPlace, ServedPlace | None]:
    """Return where the board is served, and the scale if there is one. Raises ``ConfigError``."""
    tcp, link, scale = arguments.tcp, arguments.link, arguments.scale
    if tcp is None and HAS_PSEUDO_TERMINALS:
        return ServedPlace(None if link is None else Path(link)), None if scale is None else ServedPlace(Path(scale))
    if link is not None:
        raise ConfigError("--link: a TCP port has no link: --tcp PORT gives it a number that stays the same")
    address = parse_place(tcp or ANY_PORT, "--tcp")
    at_scale = None if scale is None else replace(parse_place(scale, "--scale"), host=address.host)
    return ServedPlace(tcp=address), None if at_scale is None else ServedPlace(tcp=at_scale)


def _asked(arguments: argparse.Namespace) -> tuple[RigSpec, SimulationOptions]:
    rehearsal = common.simulation(arguments, arguments.seed)
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if arguments.leads and rehearsal.model == "keyboard":
        raise ConfigError("--leads and --model keyboard: both read the keys: give one of them")
    if rehearsal.model is None and at_terminal and not arguments.leads:
        rehearsal = replace(rehearsal, model="keyboard")
    if rehearsal.model == "keyboard" and not at_terminal:
        raise ConfigError("--model keyboard: there is no terminal to poke from")
    driver = CHIPS[_chip(load_rig_spec(arguments.rig).board)].simulator
    if arguments.protocol is None:
        return load_rig_spec(arguments.rig, driver), rehearsal
    spec = build_spec(SessionRequest(arguments.protocol, arguments.rig, driver=driver, simulation=rehearsal))
    return spec.plan, simulation_options(spec)


def _chip(board: BoardSpec) -> str:
    """Return the chip of a board: the one of its driver, or what the rig file names."""
    return find_driver(board.driver).chip or board.chip or USUAL_CHIP


def _move_leads(served: VirtualPort) -> None:
    """Run the lines of standard input until its end."""
    served.move_leads("seen")  # from the first line on it knows which outputs were on
    for line in sys.stdin or ():
        try:
            print_lines(served.move_leads(line))
            sys.stdout.flush()
        except ConfigError as error:
            print(*error.lines, sep="\n", file=sys.stderr, flush=True)


def _print(plan: RigSpec, port: str, scale: str | None) -> None:
    chip = _chip(plan.board).capitalize()
    baud = "" if plan.board.baud == find_driver("serial").baud else f", baud: {plan.board.baud}"
    print(f"{port} is a simulated {chip}, wired as {plan.name}; Ctrl-C ends it")
    print(f"  in a rig file    {plan.board.name}: {{driver: serial, port: {port}{baud}}}")
    print(f"  check            rig board check --port {port}")
    print(f"  benchmark        rig board bench --port {port}", flush=True)
    if scale is not None:
        print(f"  a scale          rig device calibrate RIG DEVICE --scale {scale} --in-place", flush=True)
