"""The live display of a session, in a separate process that the session's program starts.

The process only reads the journal, so a failure of the display cannot affect the session.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from rig.platform.keys import kept_mode
from rig.platform.processes import OWN_GROUP, PYTHON, make_pipe_nonblocking, python_environment
from rig.platform.signals import signals_blocked
from rig.session.run.journal_file import JOURNAL
from rig.terminal.output import styled_output

CLOSE_TIMEOUT_S = 2.0
"""The time for the display's last picture; a display on a blocked terminal is killed after it."""
SHOW_CURSOR = "\x1b[?25h"


class Display:
    """Shows a session once it has a folder: ``with Display(real_time=True) as display: ... on_folder=display.start``.

    ``real_time``: the session runs at wall-clock speed. ``hint``: the line about keys. ``keys``: the
    display reads the terminal, and its keys act on the session. ``shown``: False starts no display.
    """

    def __init__(self, *, real_time: bool, hint: str = "Ctrl-C stops", keys: bool = False, shown: bool = True) -> None:
        self._shown = shown
        self._hint = hint
        self._pace = "real" if real_time else "virtual"
        self._keys = ["keys"] if keys else []
        self._restore_terminal = _do_nothing
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, folder: Path) -> None:
        """Start the display; the session continues without it on failure."""
        if not self._shown:
            return
        command = [PYTHON, "-P", "-m", "rig.live", str(folder / JOURNAL), self._pace, self._hint, *self._keys]
        if self._keys and sys.stderr is not None and sys.stderr.isatty():
            self._restore_terminal = kept_mode(sys.stderr.fileno())
        # The child inherits the mask, and leaves Ctrl-C to this process.
        with suppress(OSError), signals_blocked():
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                creationflags=OWN_GROUP,
                env=python_environment(),
            )
            if self._process.stdin is not None:
                make_pipe_nonblocking(self._process.stdin.fileno())

    def beat(self) -> None:
        """Send a heartbeat to the display; a display that has ended is ignored."""
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
        self._restore_terminal()


def _do_nothing() -> None:
    """Return at once: the display does not read the terminal."""


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Stop a display; return whether it ended by itself and restored the terminal."""
    try:
        process.communicate(b".", CLOSE_TIMEOUT_S)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):  # Ctrl-C here means: do not wait
        process.kill()
        process.communicate()
    return process.returncode == 0
