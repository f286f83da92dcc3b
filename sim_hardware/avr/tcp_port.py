"""A TCP port that other programs open as a serial port, by its URL."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

from rig.core.errors import ConfigError
from rig.system.tcp_address import TcpAddress
from sim_hardware.avr.served_port import ServedDevice, ServedPort

SILENT_S = 10.0
"""Silence after which the next program may have the port: no lease is longer, so that no session runs."""
MOST_UNREAD_BYTES = 4096
"""As much as a pseudo-terminal keeps for a program that does not read."""
MOST_WAITING = 8
"""Connections that are accepted at once: a select() has room for few."""


class TcpPort(ServedPort):
    """A port for one program at a time: the next one is hung up on, unless the one before has gone silent.

    The programs on the computers that the address can be reached from may open it.
    """

    def __init__(self, address: TcpAddress, device: ServedDevice) -> None:
        self._address = address
        self._device = device
        self._loop = asyncio.get_running_loop()
        self._listener: socket.socket | None = None
        self._listening: asyncio.Task[asyncio.Server] | None = None
        self._program: _Program | None = None
        self.is_stalled = False

    @property
    def name(self) -> str:
        """Return its URL."""
        return str(self._address)

    @property
    def is_open(self) -> bool:
        """Whether a program has it open."""
        return self._program is not None

    def plug(self) -> None:
        """Start to listen. Raises ``ConfigError``."""
        if self._listener is not None:
            return
        host, port = self._address.host, self._address.port
        try:
            self._listener = socket.create_server((host, port), family=_family(host), backlog=MOST_WAITING)
        except OSError as error:
            raise ConfigError(
                f"TCP port {port} of {host}: cannot be served: {error.strerror or error}: give another one"
            ) from None
        # Once it has a number it keeps it, also after its cable was out.
        self._address = replace(self._address, port=self._listener.getsockname()[1])
        self._listening = self._loop.create_task(
            self._loop.create_server(lambda: _Program(self), sock=self._listener, backlog=MOST_WAITING)
        )

    def unplug(self) -> None:
        """Stop to listen, and hang up."""
        if self._listener is None or self._listening is None:
            return
        if self._listening.done():
            self._listening.result().close()
        self._listening.cancel()
        self._listener.close()
        self._listener = None
        self._hang_up()

    def write(self, data: bytes) -> None:
        """Send bytes to the program that has it open."""
        if self._program is not None:
            self._program.send(data)

    def stall(self, stalled: bool) -> None:
        """Stop to read what the program sends, or continue."""
        self.is_stalled = stalled
        if self._program is not None:
            self._program.stall(stalled)

    # --- what its programs do -----------------------------------------------------------------------------------

    def take(self, program: _Program) -> bool:
        """Return whether a program gets the port."""
        now_s = self._loop.time()
        if self._listener is None or (self._program is not None and now_s < self._program.heard_at_s + SILENT_S):
            return False
        self._hang_up()
        self._program = program
        self._device.handle_opening()
        return True

    def receive(self, program: _Program, data: bytes) -> None:
        """Handle bytes of a program."""
        if program is self._program:
            self._device.handle_bytes(data)

    def release(self, program: _Program) -> None:
        """Handle that a program has gone."""
        if program is self._program:
            self._program = None

    def _hang_up(self) -> None:
        if self._program is not None:
            self._program.hang_up()
            self._program = None


class _Program(asyncio.Protocol):
    """A program that has opened the port."""

    def __init__(self, port: TcpPort) -> None:
        self._port = port
        self._transport: asyncio.Transport | None = None
        self.heard_at_s = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Handle that it has opened the port: hang up if another program has it."""
        if not isinstance(transport, asyncio.Transport):
            raise TypeError(f"{transport!r} is no connection of bytes")
        self._transport = transport
        # asyncio does it for sockets of its own alone. Without it every second frame waits for 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._note_time()
        if not self._port.take(self):
            transport.close()
        elif self._port.is_stalled:
            self.stall(True)

    def data_received(self, data: bytes) -> None:
        """Handle its bytes."""
        self._note_time()
        self._port.receive(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle that it has closed the port, or has died."""
        self._port.release(self)

    def _note_time(self) -> None:
        self.heard_at_s = asyncio.get_running_loop().time()

    def send(self, data: bytes) -> None:
        """Send it bytes, unless those before wait for it to read."""
        if self._transport is not None and self._transport.get_write_buffer_size() < MOST_UNREAD_BYTES:
            self._transport.write(data)

    def stall(self, stalled: bool) -> None:
        """Stop to read what it sends, or continue."""
        if self._transport is not None and self._transport.is_reading() is stalled:
            (self._transport.pause_reading if stalled else self._transport.resume_reading)()

    def hang_up(self) -> None:
        """Close its connection at once."""
        if self._transport is not None:
            self._transport.abort()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
