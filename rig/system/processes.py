"""Start programs that outlive this one, and see whether a program still runs."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""On Windows, Ctrl-C does not reach a child in a new process group."""


def start_detached(command: Sequence[str], log: Path, cpus: Sequence[int] = ()) -> subprocess.Popen[bytes]:
    """Start a program that no signal of this terminal reaches, and whose output is appended to a file.

    It has no standard input and shares no pipe with this program. ``cpus`` are the processors that it may use, where
    the system offers a choice. Raises ``OSError``.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("ab") as output:
        process = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            creationflags=OWN_GROUP,
        )
    if cpus and sys.platform == "linux":
        with suppress(OSError):  # none of these processors is there, or it has ended already: all of them then
            os.sched_setaffinity(process.pid, cpus)
    return process


def start_mark(pid: int) -> str:
    """Return what tells this program from a later one with the same number; empty where the system does not say."""
    fields = _stat(pid)
    return fields[19].decode() if len(fields) > 19 else ""


def is_running(pid: int, mark: str = "") -> bool:
    """Whether a program runs, with this number and this mark of `start_mark`.

    One that has ended, and that its parent has not seen yet, does not run.
    """
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return False
    fields = _stat(pid)
    if not fields:
        return True
    return fields[0] not in (b"Z", b"X") and mark in ("", start_mark(pid))


def _stat(pid: int) -> list[bytes]:
    """Return what Linux says of a program, its state first; empty on other systems."""
    try:
        # The name is in parentheses and may hold any character.
        return (Path("/proc") / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return []
