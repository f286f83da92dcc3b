"""Serial ports: their names, their errors and their settings."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import serial

if sys.platform == "win32":
    import ctypes

    EXAMPLE_PORT = "COM3"
    HAS_PSEUDO_TERMINALS = False
    LOOP_WATCHES_PORTS = False
    PORT_ERROR: type[Exception] = OSError

    def set_low_latency(port: serial.Serial) -> None:
        """Return at once: the latency of a port is set in its driver's dialog."""

    def detect_hang_up(descriptor: int) -> None:
        """Return at once: the port is not read by its descriptor."""

    def device_id(path: str) -> str:
        """Raise ``OSError``: files have no numbers of devices."""
        raise OSError(f"{path} has no number")

    def is_removable(drive: str) -> bool:
        """Whether Windows says that a drive can be removed: DRIVE_REMOVABLE of GetDriveTypeW."""
        return bool(ctypes.windll.kernel32.GetDriveTypeW(drive) == 2)
else:
    import termios

    EXAMPLE_PORT = "/dev/ttyACM0"
    HAS_PSEUDO_TERMINALS = True
    """Whether a program can make a port that others open as a serial port."""
    LOOP_WATCHES_PORTS = True
    """Whether an event loop can wait for a serial port."""
    PORT_ERROR: type[Exception] = termios.error
    """What an open raises beside ``OSError`` and ``ValueError``."""

    def set_low_latency(port: serial.Serial) -> None:
        """Set a port to report each byte at once, if its driver supports it."""
        with suppress(ValueError, OSError, NotImplementedError, AttributeError):  # few drivers do
            port.set_low_latency_mode(True)

    def detect_hang_up(descriptor: int) -> None:
        """Set an empty read of a port to mean that it has hung up. Raises ``termios.error``."""
        # pyserial sets VMIN to 0; then an empty read means silence as well as a hang-up. With 1 it means a hang-up.
        settings = termios.tcgetattr(descriptor)
        settings[6][termios.VMIN] = 1
        termios.tcsetattr(descriptor, termios.TCSANOW, settings)

    def device_id(path: str) -> str:
        """Return the file of a port as Linux names it in its list of locks. Raises ``OSError``."""
        # The lock is on the device file: the kernel names its file system (st_dev) and inode, not the device (st_rdev).
        status = os.stat(path)
        return f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"

    def is_removable(drive: str) -> bool:
        """Whether Windows says that a drive can be removed."""
        return False
