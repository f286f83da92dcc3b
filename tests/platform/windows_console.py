"""A stand-in for ``ctypes`` on Windows, with a console, its handlers, and windows that get messages."""

from __future__ import annotations

import ctypes
import queue
from collections.abc import Callable
from types import ModuleType, SimpleNamespace
from typing import Any

CLOSE, DESTROY = 0x10, 0x02
WINDOW = 7


class Function:
    """A function of a library, to which a program may add types."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call

    def __call__(self, *arguments: Any) -> Any:
        return self._call(*arguments)


class Kernel32:
    """The console: its mode (None without a console), and its handlers; the last one is called first."""

    def __init__(self) -> None:
        self.mode: int | None = 0x1F7
        self.open_handles = 0
        self.handlers: list[Callable[[int], bool]] = []
        self.CreateFileW = Function(self._open)
        self.CloseHandle = Function(self._close)
        self.GetConsoleMode = Function(self._get)
        self.SetConsoleMode = Function(self._set)
        self.SetConsoleCtrlHandler = Function(self._handle)
        self.SetNamedPipeHandleState = Function(lambda *_: 1)

    def _open(self, name: str, *_: object) -> int:
        assert name == "CONIN$"
        self.open_handles += 1
        return 3

    def _close(self, handle: Any) -> int:
        assert handle.value == 3
        self.open_handles -= 1
        return 1

    def _get(self, handle: object, mode: Any) -> int:
        mode._obj.value = self.mode or 0
        return int(self.mode is not None)

    def _set(self, handle: object, mode: int) -> int:
        assert mode & 0x80  # Windows takes no notice of quick-edit otherwise
        self.mode = mode
        return 1

    def _handle(self, handler: Callable[[int], bool], add: bool) -> int:
        self.handlers.append(handler) if add else self.handlers.remove(handler)
        return 1

    def close_window(self, event: int = 2) -> bool:
        return any(handler(event) for handler in reversed(self.handlers))


class User32:
    """One window, whose messages wait in a queue for its thread."""

    def __init__(self) -> None:
        self.procedure: Callable[..., int] | None = None
        self.is_registered = False
        self._queue: queue.Queue[tuple[int, ...] | None] = queue.Queue()
        self._next: tuple[int, ...] = ()
        self.RegisterClassW = Function(self._register)
        self.UnregisterClassW = Function(self._unregister)
        self.CreateWindowExW = Function(lambda *_: WINDOW)
        self.GetMessageW = Function(self._get)
        self.DispatchMessageW = Function(lambda message: self.send(*self._next))
        self.PostMessageW = Function(lambda window, *message: self._queue.put(message))
        self.PostQuitMessage = Function(lambda status: self._queue.put(None))
        self.DefWindowProcW = Function(self._default)

    def _register(self, kind: Any) -> int:
        self.procedure = kind._obj.lpfnWndProc
        self.is_registered = True
        return 1

    def _unregister(self, *_: object) -> int:
        self.is_registered = False
        return 1

    def _get(self, *_: object) -> int:
        message = self._queue.get(timeout=10)
        self._next = message or ()
        return int(message is not None)

    def _default(self, window: int, message: int, word: int, long: int) -> int:
        return self.send(DESTROY, 0, 0) if message == CLOSE else 0

    def send(self, *message: int) -> int:
        assert self.procedure is not None
        return self.procedure(WINDOW, *message)


class Windows(ModuleType):
    """``ctypes`` as it is on Windows."""

    def __init__(self) -> None:
        super().__init__("ctypes")
        self.kernel32 = Kernel32()
        self.user32 = User32()
        self.ntdll = SimpleNamespace()

    def __getattr__(self, name: str) -> Any:
        return getattr(ctypes, name)

    WINFUNCTYPE = staticmethod(ctypes.CFUNCTYPE)

    def WinDLL(self, name: str, use_last_error: bool = False) -> Any:  # noqa: N802 - its name there
        return getattr(self, name)
