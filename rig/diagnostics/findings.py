"""What is wrong with a computer, its ports and the boards behind them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from rig.boards import identify
from rig.boards.boot_drive import boot_drives
from rig.boards.driver_lookup import find_driver
from rig.boards.ports import SerialPort, find_port, holder, ports_here
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics import port_checks
from rig.diagnostics.host_system import HostSystem
from rig.diagnostics.port_checks import CheckResult
from rig.system.tcp_address import is_url

USUAL_BAUD = 500_000
NO_BOARD = CheckResult("board", "error", "no USB serial port was found", "plug the board in; some cables only charge")


def host_findings(plan: RigSpec | None, only: str | None, computer: HostSystem) -> list[CheckResult]:
    """Return what is found at a computer, at its ports or the ``only`` one, and of the boards behind them.

    Raises ``BoardNotFoundError`` when the rig could mean several ports.
    """
    if plan is not None and not find_driver(plan.board.driver).has_board:
        return [CheckResult("board", "ok", "this rig has none")]
    ports = _ports(only, plan)
    if ports and all(is_url(port.device) for port in ports):
        return asyncio.run(_ask_all([port.device for port in ports], plan)) if _says_hello(plan) else []
    findings = [*port_checks.check_system(computer)]
    for port in ports:
        findings += port_checks.check_port(port, computer)
    waiting = [port_checks.waiting_drive(drive, alone=not ports) for drive in boot_drives() if drive.is_pico]
    if not ports:
        return [*findings, *(waiting or [NO_BOARD])]
    findings += waiting
    if not _says_hello(plan):
        return findings
    asked = [port for port in ports if port.held_by is None and computer.may_use(port.device)]
    return [*findings, *asyncio.run(_ask_all([port.device for port in asked], plan))]


def _ports(only: str | None, plan: RigSpec | None) -> list[SerialPort]:
    """Return the ports that boards may be on, or the one that is meant, which need not be listed by the system.

    Raises ``BoardNotFoundError`` when the rig could mean several.
    """
    here = ports_here()
    if plan is not None and only is None:
        only = plan.board.port or (find_port(plan.board, here) if here else None)
    if only is None:
        return [port for port in here if port.may_be_board]
    return [port for port in here if port.device == only] or [SerialPort(only, "", held_by=holder(only))]


def _says_hello(plan: RigSpec | None) -> bool:
    return plan is None or find_driver(plan.board.driver).supports_hello


async def _ask_all(ports: Sequence[str], plan: RigSpec | None) -> list[CheckResult]:
    return list(await asyncio.gather(*(_ask(port, plan) for port in ports)))


async def _ask(port: str, plan: RigSpec | None) -> CheckResult:
    baud, uid, chip = (USUAL_BAUD, None, None) if plan is None else (plan.board.baud, plan.board.uid, plan.board.chip)
    silence = ""
    # A TCP port has no speed.
    for speed in dict.fromkeys((baud,) if is_url(port) else (baud, USUAL_BAUD)):
        try:
            transport = identify.opened(port, speed)
        except BoardNotFoundError as error:
            return port_checks.port_not_opened(port, str(error))
        try:
            hello = await identify.identify(transport, running())
        except BoardNotFoundError as error:
            silence = silence or str(error)
        else:
            return (
                port_checks.check_firmware(port, hello, uid, chip)
                if speed == baud
                else port_checks.wrong_speed(port, baud, speed)
            )
    return port_checks.port_not_opened(port, silence) if is_url(port) else port_checks.no_answer(port, silence, baud)
