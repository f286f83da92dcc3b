"""``driver: serial``: a board on a port of this computer."""

from __future__ import annotations

import asyncio
import errno
import secrets
from typing import ClassVar

from serial.tools import list_ports

from rig.boards.driver_lookup import Connection, Driver, real_time_loop
from rig.boards.ports import find_port, holder, listed
from rig.boards.serial.board import SerialBoard
from rig.boards.serial.transport import open_transport
from rig.boards.serial.transport_tcp import SocketTransport
from rig.boards.transport import Transport
from rig.core.clock import running
from rig.core.engine.inbox import Inbox
from rig.core.errors import BoardNotFoundError
from rig.core.model.board import Board
from rig.core.model.rig_spec import RigSpec, SimulationOptions
from rig.system.tcp_address import is_url, parse_url

# EAGAIN is the error of flock, with which pyserial makes a port exclusive.
_BUSY = (errno.EBUSY, errno.EAGAIN, errno.EWOULDBLOCK)
_DENIED = (errno.EACCES, errno.EPERM)
_MISSING = (errno.ENOENT, errno.ENODEV, errno.ENXIO)


class SerialDriver(Driver):
    """Opens real ports."""

    has_panic_input = True
    max_sources: ClassVar[int | None] = None
    can_reconnect = True

    def loop(self, speed: float | None) -> asyncio.AbstractEventLoop:
        """Build a standard event loop, in real time."""
        return real_time_loop(speed)

    def connect(self, plan: RigSpec, options: SimulationOptions) -> Connection:
        """Open the port in the rig file, or the only likely one."""
        port = plan.board.port or find_port(plan.board, list_ports.comports())
        return Connection(opened(port, plan.board.baud))

    def reconnect(self, connection: Connection, plan: RigSpec) -> Connection:
        """Open the port again; after the cable was out it may have another name."""
        return self.connect(plan, SimulationOptions())

    def board(self, connection: Connection, plan: RigSpec, inbox: Inbox, seed: int) -> Board:
        """Build the board; a 16-bit random nonce distinguishes its OPEN from an earlier session's."""
        # Not from the session's seed: on the nonce of its last OPEN a board begins no new session.
        return SerialBoard(connection.transport, running(), inbox, plan.board.uid, nonce=secrets.randbits(16))


def opened(port: str, baud: int) -> Transport:
    """Open a serial port, or a TCP port by its URL. Raises ``BoardNotFoundError`` with a fix, and ``ConfigError``."""
    if is_url(port):
        return SocketTransport(parse_url(port))
    try:
        return open_transport(port, baud)
    except (OSError, ValueError) as error:
        raise BoardNotFoundError(explain(port, error)) from error


def explain(port: str, error: Exception) -> str:
    """Return why a port cannot be opened, with a fix."""
    number = error.errno if isinstance(error, OSError) else None
    text = str(error)
    # On Windows pyserial's exception has no errno; only its text names the system's error.
    if number in _MISSING or "FileNotFoundError" in text:
        here = listed(list_ports.comports()) or "none"
        return f"{port}: there is no such port: is the board plugged in? Ports here: {here}"
    if number in _BUSY or "PermissionError" in text:  # Windows reports a port in use as permission denied
        by = holder(port) or "another program or another session"
        return f"{port}: is busy: {by} has it; close that one first, or wait for its end"
    if number in _DENIED:
        return (
            f"{port}: permission denied: add yourself to the group dialout "
            "(`sudo usermod -a -G dialout $USER`), then log in again"
        )
    return f"{port}: cannot be opened as a serial port: {text}"
