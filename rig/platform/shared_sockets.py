"""Hand a socket to a program that is started: Windows shares it with one that runs already, POSIX with a new one."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Sequence

if sys.platform == "win32":
    from rig.platform.processes import OWN_GROUP, python_environment

    INHERITS_SOCKETS = False

    def start_with_socket(command: Sequence[str], end: socket.socket) -> tuple[subprocess.Popen[bytes], str]:
        """Start a program of `PYTHON` with a pipe as its input; return it, and the text that opens the socket in it.

        It is in a group of its own: the Ctrl-Break that stops a session must not end it before the session does.
        """
        process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, env=python_environment(), creationflags=OWN_GROUP
        )
        return process, end.share(process.pid).hex()

    def open_shared(text: str) -> socket.socket:
        """Return the socket that the text of `start_with_socket` names."""
        return socket.fromshare(bytes.fromhex(text))
else:
    INHERITS_SOCKETS = True
    """Whether a new program gets the open sockets of the one that starts it."""

    def start_with_socket(command: Sequence[str], end: socket.socket) -> tuple[subprocess.Popen[bytes], str]:
        """Start a program of `PYTHON` with a pipe as its input; return it, and the text that opens the socket in it."""
        number = end.fileno()
        return subprocess.Popen(list(command), stdin=subprocess.PIPE, pass_fds=[number]), str(number)

    def open_shared(text: str) -> socket.socket:
        """Return the socket that the text of `start_with_socket` names."""
        return socket.socket(fileno=int(text))
