"""Call a function when a key is pressed at the terminal."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


@contextmanager
def on_any_key(pressed: Callable[[], None]) -> Iterator[None]:
    """Start to watch the keys: the first one calls ``pressed`` on the running loop; nothing without a terminal."""
    if sys.stdin is None or not sys.stdin.isatty():
        yield
    elif sys.platform == "win32":
        _read_windows(pressed)
        yield
    else:
        yield from _posix(pressed)


def _posix(pressed: Callable[[], None]) -> Iterator[None]:
    import termios
    import tty

    loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()
    before = termios.tcgetattr(terminal)

    def read() -> None:
        with suppress(OSError):
            os.read(terminal, 64)
        # Also when the terminal is gone: no person can stop it any more.
        loop.remove_reader(terminal)
        pressed()

    tty.setcbreak(terminal)
    termios.tcflush(terminal, termios.TCIFLUSH)  # a key that was pressed before is not meant
    loop.add_reader(terminal, read)
    try:
        yield
    finally:
        loop.remove_reader(terminal)
        with suppress(termios.error):  # a terminal that is gone needs nothing back
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read_windows(pressed: Callable[[], None]) -> None:
    """Start a thread that waits for one key: a loop on Windows can watch sockets only."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        import msvcrt

        msvcrt.getwch()  # type: ignore[attr-defined]
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(pressed)

    threading.Thread(target=read, name="any key", daemon=True).start()
