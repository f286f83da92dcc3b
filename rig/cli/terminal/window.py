"""Start the window as a program of its own: for ``rig run`` beside the session, for ``rig watch`` in the foreground."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any

from rig.core.errors import ConfigError
from rig.records.read import JOURNAL
from rig.system.processes import OWN_GROUP
from rig.terminal.format import prefixed
from rig.window.launch import WindowRequest

LAST_WORDS = 3
"""How many lines of what a failed window has printed are shown."""


def show_window(request: WindowRequest) -> None:
    """Show the window until a person closes it. Raises ``ConfigError`` when it fails."""
    with _Program() as program:
        process = program.start(request)
        try:
            status = process.wait()
        except KeyboardInterrupt:  # it has ended by the same signal
            process.wait()
            return
        if status:
            raise ConfigError(program.failed_text(status))


class DetachedWindow:
    """A window that outlives this program: ``with DetachedWindow(...) as window: window.start(folder)``.

    It shares no pipe, no terminal and no signal with this program, so that nothing that becomes of it can hold a
    session. ``request`` is asked for when it starts; None shows no window.
    """

    def __init__(self, request: Callable[[Path], WindowRequest] | None) -> None:
        self._request = request
        self._process: subprocess.Popen[bytes] | None = None
        self._program = _Program()

    def start(self, folder: Path) -> None:
        """Start the window for the records of a session; the session continues without it on failure."""
        if self._request is not None:
            with suppress(OSError):
                self._process = self._program.start(
                    self._request(folder), start_new_session=True, creationflags=OWN_GROUP
                )

    def __enter__(self) -> DetachedWindow:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        status = None if self._process is None else self._process.poll()
        with self._program:
            if status:
                with suppress(OSError):
                    print(self._program.failed_text(status), file=sys.stderr)


class _Program:
    """The window's program, which prints into a file: no reader of a pipe can hold it."""

    def __init__(self) -> None:
        self._printed = tempfile.TemporaryFile()  # noqa: SIM115 - closed with this object

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *exc: object) -> None:
        self._printed.close()

    def start(self, request: WindowRequest, **options: Any) -> subprocess.Popen[bytes]:
        """Start it. Raises ``OSError``."""
        return subprocess.Popen(
            request.command(), stdin=subprocess.DEVNULL, stdout=self._printed, stderr=self._printed, **options
        )

    def failed_text(self, status: int) -> str:
        """Return how it has failed, with the last lines that it printed."""
        self._printed.seek(0)
        lines = self._printed.read().decode("utf-8", "replace").split("\n")
        said = [line.strip() for line in lines if line.strip()][-LAST_WORDS:]
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return f"the window has failed ({how}){prefixed('; '.join(said))}"


def window_of_session(theme: str) -> Callable[[Path], WindowRequest]:
    """Return what a window of one session is asked for."""
    return lambda folder: WindowRequest([str((folder / JOURNAL).absolute())], theme=theme)
