"""A serial port. pyserial opens and configures it; the event loop reads and writes its descriptor, without a thread.

Of the measured alternatives this is the fastest, with the least jitter. A Windows event loop cannot wait for a serial
port; there pyserial-asyncio-fast polls it every 0.5 ms.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from importlib import import_module

import serial

from rig.boards.ports import may_reset_board
from rig.boards.transport import QUIET_S, Transport
from rig.platform.ports import LOOP_WATCHES_PORTS, PORT_ERROR, detect_hang_up, set_low_latency

READ_BYTES = 4096
MOST_UNSENT_BYTES = 4096
"""The protocol has at most 48 bytes of batches in flight; a larger backlog means that the port is stuck."""


def open_port(path: str, baud: int) -> serial.Serial:
    """Open a port exclusively, raw, 8N1. Raises ``OSError`` or ``ValueError``."""
    try:
        # pyserial's lock stops only other exclusive opens, so each part of this program opens ports here.
        port = serial.Serial(path, baud, timeout=0, write_timeout=0, exclusive=True)
    except PORT_ERROR as error:
        raise OSError(*error.args) from error
    set_low_latency(port)
    return port


def open_transport(path: str, baud: int) -> Transport:
    """Open the transport for this system. Raises ``OSError`` or ``ValueError``."""
    return SerialTransport(path, baud) if LOOP_WATCHES_PORTS else PolledTransport(path, baud)


class OpenedTransport(Transport):
    """A port that has just been opened, which may have reset its board."""

    def __init__(self, path: str, *, may_reset: bool) -> None:
        self._path = path
        self._quiet_s = QUIET_S if may_reset else 0.0
        self._opened_at = time.monotonic()

    @property
    def quiet_s(self) -> float:
        """Return the rest of the time in which a bootloader may listen: a camera may have been opened meanwhile."""
        return max(0.0, self._quiet_s - (time.monotonic() - self._opened_at))


class PortTransport(OpenedTransport):
    """An open serial port."""

    def __init__(self, path: str, baud: int) -> None:
        may_reset = may_reset_board(path)
        self._port = open_port(path, baud)
        super().__init__(path, may_reset=may_reset)


class SerialTransport(PortTransport):
    """An open port whose descriptor the loop watches."""

    def __init__(self, path: str, baud: int) -> None:
        super().__init__(path, baud)
        self._fd: int = self._port.fileno()
        detect_hang_up(self._fd)
        self._unsent = bytearray()
        self._closed = False
        self._losing: asyncio.Handle | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._on_bytes: Callable[[bytes], None] = lambda data: None
        self._on_lost: Callable[[str], None] = lambda why: None

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver bytes, on the running loop."""
        self._on_bytes, self._on_lost = on_bytes, on_lost
        self._loop = asyncio.get_running_loop()
        if not self._closed:
            self._loop.add_reader(self._fd, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._fd, READ_BYTES)
        # A wake-up without data is neither data nor a hang-up.
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._fail(f"{self._path} is gone ({error.strerror}): was the cable pulled?")
            return
        if data:
            self._on_bytes(data)
        else:
            self._fail(f"{self._path} has hung up: was the cable pulled?")

    # --- out ------------------------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        """Send bytes; queue what the port does not accept at once."""
        if self._closed:
            return
        # Behind the bytes that wait: a frame that overtakes them would cut another one in two.
        sent = 0 if self._unsent else self._push(data)
        if sent == len(data):
            return
        self._unsent += data[sent:]
        if self._loop is not None and not self._closed:
            self._loop.add_writer(self._fd, self._write_on)
        if len(self._unsent) > MOST_UNSENT_BYTES:
            self._fail(f"{self._path} takes nothing any more: {len(self._unsent)} bytes wait to be sent")

    def _push(self, data: bytes | bytearray) -> int:
        try:
            return os.write(self._fd, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            self._fail(f"{self._path} is gone ({error.strerror}): was the cable pulled?")
            # As if sent: for a port that is gone nothing may be queued.
            return len(data)

    def _write_on(self) -> None:
        del self._unsent[: self._push(self._unsent)]
        if not self._unsent and self._loop is not None and not self._closed:
            self._loop.remove_writer(self._fd)

    # --- the end --------------------------------------------------------------------------------------------

    def _fail(self, why: str) -> None:
        if not self._closed and self._loop is not None:
            self._let_go()
            # Not at once: `write` may be called by a task, which must not be interrupted between two orders.
            self._losing = self._loop.call_soon(self._on_lost, why)

    def close(self) -> None:
        """Close the port at once; bytes that it has accepted are still sent."""
        self._let_go()
        if self._losing is not None:
            self._losing.cancel()

    def _let_go(self) -> None:
        if self._closed:
            return
        self._closed = True
        if self._loop is not None and not self._loop.is_closed():
            self._loop.remove_reader(self._fd)
            self._loop.remove_writer(self._fd)
        if self._owes():
            # close() of a stuck port can block for 30 s, which would stall the loop.
            threading.Thread(target=self._port.close, name=f"closing {self._path}", daemon=True).start()
        else:
            self._port.close()

    def _owes(self) -> bool:
        if self._unsent:
            return True
        try:
            return bool(self._port.out_waiting)
        except OSError:
            return False


class PolledTransport(PortTransport):
    """An open port on Windows."""

    def __init__(self, path: str, baud: int) -> None:
        super().__init__(path, baud)
        self._transport: asyncio.Transport | None = None

    def start(self, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        """Start to deliver bytes, on the running loop."""
        # Installed on Windows only, so this module cannot import it at its top.
        fast = import_module("serial_asyncio_fast")
        receiver = _Receiver(self._path, on_bytes, on_lost)
        self._transport = fast.SerialTransport(asyncio.get_running_loop(), receiver, self._port)

    def write(self, data: bytes) -> None:
        """Send bytes."""
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """Close the port; another thread sends its remaining bytes."""
        if self._transport is None:
            self._port.close()
        else:
            self._transport.close()


class _Receiver(asyncio.Protocol):
    """Callbacks for pyserial-asyncio-fast."""

    def __init__(self, path: str, on_bytes: Callable[[bytes], None], on_lost: Callable[[str], None]) -> None:
        self._path = path
        self._on_bytes = on_bytes
        self._on_lost = on_lost

    def data_received(self, data: bytes) -> None:
        """Handle received bytes."""
        self._on_bytes(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle the end of the connection: report a lost port, unless it was closed on purpose."""
        if exc is not None:
            self._on_lost(f"{self._path} is gone ({exc}): was the cable pulled?")
