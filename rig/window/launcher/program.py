"""A command that the launcher runs: its output is read by threads, its questions are answered at its standard input."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import IO, NamedTuple, Protocol

from rig.platform.processes import DETACHED, PYTHON, python_environment

MOST_LINES = 500
"""So many lines wait to be shown; then the command waits, as at a slow terminal, and the window does not."""
LONGEST_BYTES = 1 << 20
"""Longest line: a longer one is cut into several. Facts and questions are shorter."""
_FORCES_COLOR = ("FORCE_COLOR", "TTY_COMPATIBLE")
"""Variables for which rich writes colors into a pipe, and the page would show them as characters."""
NOT_STARTED = 127
"""The exit status of a command whose program cannot be started, as that of a shell."""


class Line(NamedTuple):
    """A line that a command has printed; ``is_error`` is true of its standard error."""

    text: str
    is_error: bool


class Runs(Protocol):
    """A command that runs."""

    words: Sequence[str]
    status: int | None

    def lines(self) -> Iterator[Line]:
        """Yield the lines that are new; ``status`` is set when the last one was read."""

    def answer(self, text: str) -> None:
        """Send the answer to its question."""

    def leave(self) -> None:
        """End its input: its questions stay without an answer."""


class Program:
    """A command that is running; ``status`` is its exit status, None before its end.

    A launcher that dies closes its pipes, and so leaves the questions of its commands without an answer. It ends none
    of them: one that starts sessions is not interrupted between the start of a session and the note of it.
    """

    def __init__(self, words: Sequence[str]) -> None:
        self.words = words
        self.status: int | None = None
        self._lines: queue.Queue[Line | None] = queue.Queue(MOST_LINES)
        self._open = 2
        """How many of its streams may have more lines."""
        self._process: subprocess.Popen[bytes] | None = None
        try:
            self._process = process = self._start()
        except OSError as error:
            self._open, self.status = 0, NOT_STARTED
            self._lines.put(Line(f"the program cannot be started: {error.strerror}", is_error=True))
            return
        for stream, is_error in ((process.stdout, False), (process.stderr, True)):
            threading.Thread(
                target=self._read, args=(process, stream, is_error), name="reads a command", daemon=True
            ).start()

    def _start(self) -> subprocess.Popen[bytes]:
        before = python_environment() or os.environ
        environment = {name: value for name, value in before.items() if name not in _FORCES_COLOR}
        return subprocess.Popen(
            # Unbuffered: what it prints and what it asks stay in their order.
            [PYTHON, "-u", "-P", "-m", "rig.cli.asked", *self.words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C at the launcher's terminal does not reach it.
            start_new_session=True,
            creationflags=DETACHED,
            env={**environment, "PYTHONIOENCODING": "utf-8"},
        )

    def lines(self) -> Iterator[Line]:
        """Yield the lines that are new; ``status`` is set when the last one was read."""
        for _ in range(self._lines.qsize()):  # of now: a command that never stops printing must not hold the window
            line = self._lines.get()
            if line is None:
                self._open -= 1
            else:
                yield line
        if self._open == 0 and self.status is None and self._process is not None:
            self.status = self._process.poll()

    def answer(self, text: str) -> None:
        """Send the answer to its question."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, ValueError):  # it has ended, or its questions were left
                self._process.stdin.write(f"{text}\n".encode())
                self._process.stdin.flush()

    def leave(self) -> None:
        """End its input: its questions stay without an answer."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def _read(self, process: subprocess.Popen[bytes], stream: IO[bytes], is_error: bool) -> None:
        with stream:
            while raw := stream.readline(LONGEST_BYTES):
                self._lines.put(Line(raw.decode("utf-8", "replace").rstrip("\r\n"), is_error))
        process.wait()
        self.leave()
        self._lines.put(None)
