"""The command on a pseudo-terminal, whose screen is emulated."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.cli.conftest import BANDIT
from tests.cli.processes import until

SHORT = ("sim", *BANDIT, "--set", "stop.session_s=240", "--subject", "M1")
PACED = ("sim", *BANDIT, "--set", "stop.session_s=2400", "--subject", "M1")


class Terminal:
    """A command on a terminal of its own: what it writes there, and the processes that it starts."""

    def __init__(self, words: tuple[Any, ...], columns: int) -> None:
        import fcntl
        import pty
        import struct
        import termios

        self.master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
        self.text = ""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rig.cli.main", *map(str, words)],
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(self._slave)
        os.set_blocking(self.master, False)

    def shows(self, words: str) -> bool:
        with suppress(OSError):  # nothing yet, or the last one has closed it
            self.text += os.read(self.master, 1 << 16).decode("utf-8", "replace")
        return words in self.text

    def count(self, words: str) -> int:
        """How often it has shown these words so far."""
        self.shows(words)
        return self.text.count(words)

    def ends(self) -> int:
        until(lambda: self.shows("\0") or self.process.poll() is not None)
        self.shows("\0")
        return self.process.wait()

    def displays(self) -> list[int]:
        """The running displays that the command has started."""
        found = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in found if b"rig.live" in Path(f"/proc/{pid}/cmdline").read_bytes()]


@contextmanager
def terminal(*words: Any, columns: int = 80) -> Iterator[Terminal]:
    it = Terminal(words, columns)
    try:
        yield it
    finally:
        it.process.kill()
        it.process.wait()
        with suppress(OSError):
            os.close(it.master)
