"""``rig board check``: what is wrong with computer, port and board, and every input and output of a rig."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from rich.text import Text

from rig.boards import identify
from rig.boards.ports import SerialPort, holder, ports_here
from rig.boards.registry import find_driver
from rig.boards.serial.driver import find_port
from rig.cli import common
from rig.cli.board.terminal_operator import Technician, try_rig
from rig.cli.commands.preflight import experimenter
from rig.cli.terminal.printing import print_json
from rig.cli.terminal.prompt import somebody
from rig.cli.terminal.screen_layout import box
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, ConfigError
from rig.core.model.actions import Amount
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics import host_checks
from rig.diagnostics.host_checks import Finding
from rig.diagnostics.host_system import Computer
from rig.diagnostics.io_test import Exercised, Nobody
from rig.records.deliveries import give_by_hand
from rig.session.build.build import plan_named
from rig.system.statuses import NO_HARDWARE, OK, STOPPED
from rig.terminal.console import Paper

USUAL_BAUD = 500_000
NO_BOARD = Finding("board", "wrong", "no USB serial port was found", "plug the board in; some cables only charge")
_STYLES = {"good": "green", "warning": "yellow", "wrong": "bold red", "not here": "dim", "skipped": "yellow"}


def run(arguments: argparse.Namespace) -> int:
    """Look at everything, and print what was found."""
    plan = None if arguments.rig is None else _plan(arguments)
    driver = None if plan is None else find_driver(plan.board.driver)
    needs_hardware = driver is None or driver.needs_hardware
    findings = _findings(plan, arguments.port, Computer()) if needs_hardware else []
    if not arguments.json:
        _print((finding.what, finding.verdict, finding.text, finding.fix) for finding in findings)
    if arguments.subject is not None and (driver is None or driver.records != "real"):
        raise ConfigError("--subject: an animal is given something on a real rig alone: name it with --rig")
    exercised: list[Exercised] | None = []
    if plan is not None and driver is not None and not _bad(finding.verdict for finding in findings):
        watched = driver.operator == "person"
        if watched and not somebody():
            raise ConfigError("there is no terminal at which somebody could watch the rig: leave --rig out")
        exercised = try_rig(plan, _technician(arguments) if watched else Nobody())
    if exercised is None:
        print("stopped: everything is off", file=sys.stderr)
        return STOPPED
    if arguments.json:
        found = {"findings": [asdict(each) for each in findings], "exercised": [asdict(each) for each in exercised]}
        print_json(found)
    else:
        _print((each.channel, each.result, each.text, "") for each in exercised)
    wrong = _bad([*(finding.verdict for finding in findings), *(each.result for each in exercised)])
    return NO_HARDWARE if wrong else OK


class _Accountant(Technician):
    """A technician with an animal in the rig: what it is given counts for its day, and is written down beforehand."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def gave(self, amount: Amount) -> None:
        """Write it down. Raises ``RecordError``: then nothing is opened."""
        give_by_hand(self._folder, amount, experimenter(None), "rig board check", common.now())


def _technician(arguments: argparse.Namespace) -> Technician:
    if arguments.subject is None:
        box(
            "No animal may be in the rig: what is given now counts for nobody. With one in it: --subject NAME",
            sys.stderr,
        )
        return Technician()
    arguments.sim = False
    return _Accountant(common.known_subject(arguments).folder)


def _bad(verdicts: Iterable[str]) -> bool:
    return "wrong" in verdicts


def _plan(arguments: argparse.Namespace) -> RigSpec:
    plan = plan_named(arguments.rig, arguments.board)
    return plan if arguments.port is None else replace(plan, board=replace(plan.board, port=arguments.port))


# --- what there is to find --------------------------------------------------------------------------------------


def _findings(plan: RigSpec | None, only: str | None, computer: Computer) -> list[Finding]:
    ports = _ports(only, plan)
    found = [*host_checks.of_computer(computer)]
    for port in ports:
        found += host_checks.of_port(port, computer)
    if not ports:
        return [*found, NO_BOARD]
    if plan is not None and not find_driver(plan.board.driver).greets:
        return found
    asked = [port for port in ports if port.held_by is None and computer.may_use(port.device)]
    return [*found, *asyncio.run(_ask_all([port.device for port in asked], plan))]


def _ports(only: str | None, plan: RigSpec | None) -> list[SerialPort]:
    """List the ports that boards may be on, or the one that is meant, which need not be listed by the system.

    Raises ``BoardNotFoundError`` when the rig could mean several.
    """
    here = ports_here()
    if plan is not None and only is None and here:
        only = plan.board.port or find_port(plan.board, here)
    if only is None:
        return [port for port in here if port.may_be_board]
    return [port for port in here if port.device == only] or [SerialPort(only, "", held_by=holder(only))]


async def _ask_all(ports: Sequence[str], plan: RigSpec | None) -> list[Finding]:
    return list(await asyncio.gather(*(_ask(port, plan) for port in ports)))


async def _ask(port: str, plan: RigSpec | None) -> Finding:
    baud, uid = (USUAL_BAUD, None) if plan is None else (plan.board.baud, plan.board.uid)
    silence = ""
    for speed in dict.fromkeys((baud, USUAL_BAUD)):
        try:
            transport = identify.opened(port, speed)
        except BoardNotFoundError as error:
            return host_checks.of_closed(port, str(error))
        try:
            hello = await identify.greet(transport, running())
        except BoardNotFoundError as error:
            silence = silence or str(error)
        else:
            return (
                host_checks.of_firmware(port, hello, uid) if speed == baud else host_checks.of_speed(port, baud, speed)
            )
    return host_checks.of_silence(port, silence, baud)


# --- how it is printed ------------------------------------------------------------------------------------------


def _print(rows: Iterable[tuple[str, str, str, str]]) -> None:
    console = Paper()
    for what, verdict, text, fix in rows:
        console.print(Text.assemble((f"{verdict:8}", _STYLES[verdict]), "  ", (what, "bold"), ": ", text))
        if fix:
            console.print(Text(f"{'':10}{fix}"), soft_wrap=True)  # in one piece, for whoever copies it
