"""Run code in a process that takes itself for one on Windows: ``python -m tests.platform.on_windows MODULES CODE``.

``MODULES`` are names with commas between, or `EVERY`. First they are imported as they are, so that other packages keep
the side of this system. Then our own modules are imported again, without the names of POSIX, and
with stand-ins for those of Windows.
"""

from __future__ import annotations

import asyncio
import importlib
import os
import pkgutil
import signal
import socket
import subprocess
import sys
from functools import partial
from types import ModuleType
from typing import Any

from tests.platform.windows_console import Windows

OURS = ("rig", "protocols", "sim_hardware")
GONE_MODULES = ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource")
GONE = (
    *((os, name) for name in ("fork", "geteuid", "getuid", "getpgrp", "tcgetpgrp", "killpg", "nice", "openpty")),
    *((os, name) for name in ("set_blocking", "sched_getaffinity", "sched_setaffinity", "fdatasync", "O_NOFOLLOW")),
    *((socket, name) for name in ("AF_UNIX", "SO_PEERCRED")),
    *((signal, name) for name in ("SIGHUP", "SIGKILL", "SIGTTIN", "SIGTTOU", "pthread_sigmask", "pthread_kill")),
    *((signal, name) for name in ("SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK")),
    (asyncio.SelectorEventLoop, "add_reader"),
)
EVERY = "every module"


class Keyboard(ModuleType):
    """``msvcrt``: a keyboard whose keys a test writes into ``pressed``, some of them with two characters.

    As in the C library of Windows, the second one is kept where ``ungetwch`` keeps its character. ``kbhit`` does not
    look there.
    """

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.pressed: list[str] = []
        self._kept = ""

    def get_osfhandle(self, descriptor: int) -> int:
        return descriptor

    def kbhit(self) -> bool:
        return self.pressed != []

    def getwch(self) -> str:
        text = self._kept or self.pressed.pop(0)
        self._kept = text[1:]
        return text[0]

    def ungetwch(self, key: str) -> None:
        if self._kept:
            raise OSError
        self._kept = key


class Process(subprocess.Popen[bytes]):
    """A process of this system, which has no creation flags."""

    def __init__(self, *arguments: Any, creationflags: int = 0, **options: Any) -> None:
        super().__init__(*arguments, **options)

    def kill(self) -> None:
        """End the process; the library looks for a signal that is gone."""
        self.send_signal(9)


def names() -> list[str]:
    """Return the names of all modules of ours."""
    roots = [importlib.import_module(name) for name in OURS]
    inner = (module.name for root in roots for module in pkgutil.walk_packages(root.__path__, f"{root.__name__}."))
    return [*OURS, *inner]


def become_windows() -> None:
    """Replace what this system has by what Windows has."""
    vars(socket)["socketpair"] = partial(socket.socketpair, socket.AF_UNIX)  # Windows makes one of two others
    for name in GONE_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    for owner, name in GONE:
        for holder in owner.__mro__ if isinstance(owner, type) else (owner,):
            if name in vars(holder):
                delattr(holder, name)
    sys.platform = "win32"
    vars(sys)["_base_executable"] = sys.executable
    sys.modules["msvcrt"] = Keyboard()
    sys.modules["ctypes"] = Windows()
    sys.modules["winreg"] = ModuleType("winreg")
    vars(os)["O_BINARY"] = 0
    vars(signal)["SIGBREAK"] = 21
    vars(socket)["SO_EXCLUSIVEADDRUSE"] = socket.SO_KEEPALIVE  # an option that Linux takes
    vars(subprocess).update(
        Popen=Process, CREATE_NEW_PROCESS_GROUP=0x200, CREATE_NO_WINDOW=0x8000000, DETACHED_PROCESS=0x8
    )


def main(modules: str, code: str) -> None:
    """Import the modules twice, then run the code."""
    wanted = names() if modules == EVERY else modules.split(",")
    for name in wanted:
        importlib.import_module(name)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    become_windows()
    for name in wanted:
        importlib.import_module(name)
    exec(code, {"wanted": wanted})


if __name__ == "__main__":
    main(*sys.argv[1:])
