"""Requests to one session, from a thread that a silent session may hold."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from rig.core.errors import ConfigError
from rig.supervisor import asker as module
from rig.supervisor.asker import SessionAsker
from rig.system.control_socket import SessionGoneError

WITHIN_S = 20


class Session:
    """A session that is asked; it answers, is silent, or is gone."""

    def __init__(self) -> None:
        self.answer: Mapping[str, Any] | ConfigError = {"ok": True, "folder": "f"}
        self.asked = threading.Semaphore(0)

    def ask(self, path: Path, request: Mapping[str, Any], timeout_s: float = 0) -> Mapping[str, Any]:
        self.asked.release()
        if isinstance(self.answer, ConfigError):
            raise self.answer
        return self.answer


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Session:
    it = Session()
    monkeypatch.setattr(module, "ask", it.ask)
    monkeypatch.setattr(module, "socket_of", lambda pid: Path("socket"))
    monkeypatch.setattr(module, "FIRST_STATUS_S", 0.001)
    monkeypatch.setattr(module, "STATUS_EVERY_S", 0.001)
    return it


@pytest.fixture
def changed() -> threading.Event:
    return threading.Event()


@pytest.fixture
def asker(session: Session, changed: threading.Event) -> Iterator[SessionAsker]:
    it = SessionAsker(1, changed.set)
    it.start()
    yield it
    it.close()
    it._thread.join(WITHIN_S)
    assert not it._thread.is_alive()


def test_it_asks_for_the_status_by_itself(asker: SessionAsker, session: Session) -> None:
    assert all(session.asked.acquire(timeout=WITHIN_S) for _ in range(3))
    assert asker.status == {"ok": True, "folder": "f"}
    assert not asker.is_silent


def test_a_silent_session_is_seen_and_one_that_answers_again(
    asker: SessionAsker, session: Session, changed: threading.Event
) -> None:
    session.answer = ConfigError("the session does not answer")
    assert changed.wait(WITHIN_S)
    assert asker.is_silent
    changed.clear()
    session.answer = {"ok": True}
    assert changed.wait(WITHIN_S)
    assert not asker.is_silent


def test_a_session_that_has_gone_is_not_called_silent(asker: SessionAsker, session: Session) -> None:
    session.answer = SessionGoneError("ended")
    assert all(session.asked.acquire(timeout=WITHIN_S) for _ in range(3))
    assert not asker.is_silent


def test_jobs_are_done_in_their_order_and_the_one_who_queues_them_does_not_wait(
    asker: SessionAsker, changed: threading.Event
) -> None:
    gate, done = threading.Event(), threading.Event()
    order: list[int] = []

    def second() -> None:
        order.append(2)
        done.set()

    asker.do(lambda: (gate.wait(WITHIN_S), order.append(1))[1])
    asker.do(second)
    assert asker.is_busy
    gate.set()
    assert done.wait(WITHIN_S)
    assert order == [1, 2]


def test_without_a_socket_a_request_says_why(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "socket_of", lambda pid: None)
    with pytest.raises(ConfigError, match="is starting or has ended"):
        SessionAsker(1).ask({"do": "end"})
