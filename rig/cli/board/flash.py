"""``rig board flash``: put the rig's firmware on a board."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

from rig.boards.chips import AVRS, chip_by_usb
from rig.boards.firmware import FirmwareBuilder, FirmwareImage, avrdude
from rig.boards.ports import SerialPort, holder, ports_here
from rig.core.errors import BoardError, BoardNotFoundError, ConfigError, NotReadyError
from rig.system.statuses import OK

INSTALL = "sudo apt install avrdude (macOS: brew install avrdude; Windows: it comes with the Arduino program)"


def run(arguments: argparse.Namespace) -> int:
    """Write the firmware, or say how it would be written."""
    builder = FirmwareBuilder()
    port = _port(arguments.port)
    chip = arguments.chip or _chip(port)
    image = builder.image(chip) if arguments.hex is None else _given(chip, Path(arguments.hex))
    command = avrdude(image, port.device)
    print(f"firmware   {image.path}, {image.origin}")
    print(f"SHA-256    {image.sha256}")
    print(f"command    {shlex.join(command)}", flush=True)
    if arguments.dry_run:
        return OK
    if builder.which("avrdude") is None:
        raise ConfigError(f"avrdude is not installed, which writes to the board: {INSTALL}")
    _write(command, port.device)
    print(f"{port.device} has the firmware now; `rig board list --probe` shows what it says of itself")
    return OK


def _port(name: str | None) -> SerialPort:
    """Return the port, which no other process may have open. Raises ``BoardNotFoundError`` or ``NotReadyError``."""
    here = ports_here()
    if name is None:
        likely = [port for port in here if port.may_be_board]
        if len(likely) != 1:
            if not likely:
                raise BoardNotFoundError("no USB serial port was found: plug the board in, or give --port")
            listed = ", ".join(port.device for port in likely)
            raise BoardNotFoundError(f"which port? Give --port; ports that a board may be on: {listed}")
        found = likely[0]
    else:
        found = next((port for port in here if port.device == name), SerialPort(name, "", held_by=holder(name)))
    if found.held_by is not None:
        raise NotReadyError(f"{found.device} is in use by {found.held_by}: wait for its end, or close that program")
    return found


def _chip(port: SerialPort) -> str:
    chip = chip_by_usb(port.usb)
    if chip is None:
        raise ConfigError(f"which board is on {port.device}? Give --chip {' or --chip '.join(AVRS)}")
    return chip


def _given(chip: str, path: Path) -> FirmwareImage:
    if not path.is_file():
        raise ConfigError(f"--hex {path}: there is no such file")
    return FirmwareImage(chip, path, "given by you")


def _write(command: list[str], port: str) -> None:
    try:
        status = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr.fileno(), check=False).returncode
    except OSError as error:
        raise ConfigError(f"avrdude cannot be run: {error.strerror}") from None
    if status != 0:
        raise BoardError(
            f"avrdude has failed (status {status}): is it the right --chip, and is {port} the right port? "
            "`rig board check` looks at the port"
        )
