"""Single keys from the terminal of this program, which is left as it was."""

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

Take = Callable[[str], None]

if sys.platform == "win32":
    import msvcrt

    from rig.platform import console_mode

    _POLL_S = 0.02
    _PREFIXES = ("\x00", "\xe0")
    _ARROWS = {"H": "\x1b[A", "P": "\x1b[B", "M": "\x1b[C", "K": "\x1b[D"}

    def _pending_keys() -> Iterator[str]:
        """Yield the keys that were pressed: an arrow as POSIX writes it, no other key of two characters.

        It never waits for a key: while ``getwch`` waits, Ctrl-C is a key and stops nothing.
        """
        while msvcrt.kbhit():
            key = msvcrt.getwch()
            if key in _PREFIXES:
                key = _rest_of(key)
            if key:
                yield key

    def _rest_of(prefix: str) -> str:
        """Return an arrow, nothing for another key of two characters, or the prefix: alone it is a letter (à)."""
        try:
            # The library keeps one character to be read again, of which kbhit says nothing. If there is none, the key
            # has no second character, and a read would wait for the next key.
            msvcrt.ungetwch(prefix)
        except OSError:
            return _ARROWS.get(msvcrt.getwch(), "")
        return msvcrt.getwch()

    def _take_pending(take: Take) -> None:
        # Together, as POSIX reads them: outside a text, keys that were pasted or typed ahead must do nothing.
        if text := "".join(_pending_keys()):
            take(text)

    def discard_typed() -> None:
        """Remove the keys that were typed until now."""
        for _ in _pending_keys():
            pass

    @contextmanager
    def keys_on_loop(take: Take) -> Iterator[None]:
        """Start to pass each key to ``take`` on the running loop, which asks for keys every 20 ms.

        A click into the console stops no program meanwhile.
        """
        import asyncio  # only here: the display has no loop, and starts sooner without it

        loop = asyncio.get_running_loop()

        async def poll() -> None:
            while True:
                await asyncio.sleep(_POLL_S)
                _take_pending(take)

        discard_typed()
        polling = loop.create_task(poll())
        try:
            with console_mode.without_quick_edit():
                yield
        finally:
            polling.cancel()

    @contextmanager
    def keys_in_thread(take: Take) -> Iterator[bool]:
        """Yield while a thread passes what is typed to ``take``; whether there is a console to read from.

        A click into the console stops no program meanwhile.
        """
        try:
            os.close(os.open("CONIN$", os.O_RDWR))
        except OSError:
            yield False
            return
        stop = threading.Event()

        def read() -> None:
            while not stop.wait(_POLL_S):
                _take_pending(take)

        reader = threading.Thread(target=read, name="keys", daemon=True)
        reader.start()
        try:
            with console_mode.without_quick_edit():
                yield True
        finally:
            stop.set()
            reader.join(JOIN_S)

    def kept_mode(terminal: int) -> Callable[[], None]:
        """Return a function that restores the mode of the console, which a killed program would leave changed."""
        return console_mode.kept_mode()
else:
    import termios
    import tty

    def discard_typed() -> None:
        """Remove the keys that were typed until now at the terminal of standard input."""
        termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    @contextmanager
    def keys_on_loop(take: Take) -> Iterator[None]:
        """Start to pass what is typed to ``take`` on the running loop; an empty text says that the terminal is gone.

        Keys that were typed before do not count. Standard input must be a terminal.
        """
        import asyncio  # only here: the display has no loop, and starts sooner without it

        loop, terminal = asyncio.get_running_loop(), sys.stdin.fileno()
        before = termios.tcgetattr(terminal)

        def read() -> None:
            typed = b""
            with suppress(OSError):
                typed = os.read(terminal, 64)
            if not typed:  # it would be readable for ever
                loop.remove_reader(terminal)
            take(typed.decode("utf-8", "ignore"))

        tty.setcbreak(terminal, termios.TCSAFLUSH)
        loop.add_reader(terminal, read)
        try:
            yield
        finally:
            loop.remove_reader(terminal)
            with suppress(termios.error):  # a terminal that is gone needs nothing back
                termios.tcsetattr(terminal, termios.TCSADRAIN, before)

    @contextmanager
    def keys_in_thread(take: Take) -> Iterator[bool]:
        """Yield while a thread passes what is typed to ``take``; whether there is a terminal to read from.

        The thread ends with the context: it must not take the answer to a question that is asked afterwards.
        A program in the background must not read: the system would stop it, and the session with it.
        """
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

    def _read(terminal: int, stopped: int, take: Take) -> None:
        """Handle what is typed until the other end of the pipe ``stopped`` is closed."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with suppress(OSError):  # the terminal is gone, or this program is in the background now
            while stopped not in select.select((terminal, stopped), (), ())[0] and (typed := os.read(terminal, 1024)):
                if text := decoder.decode(typed):
                    take(text)

    def kept_mode(terminal: int) -> Callable[[], None]:
        """Return a function that restores the mode of a terminal, which a killed program would leave changed."""
        try:
            mode = termios.tcgetattr(terminal)
        except termios.error:
            return lambda: None

        def restore() -> None:
            with suppress(OSError, termios.error):
                # The system stops a program that does it from the background.
                if os.tcgetpgrp(terminal) == os.getpgrp():
                    termios.tcsetattr(terminal, termios.TCSANOW, mode)

        return restore
