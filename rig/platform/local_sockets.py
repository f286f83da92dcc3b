"""Sockets that are files, and the user at the other end of one."""

from __future__ import annotations

import os
import socket
import struct
import sys

if sys.platform == "win32":
    HAS_LOCAL_SOCKETS = False
    REFUSES_AT_ONCE = False

    def new_local_socket() -> socket.socket:
        """Raise ``OSError``: Python has no such sockets here."""
        raise OSError("Windows has no sockets that are files")

    def is_of_other_user(connection: socket.socket) -> bool:
        """Return False: no such socket was opened."""
        return False

    def keep_port_to_itself(listener: socket.socket) -> None:
        """Set a port to be refused to other programs, which could otherwise listen at it too."""
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
else:
    HAS_LOCAL_SOCKETS = True
    """Whether this system has sockets that are files."""
    REFUSES_AT_ONCE = True
    """Whether a port at which no program listens refuses at once: Windows asks it for two seconds."""

    def new_local_socket() -> socket.socket:
        """Return a new socket of streams that takes the path of a file as its address."""
        return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)

    def is_of_other_user(connection: socket.socket) -> bool:
        """Whether another user is at the other end. Raises ``OSError``."""
        return _peer_user(connection) not in (None, os.geteuid())

    def keep_port_to_itself(listener: socket.socket) -> None:
        """Return at once: no other program can listen at a port without SO_REUSEADDR."""

    if sys.platform == "linux":

        def _peer_user(connection: socket.socket) -> int | None:
            size = struct.calcsize("3i")
            _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
            return int(user)
    else:

        def _peer_user(connection: socket.socket) -> int | None:
            """Return None: the system does not say, and the mode of the socket's folder must do."""
            return None
