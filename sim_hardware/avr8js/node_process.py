"""The process that simulates chips under node: commands go to it, answers come back."""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import struct
import subprocess
from functools import cache
from threading import RLock

from rig.core.errors import ConfigError
from sim_hardware.checkout import checkout_folder

FOLDER = checkout_folder("sim_hardware/avr8js/node")
INSTALL = "make test-tools"
ENDED = "the process of node has ended"
_COMMAND = struct.Struct("<BHI")
_ANSWER = struct.Struct("<BI")


def missing() -> str | None:
    """Return what is missing to run it, and the command that installs it; None if nothing is."""
    if not (FOLDER / "server.js").exists():
        return "the second simulator is not part of the wheel; run it in a checkout"
    if shutil.which("node") is None:
        return "node is not installed. On Debian and Ubuntu: sudo apt-get install -y --no-install-recommends nodejs npm"
    if not (FOLDER / "node_modules" / "avr8js" / "package.json").exists():
        return f"the package avr8js is not installed: {INSTALL}, or `npm ci` in sim_hardware/avr8js/node"
    return None


class NodeError(RuntimeError):
    """The process has reported an error, or has ended."""


class NodeProcess:
    """One process for all chips of this program, so that node compiles its code once."""

    def __init__(self) -> None:
        why = missing()
        node = shutil.which("node")
        if why is not None or node is None:
            raise ConfigError(f"avr8js: {why}")
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self._process = subprocess.Popen([node, str(FOLDER / "server.js")], stdin=commands, stdout=answers)
        for end in (commands, answers):
            os.close(end)
        self._ids = itertools.count(1)
        # A chip may be closed by the garbage collector, within any call.
        self._lock = RLock()
        self._unsent = bytearray()
        atexit.register(self.stop)

    def new_id(self) -> int:
        """Return the number of a new chip."""
        return next(self._ids) & 0xFFFF

    def tell(self, code: int, chip: int, content: bytes = b"") -> None:
        """Send a command without an answer, with the next one that has one."""
        with self._lock:
            self._unsent += _COMMAND.pack(code, chip, len(content)) + content

    def ask(self, code: int, chip: int, content: bytes = b"") -> bytes:
        """Send a command; return its answer. Raises ``NodeError``."""
        with self._lock:
            unsent, self._unsent = self._unsent, bytearray()
            self._write(bytes(unsent) + _COMMAND.pack(code, chip, len(content)) + content)
            head = self._read(_ANSWER.size)
            status, length = _ANSWER.unpack_from(head)
            answer = head[_ANSWER.size :]
            answer += self._read(length - len(answer)) if len(answer) < length else b""
        if status:
            raise NodeError(answer.decode(errors="replace"))
        return answer

    def stop(self) -> None:
        """Stop the process."""
        for end in (self._commands, self._answers):
            os.close(end)
        self._process.wait()

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._commands, data) :]
        except BrokenPipeError:
            raise NodeError(ENDED) from None

    def _read(self, least: int) -> bytes:
        # One call usually returns the whole answer.
        data = b""
        while len(data) < least:
            more = os.read(self._answers, 1 << 16)
            if not more:
                raise NodeError(ENDED)
            data += more
        return data


@cache
def node_process() -> NodeProcess:
    """Return the process, started when it is first needed. Raises ``ConfigError`` with what to install."""
    return NodeProcess()
