"""Replay journals in a process of its own, which is stopped when one takes too long.

A forged journal may lead a protocol into an endless loop, or take all memory: neither may hold this program.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, Timer
from types import TracebackType

from msgspec import DecodeError, ValidationError, json

from rig.platform.processes import PYTHON, python_environment
from rig.session.replay_verdict import ReplayCheck, check_replay

LIMIT_S = 120.0
"""A session of 40 minutes takes about 2 s."""


class ReplayWorker:
    """Replays journals, one after the other: ``with ReplayWorker() as worker: worker.check(journal)``."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, journal: Path) -> ReplayCheck:
        """Run the replay of one journal; a process that was lost with it is replaced for the next one."""
        process = self._process = self._process or _started()
        expired = Event()
        timer = Timer(self._limit_s, _end, (process, expired))
        timer.start()
        try:
            return json.decode(_answer(process, journal), type=ReplayCheck)
        except (OSError, DecodeError, ValidationError):
            self._stop()
            status = process.returncode
            why = f"was stopped after {self._limit_s:g} s" if expired.is_set() else f"has ended (status {status})"
            return ReplayCheck("", "not replayed", 0, f"its replay {why}")
        finally:
            timer.cancel()

    def __enter__(self) -> ReplayWorker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def _stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


def _end(process: subprocess.Popen[bytes], expired: Event) -> None:
    expired.set()
    process.kill()


def _started() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        # -P: no module of the current folder, which may be that of the records, is imported.
        [PYTHON, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=python_environment(),
    )


def _answer(process: subprocess.Popen[bytes], journal: Path) -> bytes:
    if process.stdin is None or process.stdout is None:
        raise BrokenPipeError
    # As bytes: the name of a folder need not be UTF-8.
    process.stdin.write(json.encode(os.fsencode(journal)) + b"\n")
    process.stdin.flush()
    return process.stdout.readline()


def serve(check: Callable[[Path], ReplayCheck] = check_replay) -> None:
    """Write a line for each path on standard input; what a protocol prints goes elsewhere."""
    answers = os.dup(1)
    os.dup2(2, 1)
    for line in sys.stdin.buffer:
        os.write(answers, json.encode(check(Path(os.fsdecode(json.decode(line, type=bytes))))) + b"\n")


if __name__ == "__main__":
    serve()
