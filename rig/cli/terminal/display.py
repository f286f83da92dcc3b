"""The running display of a session, from the side of the program that runs it: a process that is started and let go.

It reads the journal and nothing else, so whatever becomes of it, the session is none the worse.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType

from rig.session.run.recorder import JOURNAL
from rig.system.signals import SIGNALS
from rig.terminal.output import styled_output

CLOSE_TIMEOUT_S = 2.0
"""So long a display may take for its last picture; one whose terminal is held up is ended."""
SHOW_CURSOR = "\x1b[?25h"


class Display:
    """Shows a session once it has a folder: ``with Display(real_time=True) as display: ... on_folder=display.start``.

    ``real_time`` says that the session's time passes as ours does, ``hint`` which keys do what.
    """

    def __init__(self, *, real_time: bool, hint: str = "Ctrl-C stops") -> None:
        self._hint = hint
        self._pace = "real" if real_time else "virtual"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, folder: Path) -> None:
        """Start the display; a session that cannot have one goes on without."""
        command = [sys.executable, "-P", "-m", "rig.live", str(folder / JOURNAL), self._pace, self._hint]
        with suppress(OSError), _signals_blocked():
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, creationflags=_OWN_GROUP
            )
            if os.name != "nt" and self._process.stdin is not None:
                os.set_blocking(self._process.stdin.fileno(), False)

    def beat(self) -> None:
        """Tell the display that this program is alive; one that has ended, or takes nothing more, is let be."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError, ValueError):
                os.write(self._process.stdin.fileno(), b"+")

    def __enter__(self) -> Display:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is None or _ended(self._process) or sys.stderr is None:
            return
        with suppress(OSError):
            styled_output(sys.stderr).write(SHOW_CURSOR if sys.stderr.isatty() else "")


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Let a display end; tell whether it did so by itself, and has put the terminal right."""
    try:
        process.communicate(b".", CLOSE_TIMEOUT_S)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):  # whoever presses Ctrl-C now does not want to wait
        process.kill()
        process.communicate()
    return process.returncode == 0


_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""On Windows, Ctrl-C is then not for the child."""


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Let a child be born that leaves Ctrl-C and a closed terminal to us: it inherits which signals are held up."""
    if os.name == "nt":
        yield
        return
    before = signal.pthread_sigmask(
        signal.SIG_BLOCK, {getattr(signal, name) for name in SIGNALS if hasattr(signal, name)}
    )
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
