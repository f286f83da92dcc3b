"""The quick-edit mode of a Windows console, which is switched off while a program reads keys from it.

With it a click into the window selects text. Windows then stops every program that prints there, until a person presses
Esc. See https://learn.microsoft.com/windows/console/setconsolemode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

QUICK_EDIT = 0x40
EXTENDED_FLAGS = 0x80
"""Without it Windows takes no notice of `QUICK_EDIT`, whether it is set or not."""

_OPEN_EXISTING = 3
_READ_WRITE = 0xC0000000
_SHARED = 3


class ConsoleInput:
    """The input of this program's console, also where standard input is a file; ``windows`` replaces ``ctypes``."""

    def __init__(self, windows: ModuleType | None = None) -> None:
        self._windows = windows or import_module("ctypes")
        self._kernel32 = self._windows.WinDLL("kernel32")
        self._kernel32.CreateFileW.restype = self._windows.c_void_p

    @contextmanager
    def _opened(self) -> Iterator[object]:
        number = self._kernel32.CreateFileW("CONIN$", _READ_WRITE, _SHARED, None, _OPEN_EXISTING, 0, None)
        handle = self._windows.c_void_p(number)
        try:
            yield handle
        finally:
            self._kernel32.CloseHandle(handle)

    def mode(self) -> int | None:
        """Return the mode; None without a console."""
        mode = self._windows.c_ulong()
        with self._opened() as handle:
            is_known = self._kernel32.GetConsoleMode(handle, self._windows.byref(mode))
        return int(mode.value) if is_known else None

    def set_mode(self, mode: int) -> None:
        """Set the mode; a console that is gone needs none."""
        with self._opened() as handle:
            self._kernel32.SetConsoleMode(handle, mode | EXTENDED_FLAGS)


@contextmanager
def without_quick_edit(console: ConsoleInput | None = None) -> Iterator[None]:
    """Yield while a click into the console stops no program."""
    restore = kept_mode(console)
    console = console or ConsoleInput()
    if (mode := console.mode()) is not None:
        console.set_mode(mode & ~QUICK_EDIT)
    try:
        yield
    finally:
        restore()


def kept_mode(console: ConsoleInput | None = None) -> Callable[[], None]:
    """Return a function that restores the mode of the console, which a killed program would leave changed."""
    console = console or ConsoleInput()
    mode = console.mode()

    def restore() -> None:
        if mode is not None:
            console.set_mode(mode)

    return restore
