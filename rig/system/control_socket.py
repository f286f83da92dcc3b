"""The sockets of running sessions: where they lie, who may use them, and how to ask one.

Each session has one file, ``PID.sock`` or ``PID.port``, in a folder that only its user may open. A file for which no
program listens is what a killed session has left: it is removed when it is found.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from rig.core.errors import ConfigError
from rig.platform.files import PRIVATE, close_to_others, is_private
from rig.platform.folders import runtime_folders
from rig.platform.local_sockets import HAS_LOCAL_SOCKETS
from rig.system.carriers import connect, is_session_file
from rig.system.scratch import scratch_place

MAX_LINE_BYTES = 4096
"""The longest request, with its line break."""
MAX_ANSWER_BYTES = 1 << 16
MAX_TEXT_CHARS = 1000
"""The longest note: its line stays below ``MAX_LINE_BYTES`` in most scripts."""
MAX_PATH_BYTES = 100
"""Systems accept socket paths of 104 to 108 bytes."""
FOLDER = "RIG_RUNTIME_DIR"
"""The environment variable that names the only folder of sockets."""
TIMEOUT_S = 8.0
"""The longest wait for an answer: a session answers within 6 s, unless its protocol does not return."""
SILENT = "the session does not answer: its protocol may not return; Ctrl-C twice at its terminal stops it"
MAYBE_DONE = f"{SILENT}. What was asked may still be done: look before asking again"
"""The request is in the queue of a session that is blocked: it is done when the session goes on."""

Answer = dict[str, Any]


# --- the folder ---------------------------------------------------------------------------------------------------


def folders() -> list[Path]:
    """Return the folders in which sockets may lie, the preferred one first."""
    if named := os.environ.get(FOLDER):
        return [Path(named)]
    scratch = None
    # A full disk must not keep a session from starting: without any of these folders it runs without remote control.
    with suppress(ConfigError):
        scratch = os.fspath(scratch_place())
    # All of them are searched: another session may have been started with other variables.
    paths = dict.fromkeys(map(Path, runtime_folders(scratch)))
    return [path for path in paths if not HAS_LOCAL_SOCKETS or len(os.fsencode(path)) + 16 <= MAX_PATH_BYTES]


def make_folder() -> Path:
    """Return the first folder that can be used, made where it is missing. Raises ``OSError`` when there is none."""
    why = "there is no folder for it"
    for folder in folders():
        try:
            if folder.parent.is_dir():
                with suppress(FileExistsError):
                    folder.mkdir(PRIVATE)
                close_to_others(folder)
        except OSError as error:
            why = f"{folder}: {error.strerror}"
            continue
        if is_private(folder):
            return folder
        why = f"{folder}: is missing, or belongs to another user"
    raise OSError(why)


# --- the other end -------------------------------------------------------------------------------------------------


def socket_of(pid: int) -> Path | None:
    """Return the socket of a program; None when it has none."""
    return next((path for path in _sockets() if path.stem == str(pid)), None)


def running(timeout_s: float = TIMEOUT_S) -> list[tuple[Path, Answer]]:
    """Return the sockets of this user's running sessions, each with its status; stale sockets are removed."""
    found = []
    for path in _sockets():
        try:
            found.append((path, ask(path, {"do": "status"}, timeout_s)))
        except SessionGoneError:
            continue
        except ConfigError as error:
            found.append((path, {"ok": False, "error": str(error)}))
    return found


def running_folders() -> frozenset[Path]:
    """Return the folders of this user's sessions that run on this computer."""
    folders = (status.get("folder") for _, status in running())
    return frozenset(Path(folder).resolve() for folder in folders if isinstance(folder, str))


def _sockets() -> Iterator[Path]:
    for folder in folders():
        if is_private(folder):
            with suppress(OSError):
                yield from sorted(filter(is_session_file, folder.iterdir()))


class SessionGoneError(ConfigError):
    """No program listens at this socket any more."""


def ask(path: Path, request: Mapping[str, object], timeout_s: float = TIMEOUT_S) -> Answer:
    """Send a session one request and return its answer. Raises ``ConfigError`` without one."""
    line = json.dumps(request).encode() + b"\n"
    if len(line) > MAX_LINE_BYTES:
        raise ConfigError(f"the request has {len(line)} bytes, and at most {MAX_LINE_BYTES} are possible: shorten it")
    try:
        connection = connect(path, timeout_s)
    except (ConnectionRefusedError, FileNotFoundError):
        with suppress(OSError):
            path.unlink()
        raise SessionGoneError("this session has ended") from None
    except TimeoutError:
        raise ConfigError(SILENT) from None
    except OSError as error:
        # A session removes its file first, and then closes its connections.
        if isinstance(error, ConnectionError) and not path.exists():
            raise SessionGoneError("this session has ended") from None
        raise ConfigError(f"{path}: cannot be reached: {error.strerror or error}") from None
    try:
        with connection:
            received = _exchange(connection, line)
    except TimeoutError:
        raise ConfigError(SILENT if request.get("do") == "status" else MAYBE_DONE) from None
    except OSError as error:
        raise SessionGoneError(f"the session has ended ({error.strerror})") from None
    return _parse_answer(received)


def _exchange(connection: socket.socket, line: bytes) -> bytes:
    received = b""
    # A session that refuses this program may have answered and closed before it reads the request.
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(line)
    while not received.endswith(b"\n") and len(received) < MAX_ANSWER_BYTES:
        more = connection.recv(MAX_ANSWER_BYTES)
        if not more:
            break
        received += more
    return received


def _parse_answer(received: bytes) -> Answer:
    try:
        answer = json.loads(received)
    except (ValueError, RecursionError):
        raise SessionGoneError("the session has ended without an answer") from None
    if not isinstance(answer, dict) or not isinstance(answer.get("ok"), bool):
        raise ConfigError("what answers there is no session")
    return answer
