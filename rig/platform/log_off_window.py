"""A window that is never shown, at which Windows says that the user logs off or that the computer shuts down.

Windows sends a console program that has loaded user32.dll no console event then. It asks each window with
WM_QUERYENDSESSION, and says with WM_ENDSESSION that the session of the user ends; it waits 5 s for the answer. See
https://learn.microsoft.com/windows/console/setconsolectrlhandler and
https://learn.microsoft.com/windows/win32/shutdown/wm-endsession.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from types import ModuleType
from typing import Any

CLOSE = 0x10
DESTROY = 0x02
QUERY_END_SESSION = 0x11
END_SESSION = 0x16
CLASS_NAME = "rig log-off"

_OPEN_S = 2.0
"""The longest time for which a session waits for its window; without one it runs all the same."""
_END_S = 2.0


class LogOffWindow:
    """The window; its thread takes what Windows sends. ``windows`` is ``ctypes``."""

    def __init__(self, on_end: Callable[[], None], windows: ModuleType) -> None:
        self._on_end = on_end
        self._windows = windows
        self._user32 = _declared(windows)
        self._window: Any = None
        self._open = Event()
        self._thread = Thread(target=self._run, name="log-off", daemon=True)

    def start(self) -> None:
        """Open the window."""
        self._thread.start()
        self._open.wait(_OPEN_S)

    def close(self) -> None:
        """Close the window, unless Windows waits for it."""
        if self._window:
            self._user32.PostMessageW(self._window, CLOSE, 0, 0)
        self._thread.join(_END_S)

    def _run(self) -> None:
        procedure = _procedure_type(self._windows)(self._handle)  # must live as long as the window
        kind = _window_class(self._windows)(lpfnWndProc=procedure, lpszClassName=CLASS_NAME)
        self._user32.RegisterClassW(self._windows.byref(kind))
        # Not a message-only window, which would get no broadcast.
        self._window = self._user32.CreateWindowExW(0, CLASS_NAME, None, 0, 0, 0, 0, 0, None, None, None, None)
        self._open.set()
        message = self._windows.create_string_buffer(64)  # a MSG has 48 bytes
        while self._window and self._user32.GetMessageW(message, None, 0, 0) > 0:
            self._user32.DispatchMessageW(message)
        self._user32.UnregisterClassW(CLASS_NAME, None)

    def _handle(self, window: Any, message: int, word: int, long: int) -> int:
        if message == QUERY_END_SESSION:  # the user may still cancel
            return 1
        if message == END_SESSION:
            if word:
                self._on_end()
            return 0
        if message == DESTROY:
            self._user32.PostQuitMessage(0)
            return 0
        return int(self._user32.DefWindowProcW(window, message, word, long))


@contextmanager
def log_off_handled(on_end: Callable[[], None], windows: ModuleType) -> Iterator[None]:
    """Run ``on_end`` in a thread if the user's session ends within the block; Windows waits for its return."""
    window = LogOffWindow(on_end, windows)
    window.start()
    try:
        yield
    finally:
        window.close()


def _procedure_type(windows: ModuleType) -> Any:
    pointer = windows.c_void_p
    return windows.WINFUNCTYPE(windows.c_ssize_t, pointer, windows.c_uint, windows.c_size_t, windows.c_ssize_t)


def _window_class(windows: ModuleType) -> Any:
    """Return WNDCLASSW, with the names of Windows."""
    pointer, number = windows.c_void_p, windows.c_int
    fields = [
        ("style", windows.c_uint),
        ("lpfnWndProc", _procedure_type(windows)),
        ("cbClsExtra", number),
        ("cbWndExtra", number),
        *((name, pointer) for name in ("hInstance", "hIcon", "hCursor", "hbrBackground", "lpszMenuName")),
        ("lpszClassName", windows.c_wchar_p),
    ]
    return type("WNDCLASSW", (windows.Structure,), {"_fields_": fields})


def _declared(windows: ModuleType) -> Any:
    """Return user32 with the types of its functions: without them ctypes cuts a window's handle to 32 bits."""
    user32 = windows.WinDLL("user32")
    pointer, number = windows.c_void_p, windows.c_int
    message = (pointer, windows.c_uint, windows.c_size_t, windows.c_ssize_t)
    user32.DefWindowProcW.argtypes = user32.PostMessageW.argtypes = message
    user32.DefWindowProcW.restype = windows.c_ssize_t
    names = (windows.c_ulong, windows.c_wchar_p, windows.c_wchar_p, windows.c_ulong)
    user32.CreateWindowExW.argtypes = (*names, number, number, number, number, pointer, pointer, pointer, pointer)
    user32.CreateWindowExW.restype = pointer
    user32.UnregisterClassW.argtypes = (windows.c_wchar_p, pointer)
    user32.GetMessageW.argtypes = (pointer, pointer, windows.c_uint, windows.c_uint)
    user32.DispatchMessageW.argtypes = (pointer,)
    return user32
