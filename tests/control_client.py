"""A program at the socket of a session that runs in the test's own virtual time: nothing it does waits."""

from __future__ import annotations

import json
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


class ControlClient:
    """A connection that sends bytes, and reads what has come."""

    def __init__(self, path: Path) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.setblocking(False)
        self.received = b""
        self.is_closed = False
        self.socket.connect(os.fspath(path))

    def send(self, raw: bytes) -> None:
        with suppress(BrokenPipeError, BlockingIOError, ConnectionResetError):
            self.socket.send(raw)

    def ask(self, **request: Any) -> None:
        self.send(json.dumps(request).encode() + b"\n")

    @property
    def answers(self) -> list[dict[str, Any]]:
        """The whole answers that have come so far."""
        with suppress(BlockingIOError):
            while more := self.socket.recv(1 << 16):
                self.received += more
            self.is_closed = True
        return [json.loads(line) for line in self.received.splitlines(keepends=True) if line.endswith(b"\n")]

    def close(self) -> None:
        self.socket.close()


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder with a short path, as a socket needs."""
    folder = Path(tempfile.mkdtemp(prefix="rig"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
