"""``rig board list``: the serial ports, what is behind each, and who has it; and boards that are drives."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from rich.padding import Padding
from rich.text import Text

from rig.boards import identify
from rig.boards.boot_drive import BootDrive, boot_drives
from rig.boards.chips import CHIPS
from rig.boards.ports import SerialPort, ports_here
from rig.boards.serial.driver import SerialDriver
from rig.boards.serial.hello import Hello
from rig.cli.terminal.printing import print_json
from rig.core.clock import running
from rig.core.errors import BoardNotFoundError
from rig.system.statuses import OK
from rig.terminal.console import SafeConsole

NONE = "no serial port was found: plug the board in; a cable that only charges shows nothing"


@dataclass(frozen=True)
class PortEntry:
    """A port, and what came of asking it; ``trouble`` is why nothing did."""

    port: SerialPort
    hello: Hello | None = None
    trouble: str | None = None


def run(arguments: argparse.Namespace) -> int:
    """Print ports and drives, and with ``--probe`` the answer of the board on each port."""
    ports, drives = ports_here(), boot_drives()
    baud = arguments.baud or SerialDriver.baud
    listed = asyncio.run(_probe(ports, baud)) if arguments.probe else [PortEntry(port) for port in ports]
    if arguments.json:
        print_json({"ports": [_as_json(one) for one in listed], "drives": [_drive_as_json(drive) for drive in drives]})
    else:
        _print(listed, drives, arguments.probe)
    return OK


async def _probe(ports: Sequence[SerialPort], baud: int) -> list[PortEntry]:
    return list(await asyncio.gather(*(_ask(port, baud) for port in ports)))


async def _ask(port: SerialPort, baud: int) -> PortEntry:
    if port.held_by is not None:
        return PortEntry(port, trouble="not asked: a session may run on it")
    try:
        return PortEntry(port, await identify.identify(identify.opened(port.device, baud), running()))
    except BoardNotFoundError as error:
        return PortEntry(port, trouble=str(error))


def said(hello: Hello) -> str:
    """Return what a board says of itself."""
    board, limits = hello.opened, hello.opened.limits
    return (
        f"board {board.uid} ({board.name}), firmware {board.firmware}, wire version {hello.version}; "
        f"room for {limits.channels} channels, {limits.groups} reflexes, {limits.entries} sequence entries, "
        f"{limits.events} events"
    )


def _print(listed: Sequence[PortEntry], drives: Sequence[BootDrive], probed: bool) -> None:
    console = SafeConsole()
    if not listed and not drives:
        console.print(NONE, soft_wrap=True)
    for one in listed:
        port = one.port
        console.print(Text.assemble((port.device, "bold"), "  ", port.description), soft_wrap=True)
        usb = _usb(port)
        held = port.held_by and f"in use by {port.held_by}"
        for text, style in ((usb, "dim"), (held, "yellow"), (one.hello and said(one.hello), ""), (one.trouble, "red")):
            if text:
                console.print(Padding(Text(text, style), (0, 0, 0, 4), expand=False))
    for drive in drives:
        console.print(Text.assemble((str(drive.path), "bold"), "  ", _state(drive)), soft_wrap=True)
    if listed and not probed:
        console.print(
            "`rig board list --probe` reads each board's id and firmware; this restarts an Arduino.", style="dim"
        )


def _usb(port: SerialPort) -> str | None:
    """Return the USB ids of a port, and the kind of board that they name."""
    if port.usb is None:
        return None
    kind = f" ({CHIPS[port.chip].board})" if port.chip is not None else ""
    return f"USB {port.usb}{kind}" + (f", serial number {port.serial_number}" if port.serial_number else "")


def _state(drive: BootDrive) -> str:
    if not drive.is_pico:
        return f"a board with Board-ID {drive.board_id}, for which there is no firmware"
    return f"a Pico that waits for its firmware: {drive.flash_command}"


def _drive_as_json(drive: BootDrive) -> dict[str, object]:
    return {"drive": str(drive.path), "board_id": drive.board_id, "mounted": drive.is_mounted}


def _as_json(one: PortEntry) -> dict[str, object]:
    port = one.port
    return {
        "port": port.device,
        "description": port.description,
        "usb": port.usb,
        "chip": port.chip,
        "serial_number": port.serial_number,
        "held_by": port.held_by,
        "board": None if one.hello is None else as_json(one.hello),
        "trouble": one.trouble,
    }


def as_json(hello: Hello) -> dict[str, object]:
    """Return what a board says of itself as plain JSON data."""
    board = hello.opened
    known = {"name": board.name, "id": board.uid, "firmware": board.firmware, "wire": hello.version}
    return {**known, "limits": asdict(board.limits)}
