"""The window's end of the socket to the session."""

from __future__ import annotations

import socket
from collections.abc import Callable

from rig.screen import messages


class SessionSocket:
    """The window's end of the socket; a broken socket ends the process."""

    def __init__(self, end: socket.socket, lost: Callable[[], object]) -> None:
        self._end = end
        self._lost = lost
        self._lines = messages.MessageReader()

    def send(self, kind: str, **fields: object) -> None:
        """Send a message to the session."""
        try:
            self._end.sendall(messages.line(kind, **fields))
        except OSError:
            self._lost()

    def receive(self) -> list[messages.Message]:
        """Return received messages; a closed socket ends the window."""
        try:
            data = self._end.recv(1 << 20)
        except OSError:
            data = b""
        if not data:
            self._lost()
        return list(self._lines.feed(data))
