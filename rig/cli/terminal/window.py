"""Start the window as a program of its own: for ``rig run`` beside the session, for ``rig watch`` in the foreground."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType

from rig.core.errors import ConfigError
from rig.platform.processes import DETACHED
from rig.records.journal.read import JOURNAL
from rig.system.scratch import scratch_place
from rig.terminal.format import prefixed
from rig.window.launch import WindowRequest

LAST_WORDS = 3
"""How many lines of what a failed window has printed are shown."""


def show_window(request: WindowRequest) -> None:
    """Show the window until a person closes it. Raises ``ConfigError`` when it fails."""
    with _Program(request) as program:
        try:
            status = program.process.wait()
        except KeyboardInterrupt:
            program.process.terminate()  # Ctrl-C in the terminal has reached it too, but Qt may have swallowed it
            program.process.wait()
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
        self._program: _Program | None = None

    def start(self, folder: Path) -> None:
        """Start the window for the records of a session; the session continues without it on failure."""
        if self._request is not None:
            with suppress(OSError, ConfigError):
                self._program = _Program(self._request(folder), detached=True)

    def __enter__(self) -> DetachedWindow:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._program is not None:
            with self._program as program, suppress(OSError):
                if status := program.process.poll():
                    print(program.failed_text(status), file=sys.stderr)


class _Program:
    """The window's program, which prints into a file: no reader of a pipe can hold it.

    Raises ``OSError`` where it cannot start, and ``ConfigError`` where no file can be made.
    """

    def __init__(self, request: WindowRequest, *, detached: bool = False) -> None:
        with ExitStack() as stack:
            printed = stack.enter_context(tempfile.TemporaryFile(dir=scratch_place()))
            self.process = subprocess.Popen(
                request.command(),
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=printed,
                start_new_session=detached,
                creationflags=DETACHED if detached else 0,
            )
            self._printed = printed
            self._open = stack.pop_all()

    def __enter__(self) -> _Program:
        return self

    def __exit__(self, *exc: object) -> None:
        self._open.close()

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
