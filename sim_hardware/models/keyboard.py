"""A human at the keyboard: a key is a poke. Only in real time, and on a terminal."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from rig.core.errors import ConfigError
from sim_hardware.loop import VirtualLoop
from sim_hardware.models.base import Model, ModelParams
from sim_hardware.world.body import Body

POKE_S = 0.2
"""Duration of a poke: a terminal reports when a key is pressed, not when it is released."""

PLACES = {"a": "left", "s": "center", "d": "right", "\x1b[D": "left", "\x1b[B": "center", "\x1b[C": "right"}
WINDOWS_POLL_S = 0.02


class KeyboardSubject(Model):
    """Pokes by keys; ``q`` ends the session."""

    def __init__(self, params: ModelParams) -> None:
        self._inside: set[str] = set()

    async def live(self, body: Body) -> None:
        """Convert keys into pokes until cancelled."""
        loop = asyncio.get_running_loop()
        if isinstance(loop, VirtualLoop):
            raise ConfigError("the model 'keyboard' needs real time: use `rig run`")
        with _keys(lambda text: self._take(text, body, loop)):
            await loop.create_future()

    def _take(self, text: str, body: Body, loop: asyncio.AbstractEventLoop) -> None:
        for key in _split(text):
            if key == "q":
                _interrupt()
            place = PLACES.get(key)
            if place is not None and place in body.places and place not in self._inside:
                self._inside.add(place)
                body.enter(place)
                loop.call_later(POKE_S, self._leave, body, place)

    def _leave(self, body: Body, place: str) -> None:
        self._inside.discard(place)
        body.leave(place)


def _interrupt() -> None:
    """Send SIGINT to the main thread, as Ctrl-C does."""
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        signal.pthread_kill(main, signal.SIGINT)
    else:
        signal.raise_signal(signal.SIGINT)


def _split(text: str) -> Iterator[str]:
    """Yield the keys of an input; an arrow is three characters."""
    place = 0
    while place < len(text):
        size = 3 if text.startswith("\x1b[", place) else 1
        yield text[place : place + size]
        place += size


@contextmanager
def _keys(take: Callable[[str], None]) -> Iterator[None]:
    """Start to pass each key to ``take``, and restore the terminal at the end."""
    loop = asyncio.get_running_loop()
    if sys.platform == "win32":
        # On Windows a loop can watch sockets only.
        timer = loop.call_soon(_poll_windows, loop, take)
        try:
            yield
        finally:
            timer.cancel()
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    tty.setcbreak(terminal)
    loop.add_reader(terminal, lambda: _read(terminal, loop, take))
    try:
        yield
    finally:
        loop.remove_reader(terminal)
        with suppress(termios.error):  # a terminal that is gone needs nothing back
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _read(terminal: int, loop: asyncio.AbstractEventLoop, take: Callable[[str], None]) -> None:
    try:
        typed = os.read(terminal, 64)
    except OSError:
        typed = b""
    if typed:
        take(typed.decode("utf-8", "ignore"))
    else:  # the terminal is gone, and would be readable for ever; the session continues
        loop.remove_reader(terminal)


def _poll_windows(loop: asyncio.AbstractEventLoop, take: Callable[[str], None]) -> None:
    import msvcrt

    while msvcrt.kbhit():  # type: ignore[attr-defined]
        take(msvcrt.getwch())  # type: ignore[attr-defined]
    loop.call_later(WINDOWS_POLL_S, _poll_windows, loop, take)
