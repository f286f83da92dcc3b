"""A console that closes, or a user who logs off: the session is stopped, and the system waits for its records."""

import threading
from collections.abc import Iterator

import pytest

from rig.platform import console_close
from rig.platform.console_close import ConsoleCloseHandler, stop_on_console_close
from rig.platform.log_off_window import END_SESSION, QUERY_END_SESSION
from tests.platform.windows_console import Windows


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 0.01)
    monkeypatch.setattr(console_close, "STOP_NOW_S", 0.01)


@pytest.fixture
def windows() -> Iterator[Windows]:
    windows = Windows()
    yield windows
    assert windows.kernel32.handlers == []
    assert not windows.user32.is_registered


@pytest.mark.parametrize("event", [2, 5, 6])
def test_the_system_waits_until_the_records_are_closed(
    windows: Windows, monkeypatch: pytest.MonkeyPatch, event: int
) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 10)
    asked = threading.Event()
    answers: list[bool] = []
    with stop_on_console_close(asked.set, windows):
        system = threading.Thread(target=lambda: answers.append(windows.kernel32.close_window(event)))
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
        assert not windows.kernel32.close_window(event)
    assert asked == []


def test_a_log_off_that_is_cancelled_stops_nothing(windows: Windows) -> None:
    asked: list[str] = []
    with stop_on_console_close(lambda: asked.append("stop"), windows):
        assert windows.user32.send(QUERY_END_SESSION, 0, 0) == 1
        windows.user32.send(END_SESSION, 0, 0)
    assert asked == []


def test_a_log_off_waits_until_the_records_are_closed(windows: Windows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 10)
    asked = threading.Event()
    has_answered = threading.Event()

    def log_off() -> None:
        windows.user32.send(END_SESSION, 1, 0)
        has_answered.set()

    with stop_on_console_close(asked.set, windows):
        system = threading.Thread(target=log_off)
        system.start()
        assert asked.wait(10)
        assert not has_answered.is_set()
    system.join(10)
    assert has_answered.is_set()


def test_a_log_off_that_also_closes_the_console_asks_once(windows: Windows, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console_close, "ASK_S", 10)
    asked = threading.Semaphore(0)
    with stop_on_console_close(asked.release, windows):
        events = [
            threading.Thread(target=windows.user32.send, args=(END_SESSION, 1, 0)),
            threading.Thread(target=windows.kernel32.close_window),
        ]
        for event in events:
            event.start()
        assert asked.acquire(timeout=10)
        assert not asked.acquire(timeout=0.05)  # a second stop would not wait for the board
    for event in events:
        event.join(10)


def test_the_wait_is_shorter_than_the_systems_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert console_close.ASK_S + console_close.STOP_NOW_S < 5
