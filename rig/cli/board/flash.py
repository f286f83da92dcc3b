"""``rig board flash``: put the rig's firmware on a board."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from rig.boards.chips import AVRS
from rig.boards.firmware import FirmwareBuilder, FirmwareImage, avrdude, given_image
from rig.boards.ports import SerialPort
from rig.cli.board.flash_pico import write_pico
from rig.cli.board.flash_target import FlashTarget, find_target
from rig.core.errors import BoardError, ConfigError
from rig.platform.command_line import command_line
from rig.system.statuses import OK

INSTALL = "sudo apt install avrdude (macOS: brew install avrdude; Windows: it comes with the Arduino program)"


def run(arguments: argparse.Namespace) -> int:
    """Write the firmware, or say how it would be written."""
    builder = FirmwareBuilder()
    target = find_target(arguments.chip, arguments.port, arguments.drive)
    given = arguments.hex
    image = builder.image(target.chip) if given is None else given_image(target.chip, Path(given))
    print(f"firmware   {image.path}, {image.origin}")
    print(f"SHA-256    {image.sha256}")
    if target.chip not in AVRS:
        _flash_pico(image, target, is_ours=given is None, dry_run=arguments.dry_run)
        return OK
    command = avrdude(image, target.name)
    print(f"command    {command_line(command)}", flush=True)
    if arguments.dry_run:
        return OK
    if builder.which("avrdude") is None:
        raise ConfigError(f"avrdude is not installed, which writes to the board: {INSTALL}")
    _run_avrdude(command, target.name)
    _say_done(target.name)
    return OK


def _say_done(port: str) -> None:
    print(f"{port} has the firmware now; `rig board list --probe` shows what it says of itself")


def _flash_pico(image: FirmwareImage, target: FlashTarget, *, is_ours: bool, dry_run: bool) -> None:
    if isinstance(target.at, SerialPort):
        print(f"restart    {target.name} at 1200 baud, then copy to the drive that it becomes", flush=True)
    else:
        print(f"copy to    {target.name}", flush=True)
    if dry_run:
        return
    port = write_pico(image.path.read_bytes(), target.at)
    if port is not None:
        _say_done(port)
    elif is_ours:
        raise BoardError(
            "the Pico is not a drive any more, but no port has come: unplug it, plug it in again, and look for it with "
            "`rig board list`"
        )
    else:
        print("the Pico has the file now; no port has come, so its program does not use USB")


def _run_avrdude(command: list[str], port: str) -> None:
    try:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False).returncode
    except OSError as error:
        raise ConfigError(f"avrdude cannot be run: {error.strerror}") from None
    if status != 0:
        raise BoardError(
            f"avrdude has failed (status {status}): is it the right --chip, and is {port} the right port? "
            "`rig board check` looks at the port"
        )
