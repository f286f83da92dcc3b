"""Restart the Pico at a port as the drive that takes firmware. `rig.boards.boot_drive` finds that drive."""

from __future__ import annotations

from contextlib import suppress

from rig.boards.baud import TOUCH_BAUD
from rig.boards.serial.driver import explain
from rig.boards.serial.transport import open_port
from rig.core.errors import BoardNotFoundError


def restart_as_drive(port: str) -> None:
    """Open a port at 1,200 baud and close it: then the firmware of a Pico restarts as a drive.

    Raises ``BoardNotFoundError``.
    """
    try:
        touched = open_port(port, TOUCH_BAUD)
    except (OSError, ValueError) as error:
        raise BoardNotFoundError(explain(port, error)) from error
    # The port may be gone at once.
    with suppress(OSError):
        touched.dtr = False
    with suppress(OSError):
        touched.close()
