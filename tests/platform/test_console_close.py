"""A console window that closes: the session is stopped, and the system waits for its records."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rig.platform import console_close
from rig.platform.console_close import ConsoleCloseHandler, stop_on_console_close


class Windows:
    """Stands in for ``ctypes`` on Windows: it keeps the handlers, and calls the last one first."""

    c_int = int
    c_uint = int

    def __init__(self) -> None:
        self.handlers: list[Callable[[int], bool]] = []

    def WINFUNCTYPE(self, *kinds: type) -> Callable[[Any], Any]:  # noqa: N802 - its name there
        return lambda function: function

    def WinDLL(self, name: str) -> Any:  # noqa: N802
        assert name == "kernel32"
        return self

    def SetConsoleCtrlHandler(self, handler: Callable[[int], bool], add: bool) -> int:  # noqa: N802
        self.handlers.append(handler) if add else self.handlers.remove(handler)
        return 1

    def close_window(self, event: int = 2) -> bool:
        return any(handler(event) for handler in reversed(self.handlers))


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 0.01)
    monkeypatch.setattr(console_close, "STOP_NOW_S", 0.01)


@pytest.fixture
def windows() -> Iterator[Windows]:
    windows = Windows()
    yield windows
    assert windows.handlers == []


@pytest.mark.parametrize("event", [2, 5, 6])
def test_the_system_waits_until_the_records_are_closed(
    windows: Windows, monkeypatch: pytest.MonkeyPatch, event: int
) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 10)
    asked = threading.Event()
    answers: list[bool] = []
    with stop_on_console_close(asked.set, windows):
        system = threading.Thread(target=lambda: answers.append(windows.close_window(event)))
        system.start()
        assert asked.wait(10)
        assert answers == []  # the session writes its footer now
    system.join(10)
    assert answers == [True]


def test_a_session_that_does_not_end_is_hurried_and_then_left() -> None:
    asked: list[str] = []
    assert ConsoleCloseHandler(lambda: asked.append("stop"))(2)
    assert asked == ["stop", "stop"]


@pytest.mark.parametrize("event", [0, 1])
def test_control_c_and_control_break_are_left_to_python(windows: Windows, event: int) -> None:
    asked: list[str] = []
    with stop_on_console_close(lambda: asked.append("stop"), windows):
        assert not windows.close_window(event)
    assert asked == []


def test_the_wait_is_shorter_than_the_systems_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert console_close.ASK_S + console_close.STOP_NOW_S < 5
