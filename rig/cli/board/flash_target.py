"""Which board `rig board flash` writes to: the one that is named, or the only one that it can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rig.boards.boot_drive import HOLD_BOOTSEL, INFO, PICO, BootDrive, boot_drives, drive_at
from rig.boards.chips import CHIPS, chip_by_usb
from rig.boards.ports import SerialPort, holder, is_same_port, is_there, ports_here
from rig.core.errors import BoardNotFoundError, ConfigError, NotReadyError
from rig.system.tcp_address import is_url

DRIVE_CHIP = "pico"
"""The chip whose boards are a drive while they wait for their firmware."""


@dataclass(frozen=True)
class FlashTarget:
    """A board, and where it is: at a port, or as a drive."""

    chip: str
    at: SerialPort | BootDrive

    @property
    def name(self) -> str:
        """Return the name of the port, or of the folder of the drive."""
        return self.at.device if isinstance(self.at, SerialPort) else str(self.at.path)


def find_target(chip: str | None, port: str | None, drive: str | None) -> FlashTarget:
    """Return the board of a ``chip``, at a ``port`` or as a ``drive``; each may be None.

    Raises ``BoardNotFoundError``, ``NotReadyError`` or ``ConfigError``.
    """
    if port is not None and drive is not None:
        raise ConfigError("--port and --drive: a board is at one of them: give one")
    if port is not None and is_url(port):
        raise ConfigError(f"{port}: firmware is written at a serial port, or to the drive of a Pico")
    if drive is not None:
        return _as_drive(_named_drive(Path(drive)), chip)
    at = _named_port(port, chip) if port is not None else _only_one(chip)
    return _as_drive(at, chip) if isinstance(at, BootDrive) else _at_port(at, chip)


def _named_drive(folder: Path) -> BootDrive:
    drive = drive_at(folder)
    if drive is None:
        raise ConfigError(f"--drive {folder}: has no file {INFO}, so it is not the drive of a Pico: {HOLD_BOOTSEL}")
    return drive


def _named_port(name: str, chip: str | None) -> SerialPort | BootDrive:
    waiting = [drive for drive in boot_drives() if drive.is_pico] if chip in (None, DRIVE_CHIP) else []
    ports = ports_here()
    # The port of a Pico goes when it becomes a drive, and messages ask for the same line again.
    if waiting and not is_there(name, ports):
        return _single(waiting)
    unlisted = SerialPort(name, "", held_by=holder(name))
    return next((port for port in ports if is_same_port(port.device, name)), unlisted)


def _only_one(chip: str | None) -> SerialPort | BootDrive:
    """Return the only board that can be meant. Raises ``BoardNotFoundError``."""
    drives = [] if chip not in (None, DRIVE_CHIP) else boot_drives()
    ports = [port for port in ports_here() if port.may_be_board and _may_have(port, chip)]
    likely: Sequence[SerialPort | BootDrive] = [*ports, *drives]
    if chip == DRIVE_CHIP:
        # A Pico that is a drive waits to be written, whatever runs on another one.
        likely = [drive for drive in drives if drive.is_pico] or ports or drives
    if likely:
        board = _single(likely)
        if isinstance(board, SerialPort) and board.chip != chip_by_usb(board.usb):
            raise BoardNotFoundError(
                f"{board.device} ({board.description}) may be a Pico with another program, which the firmware would "
                f"overwrite: if you want that, give --port {board.device}"
            )
        return board
    if chip == DRIVE_CHIP:
        raise BoardNotFoundError(f"no Pico was found: {HOLD_BOOTSEL}")
    raise BoardNotFoundError(
        "no USB serial port was found: plug the board in, or give --port. A new Pico is a drive: plug it in with "
        "BOOTSEL held"
    )


def _single(likely: Sequence[SerialPort | BootDrive]) -> SerialPort | BootDrive:
    if len(likely) == 1:
        return likely[0]
    names = ", ".join(FlashTarget("", at).name for at in likely)
    raise BoardNotFoundError(f"which board? Give --port or --drive; boards may be at {names}")


def _may_have(port: SerialPort, chip: str | None) -> bool:
    known = chip_by_usb(port.usb)
    # A board that no USB chip identifies may be the copy of an Arduino, but no Pico with our firmware.
    return chip is None or known == chip or (known is None and chip != DRIVE_CHIP)


def _as_drive(drive: BootDrive, chip: str | None) -> FlashTarget:
    if chip not in (None, DRIVE_CHIP):
        raise ConfigError(f"--chip {chip}: {drive.path} is the drive of a Pico; an {CHIPS[chip].board} is at a port")
    if not drive.is_pico:
        raise ConfigError(
            f"{drive.path} is a board of another kind (Board-ID {drive.board_id}; that of a Pico is {PICO}): there is "
            "no firmware for it"
        )
    if not drive.is_mounted:
        raise NotReadyError(not_mounted(drive))
    return FlashTarget(DRIVE_CHIP, drive)


def not_mounted(drive: BootDrive) -> str:
    """Return what is wrong with a drive that Linux has not mounted, and the command that mounts it."""
    return f"a Pico waits for its firmware, but its drive is not mounted: {drive.mount_command}"


def _at_port(port: SerialPort, chip: str | None) -> FlashTarget:
    if port.held_by is not None:
        raise NotReadyError(f"{port.device} is in use by {port.held_by}: wait for its end, or close that program")
    known = chip_by_usb(port.usb)
    if known is not None and chip not in (None, known):
        raise ConfigError(f"--chip {chip}: {port.device} is another kind: {CHIPS[known].board} (--chip {known})")
    if (chip := known or chip) is None:
        raise ConfigError(f"which board is on {port.device}? Give --chip {' or --chip '.join(CHIPS)}")
    return FlashTarget(chip, port)
