"""The first step of an acceptance: the board's firmware; and the same reflexes on a simulated chip, to compare."""

from __future__ import annotations

import argparse
import asyncio

from rig.boards import identify
from rig.boards.boot_drive import boot_drives
from rig.boards.chips import CHIPS
from rig.boards.firmware import FirmwareBuilder, image_name
from rig.boards.ports import find_port, is_same_port, is_there, ports_here
from rig.boards.serial.hello import Hello
from rig.cli.board import flash as flashing
from rig.cli.board.flash_target import DRIVE_CHIP
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError, ConfigError, FirmwareMismatchError
from rig.core.model.rig_spec import RigSpec
from rig.diagnostics.acceptance.results import AcceptanceRow
from rig.diagnostics.acceptance.site import Site

WHAT = "firmware"


def put_firmware(site: Site, *, flash: bool) -> tuple[list[AcceptanceRow], dict[str, str]]:
    """Write the firmware to the board unless it has it; return the rows, and the facts of the board.

    Raises ``BoardError`` and ``ConfigError``.
    """
    port = None if _is_drive(site) else _port(site.plan)
    hello, why = (None, "") if port is None else _hello(port, site.plan.board.baud)
    rows = []
    if port is None or hello is None or flash:
        if port is None:
            site.operator.instruct("the board is a drive: the firmware is written to it")
        elif hello is None and not _may_overwrite(site, port, why):
            return [AcceptanceRow(WHAT, "fail", f"{port}: {why}; nothing was written")], {}
        flashing.run(argparse.Namespace(port=port, drive=None, chip=site.chip, hex=None, dry_run=False))
        port = _port(site.plan)  # a board that was a drive has one now
        hello, why = _hello(port, site.plan.board.baud)
        rows.append(AcceptanceRow("flashed", "info", _image(site.chip)))
    if hello is None:
        return [*rows, AcceptanceRow(WHAT, "fail", f"{port}: {why}")], {}
    try:
        hello.check_uid(site.plan.board.uid)
    except FirmwareMismatchError as error:
        return [*rows, AcceptanceRow("board id", "fail", str(error))], {}
    board = hello.opened
    rows.append(AcceptanceRow("board id", "pass", f"{board.uid} ({board.name}) on {port}"))
    rows.append(AcceptanceRow(WHAT, "pass", f"version {board.firmware}, wire version {hello.version}"))
    if board.name != site.chip:
        rows.append(AcceptanceRow("kind of board", "fail", board.name, site.chip))
    facts = {"board id": board.uid, "board": board.name, "firmware": board.firmware}
    return rows, facts | {"port": port, "firmware image": _image(site.chip)}


def facts_of_board(site: Site) -> dict[str, str]:
    """Return the cause of the board's last reset, which the page names."""
    hello, why = _hello(_port(site.plan), site.plan.board.baud)
    return {"last reset of the board": why if hello is None else hello.reset}


def _may_overwrite(site: Site, port: str, why: str) -> bool:
    """Whether the operator lets the firmware be written to a port at which no board of a rig answers."""
    says = next((f" ({here.description})" for here in ports_here() if is_same_port(here.device, port)), "")
    site.operator.instruct(f"{port}{says}: {why}")
    kind = CHIPS[site.chip].board
    return asyncio.run(site.operator.confirm(f"is it the {kind} of this rig? Its program will be overwritten"))


def _is_drive(site: Site) -> bool:
    """Whether the rig's board waits for its firmware as a drive, and has no port yet.

    Raises ``BoardNotFoundError`` if another Pico runs, and the port of the rig's is not known.
    """
    waiting = [drive for drive in boot_drives() if drive.is_pico]
    if site.chip != DRIVE_CHIP or not waiting:
        return False
    named, ports = site.plan.board.port, ports_here()
    if named is not None:
        return not is_there(named, ports)
    running = [port.device for port in ports if port.chip == DRIVE_CHIP]
    if running:
        raise BoardNotFoundError(
            f"which board? One Pico is at {running[0]}, another waits for its firmware as {waiting[0].path}: "
            "unplug the one that is not of this rig, or give --port"
        )
    return True


def _port(plan: RigSpec) -> str:
    return plan.board.port or find_port(plan.board, ports_here())


def _hello(port: str, baud: int) -> tuple[Hello | None, str]:
    """Return what the board on a port says of itself, or None and why it says nothing that this program understands.

    Raises ``BoardNotFoundError`` when the port cannot be opened.
    """

    async def ask() -> tuple[Hello | None, str]:
        transport = identify.opened(port, baud)
        try:
            hello = await identify.identify(transport, running())
            hello.check_version()
        except (BoardNotFoundError, FirmwareMismatchError) as error:
            return None, str(error)
        return hello, ""

    return asyncio.run(ask())


def _image(chip: str) -> str:
    """Return the hash of what `rig board flash` writes, or why there is nothing to write."""
    try:
        image = FirmwareBuilder().image(chip)
    except ConfigError as error:
        return f"unknown: {error}"
    return f"{image_name(chip)}, SHA-256 {image.sha256}"
