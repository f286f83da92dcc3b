"""The process of the running display: it reads a journal, and ends with the session or with the program that runs it.

The session's program writes to a pipe, which is the display's standard input: with ``rig run`` a plus sign every
second, and a full stop when it ends the display. The display ends when the pipe is closed. A pipe that closes without a
full stop means that the program has died.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path

from rig.core.errors import ConfigError
from rig.live.follow import JournalFollower
from rig.live.keys import SessionKeys
from rig.live.select_display import display, print_line
from rig.platform.keys import keys_in_thread
from rig.platform.processes import lower_priority
from rig.system.control_socket import ask, socket_of
from rig.terminal.console import SafeConsole
from rig.terminal.output import SafeStreams


def main(journal: Path, hint: str, *, real_time: bool, with_keys: bool = False) -> None:
    """Draw a session on standard error until it is over; ``with_keys`` its terminal's keys act on it."""
    parent = _SessionProcess()
    console = SafeConsole(stderr=True)
    keys = SessionKeys(_ask_session)
    with ExitStack() as stack:
        reads = with_keys and console.file.isatty()
        reads = reads and stack.enter_context(keys_in_thread(lambda text: parent.handle_keys(keys, text)))
        _draw(journal, console, parent, lambda: keys.hint if reads else hint, real_time=real_time)


def _ask_session(request: Mapping[str, object]) -> Mapping[str, object]:
    path = socket_of(os.getppid())
    if path is None:
        raise ConfigError("this session cannot be reached by keys; Ctrl-C stops it")
    return ask(path, request)


def _draw(
    journal: Path, console: SafeConsole, parent: _SessionProcess, hint: Callable[[], str], *, real_time: bool
) -> None:
    lower_priority()
    progress = display(
        JournalFollower(journal), console, parent.wait, real_time=real_time, hint=hint, held_s=parent.held_s
    )
    if parent.over.is_set() and not parent.goes_on and progress.footer is None and progress.header is not None:
        uncertain = progress.uncertain
        more = f"up to {uncertain.amount} more may have been given; " if uncertain.rewards else ""
        print_line(console, f"the program that ran the session has gone: {more}run `rig recover {journal.parent}`")


class _SessionProcess:
    """Listens to the program that started the display."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.goes_on = False
        self._alive_s: float | None = None
        self._changed = threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def held_s(self) -> float:
        """Return for how long the program has not said that it is alive, if it ever did."""
        return 0.0 if self._alive_s is None else time.monotonic() - self._alive_s

    def wait(self, seconds: float) -> bool:
        """Wait for so long, or until something is to be drawn; return whether the session is over."""
        self._changed.wait(seconds)
        self._changed.clear()
        return self.over.is_set()

    def handle_keys(self, keys: SessionKeys, text: str) -> None:
        """Handle what was typed, and draw what follows from it at once."""
        keys.press(text)
        self._changed.set()

    def _listen(self) -> None:
        with suppress(OSError):
            while received := os.read(0, 64):
                self.goes_on |= b"." in received
                self._alive_s = time.monotonic()
        self.over.set()
        self._changed.set()


if __name__ == "__main__":
    status = 0
    try:
        with SafeStreams():
            real_time = sys.argv[2] == "real"
            main(Path(sys.argv[1]), sys.argv[3], real_time=real_time, with_keys=sys.argv[4:] == ["keys"])
    except OSError:  # the terminal has been closed
        status = 1
    except Exception as error:
        status = 1
        with suppress(OSError):
            sys.stderr.write(f"the running display has failed ({error!r}); the session goes on\n")
    os._exit(status)  # at once: what is still unwritten has nowhere to go
