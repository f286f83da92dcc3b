"""Write firmware to a Pico: copy it to its drive, and wait until the Pico is back at a port."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from rig.boards.boot_drive import HOLD_BOOTSEL, BootDrive, boot_drives
from rig.boards.chips import chip_by_usb
from rig.boards.driver_lookup import real_time_loop
from rig.boards.ports import SerialPort, ports_here
from rig.boards.serial.touch import restart_as_drive
from rig.cli.board.flash_target import DRIVE_CHIP, not_mounted
from rig.core.errors import BoardError, NotReadyError

DRIVE_S, TAKEN_S, BACK_S = 20.0, 20.0, 10.0
"""How long the drive may take to come, and to go, and the port to come."""
LOOK_S = 0.1
SETTLE_S = 1.0
"""The system sets the permissions of a port some time after it is listed."""

T = TypeVar("T")


def write_pico(data: bytes, at: SerialPort | BootDrive) -> str | None:
    """Write a UF2 file to a Pico; return the port at which it is back, None if no port has come.

    Raises ``BoardError``.
    """
    with asyncio.Runner(loop_factory=lambda: real_time_loop(None)) as runner:
        return runner.run(_write(data, at))


async def _write(data: bytes, at: SerialPort | BootDrive) -> str | None:
    drive = at if isinstance(at, BootDrive) else await _restarted(at)
    others = _picos()
    copy_error = drive.write(data)
    # A drive that was mounted by hand may stay in the system's list; then the port shows that the Pico has started.
    if not await _until(lambda: _picos() - others or drive not in boot_drives(), TAKEN_S):
        raise BoardError(f"{drive.path} is still there: the Pico has not taken the firmware; {HOLD_BOOTSEL}")
    back = await _until(lambda: _picos() - others, BACK_S)
    if not back and drive in boot_drives():
        raise BoardError(
            f"{drive.path} is there again: the Pico has not started the program; is the file for a Pico? If it is, "
            f"{HOLD_BOOTSEL}"
        )
    if copy_error is not None:
        raise BoardError(
            f"the copy ended with an error ({copy_error.strerror}): it may still be the old program, which `rig board "
            f"list --probe` shows; to be sure, {HOLD_BOOTSEL}"
        )
    await asyncio.sleep(SETTLE_S)
    return min(back, default=None)


async def _restarted(port: SerialPort) -> BootDrive:
    """Return the drive that the Pico at a port becomes after a restart. Raises ``BoardError`` or ``NotReadyError``."""
    others = _drives()
    restart_as_drive(port.device)
    print(f"waiting until {port.device} is a drive", flush=True)
    new = await _until(lambda: _drives() - others, DRIVE_S)
    if new:
        return min(new, key=lambda drive: drive.path)
    for drive in boot_drives():
        if not drive.is_mounted:
            raise NotReadyError(not_mounted(drive))
    raise BoardError(f"{port.device}: the Pico has not become a drive within {DRIVE_S:g} s: {HOLD_BOOTSEL}")


def _drives() -> set[BootDrive]:
    return {drive for drive in boot_drives() if drive.is_pico and drive.is_mounted}


def _picos() -> set[str]:
    return {port.device for port in ports_here() if chip_by_usb(port.usb) == DRIVE_CHIP}


async def _until(look: Callable[[], T], within_s: float) -> T:
    """Return the first result of ``look`` that is true, or the last one."""
    for _ in range(round(within_s / LOOK_S)):
        if found := look():
            return found
        await asyncio.sleep(LOOK_S)
    return look()
