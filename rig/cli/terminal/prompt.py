"""Questions to the person at the terminal. They stand on standard error, so that output stays what a script reads."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from contextlib import suppress

from rig.core.errors import ConfigError


def is_interactive() -> bool:
    """Whether there is a person who sees a question and can answer it."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr))


def ask(question: str) -> str | None:
    """Ask, and return the line that was typed; None when the terminal has ended."""
    sys.stderr.write(question)
    sys.stderr.flush()
    answer = sys.stdin.readline()
    return answer.strip() if answer else None


def confirm(question: str) -> None:
    """Go on with Enter or y. Raises ``ConfigError`` for anything else."""
    _forget_what_was_typed()
    answer = ask(f"{question} [Enter or y: yes] ")
    if answer is None or answer.lower() not in ("", "y", "yes"):
        raise ConfigError("not confirmed: nothing was begun")


async def ask_meanwhile(question: str) -> str | None:
    """Ask while the loop goes on: a board must not wait for a person. None when the terminal has ended."""
    _forget_what_was_typed()
    sys.stderr.write(question)
    sys.stderr.flush()
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[bytes] = loop.create_future()

    def take(line: bytes) -> None:
        if not typed.done():
            typed.set_result(line)

    def read() -> None:
        line = os.read(sys.stdin.fileno(), 1024)  # not the stream, which Python would wait for at its end
        with suppress(RuntimeError):  # nobody waits any more
            loop.call_soon_threadsafe(take, line)

    threading.Thread(target=read, name="answer", daemon=True).start()
    line = await typed
    return line.decode(errors="replace").strip() if line else None


def _forget_what_was_typed() -> None:
    """An Enter from before the question is no answer to it."""
    if sys.platform == "win32":
        import msvcrt

        while msvcrt.kbhit():
            msvcrt.getwch()
        return
    import termios

    termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
