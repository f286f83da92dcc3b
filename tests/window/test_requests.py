"""What a person asks of a session through the window: in a thread, and refused with a reason."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rig.supervisor import asker as asker_module
from rig.window import running_sessions, session_requests
from rig.window.running_sessions import RunningSessions
from rig.window.session_requests import SessionRequests

WITHIN_S = 20


class Computer:
    """The sessions that run, and what was asked of them."""

    has_looked = True

    def __init__(self) -> None:
        self.running: dict[Path, int] = {}
        self.asked: list[Mapping[str, Any]] = []
        self.was_asked = threading.Semaphore(0)

    def look(self) -> Mapping[Path, int]:
        return self.running

    def ask(self, path: Path, request: Mapping[str, Any], timeout_s: float = 0) -> Mapping[str, Any]:
        if request["do"] == "status":
            return {"ok": True, "text": "ready", "sources": ["left"], "live": {}}
        self.asked.append(request)
        self.was_asked.release()
        return {"ok": True, "text": "done"}


@pytest.fixture
def computer(monkeypatch: pytest.MonkeyPatch) -> Computer:
    it = Computer()
    monkeypatch.setattr(asker_module, "ask", it.ask)
    monkeypatch.setattr(asker_module, "socket_of", lambda pid: Path("socket"))
    return it


@pytest.fixture
def requests(computer: Computer, tmp_path: Path) -> Iterator[SessionRequests]:
    it = SessionRequests(tmp_path, computer)  # type: ignore[arg-type]
    yield it
    it.close()


def test_a_session_that_no_program_runs_cannot_be_asked(requests: SessionRequests, computer: Computer) -> None:
    requests.update(has_ended=False)
    assert requests.is_missing
    assert "can be reached" in requests.why_not
    requests.press("e")
    assert computer.asked == []


def test_before_the_first_look_it_says_that_it_is_looking(requests: SessionRequests, computer: Computer) -> None:
    computer.has_looked = False
    requests.update(has_ended=False)
    assert not requests.is_missing
    assert "looking" in requests.why_not


def test_a_running_session_is_asked_by_its_keys(requests: SessionRequests, computer: Computer, tmp_path: Path) -> None:
    computer.running[tmp_path.resolve()] = os.getpid()
    requests.update(has_ended=False)
    assert requests.why_not == ""
    requests.press("r")
    requests.press("1")
    requests.press("n")
    requests.press("looks thirsty\n")
    assert all(computer.was_asked.acquire(timeout=WITHIN_S) for _ in range(2))
    assert computer.asked == [{"do": "reward", "source": "left"}, {"do": "note", "text": "looks thirsty"}]


def test_the_end_is_confirmed(requests: SessionRequests, computer: Computer, tmp_path: Path) -> None:
    computer.running[tmp_path.resolve()] = os.getpid()
    requests.update(has_ended=False)
    for key in ("e", "n", "e", "y"):
        requests.press(key)
    assert computer.was_asked.acquire(timeout=WITHIN_S)
    assert computer.asked == [{"do": "end"}]


def test_a_session_that_has_ended_or_died_is_asked_nothing(
    requests: SessionRequests, computer: Computer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    computer.running[tmp_path.resolve()] = os.getpid()
    requests.update(has_ended=False)
    monkeypatch.setattr(session_requests, "is_running", lambda pid, mark: False)
    assert requests.has_died
    assert requests.why_not == session_requests.GONE
    requests.update(has_ended=True)
    assert not requests.has_died
    assert requests.why_not == session_requests.ENDED


def test_sessions_are_looked_for_in_a_thread_and_odd_answers_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    answers = [
        (Path("7.sock"), {"ok": True, "folder": str(tmp_path)}),
        (Path("8.sock"), {"ok": False, "error": "does not answer"}),
        (Path("x.sock"), {"ok": True, "folder": "elsewhere"}),
        (Path("9.sock"), {"ok": True, "folder": 3}),
    ]
    looked = threading.Event()

    def running(timeout_s: float) -> list[Any]:
        looked.set()
        return answers

    monkeypatch.setattr(running_sessions, "running", running)
    sessions = RunningSessions()
    sessions.start()
    assert sessions.look() == {}
    assert looked.wait(WITHIN_S)
    sessions.close()
    sessions._thread.join(WITHIN_S)
    assert sessions.has_looked
    assert sessions.look() == {tmp_path.resolve(): 7}
