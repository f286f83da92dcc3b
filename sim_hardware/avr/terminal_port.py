"""A pseudo-terminal that other programs open as a serial port.

It does not report that a program opens it, but hangs up as long as no program has it open. It knows no speeds.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from sim_hardware.avr.pseudo_port import close_port, is_open_elsewhere, open_port
from sim_hardware.avr.served_port import ServedDevice, ServedPort

POLL_S = 0.01
"""Period of the check whether a program has opened the port."""
READ_BYTES = 4096


class TerminalPort(ServedPort):
    """A pseudo-terminal; under the name ``link``, if there is to be one, it comes back when it has been unplugged."""

    def __init__(self, link: Path | None, device: ServedDevice) -> None:
        self._link = link
        self._device = device
        self._loop = asyncio.get_running_loop()
        self._port: int | None = None
        self._path = Path()
        self._is_open = False
        self._is_reading = False
        self._is_stalled = False

    @property
    def name(self) -> str:
        """Return its link, or the name that the system gave it."""
        return str(self._link or self._path)

    @property
    def is_open(self) -> bool:
        """Whether a program has it open."""
        return self._is_open

    def plug(self) -> None:
        """Open the pseudo-terminal. Raises ``ConfigError``."""
        if self._port is not None:
            return
        self._port, self._path = open_port(self._link)
        self._poll()

    def unplug(self) -> None:
        """Remove it."""
        if self._port is None:
            return
        self._stop_reading()
        close_port(self._port, self._path, self._link)
        self._port, self._is_open = None, False

    def stall(self, stalled: bool) -> None:
        """Stop to read what the program sends, or continue."""
        self._is_stalled = stalled
        if stalled:
            self._stop_reading()

    def _poll(self) -> None:
        if self._port is None:
            return
        if not is_open_elsewhere(self._port):
            self._is_open = False
            self._stop_reading()
        else:
            if not self._is_open:
                self._is_open = True
                self._device.handle_opening()
            if not self._is_reading and not self._is_stalled:
                self._is_reading = True
                self._loop.add_reader(self._port, self._read)
        self._loop.call_later(POLL_S, self._poll)

    def _read(self) -> None:
        if self._port is None:
            return
        try:
            data = os.read(self._port, READ_BYTES)
        except BlockingIOError:  # the program has flushed what it wrote; as a close, this would reset the board
            return
        except OSError:  # it was closed at the other end
            self._is_open = False
            self._stop_reading()
            return
        self._device.handle_bytes(data)

    def write(self, data: bytes) -> None:
        """Send bytes to the program that has it open."""
        # A reply after a close would stay in the pseudo-terminal for the next program, which would take
        # it for its own and the reset that its opening causes for a reset in the middle of its session.
        if self._port is None or not self._is_open:
            return
        try:
            os.write(self._port, data)
        except OSError:  # no program reads, and the buffer is full
            return

    def _stop_reading(self) -> None:
        if self._is_reading and self._port is not None:
            self._loop.remove_reader(self._port)
            self._is_reading = False
