"""A program at the socket of a session that runs in the test's own virtual time: nothing it does waits."""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

from rig.core.clock import in_background, running
from rig.session.run.control_server import POLL_S
from rig.system.carriers import CARRIER, FILE_SUFFIX, LOOPBACK, read_port
from rig.system.handshake import GREETING_BYTES, PROOF_BYTES, ClientHandshake


def handshake_s() -> float:
    """How much longer the first answer takes: the server accepts in one step, and reads the proof in the next."""
    return 2 * POLL_S if os.environ.get(CARRIER) == "tcp" else 0.0


class ControlClient:
    """A connection that sends bytes, and reads what has come; at a port it first passes the handshake by itself."""

    def __init__(self, path: Path) -> None:
        is_file = path.suffix == FILE_SUFFIX
        self.socket = socket.socket(socket.AF_UNIX if is_file else socket.AF_INET, socket.SOCK_STREAM)
        self.received = b""
        self.is_closed = False
        self._is_trusted = is_file
        self._unsent = b""
        self._handshake: ClientHandshake | None = None
        if is_file:
            self.socket.setblocking(False)
            self.socket.connect(os.fspath(path))
        else:
            port, self._secret = read_port(path)
            self.socket.settimeout(1)  # the system itself answers, or its queue is full
            try:
                self.socket.connect((LOOPBACK, port))
            except TimeoutError:
                self.socket.close()
                raise BlockingIOError from None
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.socket.setblocking(False)
            self._shake_hands()

    def _shake_hands(self) -> None:
        if self.socket.fileno() < 0:
            return
        self._read()
        if self._handshake is None and len(self.received) == GREETING_BYTES:
            self._handshake = ClientHandshake(self._secret, self.received)
            self._send(self._handshake.response)
            self.received = b""
        elif self._handshake is not None and len(self.received) >= PROOF_BYTES:
            self._handshake.check(self.received[:PROOF_BYTES])
            self.received = self.received[PROOF_BYTES:]
            self._is_trusted = True
            self._send(self._unsent)
            return
        if not self.is_closed:
            in_background(running())(POLL_S / 10, self._shake_hands)

    def send(self, raw: bytes) -> None:
        if self._is_trusted:
            self._send(raw)
        else:
            self._unsent += raw

    def _send(self, raw: bytes) -> None:
        with suppress(BrokenPipeError, BlockingIOError, ConnectionResetError):
            self.socket.send(raw)

    def ask(self, **request: Any) -> None:
        self.send(json.dumps(request).encode() + b"\n")

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The whole answers that have come so far."""
        self._read()
        if not self._is_trusted:
            return []
        return [json.loads(line) for line in self.received.splitlines(keepends=True) if line.endswith(b"\n")]

    def _read(self) -> None:
        try:
            while more := self.socket.recv(1 << 16):
                self.received += more
            self.is_closed = True
        except BlockingIOError:
            pass
        except ConnectionResetError:  # TCP says so where the other end has not read all
            self.is_closed = True

    def close(self) -> None:
        self.socket.close()
