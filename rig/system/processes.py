"""Start programs that outlive this one."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from rig.platform.processes import DETACHED, python_environment, restrict_processors


def start_detached(command: Sequence[str], log: Path, cpus: Sequence[int] = ()) -> subprocess.Popen[bytes]:
    """Start a program of `PYTHON` that no signal of this terminal reaches, and whose output is appended to a file.

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
            creationflags=DETACHED,
            env=python_environment(),
        )
    if cpus:
        restrict_processors(process.pid, cpus)
    return process
