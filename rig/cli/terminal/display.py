"""The live display of a session, in a separate process that the session's program starts.

The process only reads the journal, so a failure of the display cannot affect the session.
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
from typing import TypeAlias

from rig.session.run.journal_file import JOURNAL
from rig.system.processes import OWN_GROUP
from rig.system.signals import SIGNALS
from rig.terminal.output import styled_output

CLOSE_TIMEOUT_S = 2.0
"""The time for the display's last picture; a display on a blocked terminal is killed after it."""
SHOW_CURSOR = "\x1b[?25h"

_Mode: TypeAlias = list[int | list[bytes | int]]
"""The mode of a terminal, as termios has it."""


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
        self._terminal: tuple[int, _Mode] | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, folder: Path) -> None:
        """Start the display; the session continues without it on failure."""
        if not self._shown:
            return
        command = [sys.executable, "-P", "-m", "rig.live", str(folder / JOURNAL), self._pace, self._hint, *self._keys]
        self._terminal = _terminal_mode() if self._keys else None
        with suppress(OSError), _signals_blocked():
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, creationflags=OWN_GROUP
            )
            if os.name != "nt" and self._process.stdin is not None:
                os.set_blocking(self._process.stdin.fileno(), False)

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
        if self._terminal is not None:
            _restore(*self._terminal)


def _terminal_mode() -> tuple[int, _Mode] | None:
    """Return the terminal of standard error and its mode, which a display that is killed would leave changed."""
    if sys.platform == "win32" or sys.stderr is None or not sys.stderr.isatty():
        return None
    import termios

    terminal = sys.stderr.fileno()
    try:
        return terminal, termios.tcgetattr(terminal)
    except termios.error:
        return None


def _restore(terminal: int, mode: _Mode) -> None:
    if sys.platform != "win32":
        import termios

        with suppress(OSError, termios.error):
            if os.tcgetpgrp(terminal) == os.getpgrp():  # the system stops a program that does it from the background
                termios.tcsetattr(terminal, termios.TCSANOW, mode)


def _ended(process: subprocess.Popen[bytes]) -> bool:
    """Stop a display; return whether it ended by itself and restored the terminal."""
    try:
        process.communicate(b".", CLOSE_TIMEOUT_S)
    except (subprocess.TimeoutExpired, KeyboardInterrupt):  # Ctrl-C here means: do not wait
        process.kill()
        process.communicate()
    return process.returncode == 0


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Yield with stop signals blocked while a child starts: it inherits the mask and leaves Ctrl-C to this process."""
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
