"""What carries the requests to a session: a socket that is a file, or a port of the loopback interface with a secret.

Both leave one file for each session in the folder of `control_socket`, whose name is the number of the process and the
carrier's suffix. So a program finds the sessions of both, and opens each by its suffix.
"""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import time
from abc import ABC, abstractmethod
from contextlib import suppress
from pathlib import Path
from typing import Any

from rig.core.errors import RecordError
from rig.platform.local_sockets import (
    HAS_LOCAL_SOCKETS,
    REFUSES_AT_ONCE,
    is_of_other_user,
    keep_port_to_itself,
    new_local_socket,
)
from rig.platform.processes import is_running, start_mark
from rig.system.atomic_files import write_atomic
from rig.system.handshake import (
    GREETING_BYTES,
    PROOF_BYTES,
    SECRET_BYTES,
    ClientHandshake,
    ServerHandshake,
    new_secret,
)

CARRIER = "RIG_CONTROL"
"""The environment variable that chooses the carrier of new sessions: ``tcp``, in any case, for a port."""
FILE_SUFFIX, PORT_SUFFIX = ".sock", ".port"
SUFFIXES = (FILE_SUFFIX, PORT_SUFFIX)
_IS_KIND = {FILE_SUFFIX: stat.S_ISSOCK, PORT_SUFFIX: stat.S_ISREG}
_PID = re.compile("[1-9][0-9]{0,8}")
"""The number of a process as it is in the name of a file."""
LOOPBACK = "127.0.0.1"


class Listener(ABC):
    """A session's end: ``path`` is the file that other programs find. Stale files of its number are removed."""

    def __init__(self, path: Path, listener: socket.socket, backlog: int) -> None:
        self.path = path
        self._listener = listener
        self._opener = os.getpid()
        try:
            # The number of this program is ours now: a file with it is what an earlier program has left.
            for suffix in SUFFIXES:
                path.with_suffix(suffix).unlink(missing_ok=True)
            self._open(backlog)
            listener.setblocking(False)
        except BaseException:
            listener.close()
            raise

    @abstractmethod
    def _open(self, backlog: int) -> None:
        """Start to listen, and write the file. Raises ``OSError``."""

    def accept(self) -> socket.socket:
        """Return the next connection. Raises ``OSError`` when there is none."""
        return self._listener.accept()[0]

    @abstractmethod
    def handshake(self, connection: socket.socket) -> ServerHandshake | None:
        """Return the handshake that a client must pass first; None for one that is trusted already.

        Raises ``PermissionError`` with a sentence for a client that is refused, else ``OSError`` for one that has gone.
        """

    def close(self) -> None:
        """Stop listening, and remove the file, unless this process is a fork of the session."""
        if os.getpid() == self._opener:
            with suppress(OSError):
                self.path.unlink()
        self._listener.close()


class FileListener(Listener):
    """A socket that is a file. The mode of its folder keeps other users away; the system names the client's user."""

    def __init__(self, folder: Path, backlog: int) -> None:
        super().__init__(folder / f"{os.getpid()}{FILE_SUFFIX}", new_local_socket(), backlog)

    def _open(self, backlog: int) -> None:
        self._listener.bind(os.fspath(self.path))
        self.path.chmod(0o600)
        self._listener.listen(backlog)

    def handshake(self, connection: socket.socket) -> ServerHandshake | None:
        """Return None. Raises ``PermissionError`` for another user."""
        if is_of_other_user(connection):
            raise PermissionError("this session belongs to another user")
        return None


class PortListener(Listener):
    """A port that every program of this computer may open; the file has its number, and the secret of this session.

    It also has the mark of the process: a later one with the same number is no session.
    """

    def __init__(self, folder: Path, backlog: int) -> None:
        self._secret = new_secret()
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        super().__init__(folder / f"{os.getpid()}{PORT_SUFFIX}", listener, backlog)

    def _open(self, backlog: int) -> None:
        keep_port_to_itself(self._listener)
        self._listener.bind((LOOPBACK, 0))
        self._listener.listen(backlog)
        fields = {
            "port": self._listener.getsockname()[1],
            "secret": self._secret.hex(),
            "mark": start_mark(os.getpid()),
        }
        try:
            write_atomic(self.path, json.dumps(fields), private=True)
        except RecordError as error:
            raise OSError(str(error)) from error

    def handshake(self, connection: socket.socket) -> ServerHandshake:
        """Return a new handshake."""
        _send_at_once(connection)
        return ServerHandshake(self._secret)


def listen(folder: Path, backlog: int) -> Listener:
    """Open this program's end. Raises ``OSError``."""
    if HAS_LOCAL_SOCKETS and os.environ.get(CARRIER, "").lower() != "tcp":
        return FileListener(folder, backlog)
    return PortListener(folder, backlog)


def is_session_file(path: Path) -> bool:
    """Whether a file has the name and the kind of one that a session leaves: a list may open or remove no other."""
    if path.suffix not in SUFFIXES or not _PID.fullmatch(path.stem):
        return False
    try:
        return _IS_KIND[path.suffix](path.lstat().st_mode)
    except OSError:
        return False


# --- the other end -------------------------------------------------------------------------------------------------


def connect(path: Path, timeout_s: float) -> socket.socket:
    """Open a connection to the session that has left a file, whose end is proven to be this user's.

    It takes at most ``timeout_s``, which is then the limit of each call of the connection.
    Raises ``FileNotFoundError`` or ``ConnectionRefusedError`` for a session that has ended, ``PermissionError`` with a
    sentence where another program answers, and ``OSError``.
    """
    is_file = path.suffix == FILE_SUFFIX
    connection = new_local_socket() if is_file else socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        connection.settimeout(timeout_s)
        if is_file:
            _open_file(connection, path)
        else:
            _open_port(connection, path, time.monotonic() + timeout_s)
            connection.settimeout(timeout_s)
    except BaseException:
        connection.close()
        raise
    return connection


def _open_file(connection: socket.socket, path: Path) -> None:
    connection.connect(os.fspath(path))
    if is_of_other_user(connection):
        raise PermissionError("another user's program answers there: nothing was sent")


def _open_port(connection: socket.socket, path: Path, end_s: float) -> None:
    if not REFUSES_AT_ONCE and _has_ended(path):
        raise ConnectionRefusedError
    try:
        _prove_port(connection, path, end_s)
    except OSError:
        # Not before: a session in another container runs, though its number is none of this one's processes.
        if _has_ended(path):
            raise ConnectionRefusedError from None
        raise


def _prove_port(connection: socket.socket, path: Path, end_s: float) -> None:
    port, secret = read_port(path)
    connection.connect((LOOPBACK, port))
    _send_at_once(connection)
    handshake = ClientHandshake(secret, _receive(connection, GREETING_BYTES, end_s))
    connection.sendall(handshake.response)
    handshake.check(_receive(connection, PROOF_BYTES, end_s))


def read_port(path: Path) -> tuple[int, bytes]:
    """Return the port of a session, and its secret. Raises ``OSError``."""
    fields = _read_fields(path)
    try:
        port, secret = fields["port"], bytes.fromhex(fields["secret"])
    except (ValueError, TypeError, KeyError):
        port, secret = 0, b""
    if type(port) is not int or not 0 < port < 1 << 16 or len(secret) != SECRET_BYTES or not _PID.fullmatch(path.stem):
        raise OSError("is no file of a session")
    return port, secret


def _has_ended(path: Path) -> bool:
    """Whether the process that has written a file of a port has ended; a damaged file has its number alone."""
    mark = _read_fields(path).get("mark")
    return bool(_PID.fullmatch(path.stem)) and not is_running(int(path.stem), mark if isinstance(mark, str) else "")


def _read_fields(path: Path) -> dict[str, Any]:
    """Return the fields of a file of a port; none of a damaged one. Raises ``OSError``."""
    try:
        fields = json.loads(path.read_bytes())
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _send_at_once(connection: socket.socket) -> None:
    """Set a connection not to hold an answer back until the last one is acknowledged, which takes 40 ms."""
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _receive(connection: socket.socket, length: int, end_s: float) -> bytes:
    """Return ``length`` bytes. Raises ``TimeoutError`` if they have not come by ``end_s``, and ``OSError``."""
    received = b""
    while len(received) < length:
        if (left_s := end_s - time.monotonic()) <= 0:
            raise TimeoutError
        connection.settimeout(left_s)
        if not (piece := connection.recv(length - len(received))):
            raise ConnectionAbortedError("the session has closed the connection")
        received += piece
    return received
