"""Read single keys from the terminal of this process, and leave the terminal as it was."""

from __future__ import annotations

import codecs
import os
import select
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

TERMINAL = "/dev/tty"
JOIN_S = 1.0
"""How many seconds the end waits for the thread, which may still handle the last key."""


@contextmanager
def terminal_keys(take: Callable[[str], None]) -> Iterator[bool]:
    """Yield while a thread passes what is typed to ``take``; whether there is a terminal to read from.

    The thread ends with the context: it must not take the answer to a question that is asked afterwards.
    A program in the background must not read: the system would stop it, and the session with it.
    """
    if sys.platform == "win32":
        yield False
        return
    import termios
    import tty

    for name in (signal.SIGTTIN, signal.SIGTTOU):  # ignored, a read from the background is an error and no stop
        signal.signal(name, signal.SIG_IGN)
    try:
        terminal = os.open(TERMINAL, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        yield False
        return
    try:
        if os.tcgetpgrp(terminal) != os.getpgrp():
            yield False
            return
        before = termios.tcgetattr(terminal)
        tty.setcbreak(terminal, termios.TCSANOW)  # Ctrl-C stays the signal that stops the session
    except (OSError, termios.error):
        yield False
        return
    stopped, stop = os.pipe()
    reader = threading.Thread(target=_read, args=(terminal, stopped, take), daemon=True)
    reader.start()
    try:
        yield True
    finally:
        os.close(stop)
        reader.join(JOIN_S)
        with suppress(termios.error):  # a terminal that is gone needs nothing back
            termios.tcsetattr(terminal, termios.TCSANOW, before)


def _read(terminal: int, stopped: int, take: Callable[[str], None]) -> None:
    """Handle what is typed until the other end of the pipe ``stopped`` is closed."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    with suppress(OSError):  # the terminal is gone, or this program is in the background now
        while stopped not in select.select((terminal, stopped), (), ())[0] and (typed := os.read(terminal, 1024)):
            if text := decoder.decode(typed):
                take(text)
