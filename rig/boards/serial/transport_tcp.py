"""A TCP port that stands for a serial port, such as that of ``rig board serve --tcp``.

asyncio reads and writes it, on every system. pyserial's handler of the same URLs is not used: its ``close`` sleeps for
0.3 s, and it leaves small frames to wait for the acknowledgement of the one before, which takes up to 40 ms.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable

from rig.boards.serial.transport import MOST_UNSENT_BYTES, OpenedTransport
from rig.core.errors import BoardNotFoundError
from rig.system.tcp_address import TcpAddress

CONNECT_S = 2.0
"""The longest wait for a computer; the port of this one answers at once."""
HUNG_UP = "has hung up before the board answered: does another program have it open?"


def connect(address: TcpAddress) -> socket.socket:
    """Open a connection. Raises ``BoardNotFoundError`` with a fix."""
    try:
        connection = socket.create_connection((address.host, address.port), timeout=CONNECT_S)
    except OSError as error:
        raise BoardNotFoundError(f"{address}: {_explain(address, error)}") from error
    try:
        # A free port of this computer can be given to our own end: then the connection is to itself.
        if connection.getsockname() == connection.getpeername():
            raise ConnectionRefusedError
        # A small frame must not wait for the acknowledgement of the one before.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except ConnectionRefusedError as error:
        connection.close()
        raise BoardNotFoundError(f"{address}: {_explain(address, error)}") from None
    except OSError as error:  # the other end has already hung up
        connection.close()
        raise BoardNotFoundError(f"{address}: {HUNG_UP}") from error
    return connection


def _explain(address: TcpAddress, error: OSError) -> str:
    if isinstance(error, ConnectionRefusedError):
        return f"no program listens there: start one, such as `rig board serve RIG --tcp {address.port}`"
    if isinstance(error, socket.gaierror):
        return f"no computer has the name {address.host}"
    if isinstance(error, TimeoutError) or error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH):
        return "no computer answers there: is it on, and does its firewall let this port through?"
    return f"cannot be opened: {error.strerror or error}"


class SocketTransport(OpenedTransport):
    """An open connection to a TCP port. To open it may have reset the board behind it."""

    def __init__(self, address: TcpAddress) -> None:
        self._socket = connect(address)
        super().__init__(str(address), may_reset=True)
        self._connection: _Connection | None = None
        self._starting: asyncio.Task[object] | None = None

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver bytes, on the running loop."""
        loop = asyncio.get_running_loop()
        self._connection = connection = _Connection(self._path, on_bytes, on_lost)
        self._starting = loop.create_task(loop.create_connection(lambda: connection, sock=self._socket))
        self._starting.add_done_callback(self._has_started)

    def _has_started(self, starting: asyncio.Task[object]) -> None:
        if starting.cancelled() or starting.exception() is not None:
            self._socket.close()

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if self._connection is not None:
            self._connection.send(data)

    def close(self) -> None:
        """Close the connection at once; bytes that it has accepted are still sent."""
        if self._connection is None:
            self._socket.close()
        else:
            self._connection.close()


class _Connection(asyncio.Protocol):
    """The board's end of a connection, as asyncio reports it."""

    def __init__(self, path: str, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._path = path
        self._on_bytes = on_bytes
        self._on_lost = on_lost
        self._transport: asyncio.Transport | None = None
        self._early = b""
        self._has_received = False
        self._is_over = False
        self._losing: asyncio.Handle | None = None

    def send(self, data: bytes) -> None:
        """Send bytes, or queue them until the connection is ready."""
        if self._is_over:
            return
        if self._transport is None:
            self._early += data
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > MOST_UNSENT_BYTES:
            self._lose("takes nothing any more")

    def close(self) -> None:
        """Close the connection, and report nothing more."""
        self._end()
        if self._losing is not None:
            self._losing.cancel()

    def _end(self) -> None:
        self._is_over = True
        if self._transport is not None:
            # Not close(), which waits for a board that takes nothing any more.
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Handle that the connection is ready."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(f"{transport!r} is no connection of bytes")
        self._transport = transport
        if self._is_over:
            transport.abort()
        else:
            self.send(self._early)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes."""
        self._has_received = True
        if not self._is_over:
            self._on_bytes(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection."""
        if not self._has_received:
            self._lose(HUNG_UP)
        elif exc is not None:
            self._lose(f"is gone ({getattr(exc, 'strerror', None) or exc}): was the cable pulled?")
        else:
            self._lose("has hung up: was the cable pulled, or has the program that serves it ended?")

    def _lose(self, why: str) -> None:
        if not self._is_over:
            self._end()
            # Not at once: `write` may be called by a task, which must not be interrupted between two orders.
            self._losing = asyncio.get_running_loop().call_soon(self._on_lost, f"{self._path} {why}")
