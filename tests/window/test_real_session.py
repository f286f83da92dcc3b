"""The window before a session that runs: its threads find the session, and its buttons ask it, through each carrier."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rig.core.journal.kinds import OperatorNote, ParamsChanged, Paused, Resumed, RewardLine
from rig.core.model.line import kind_of
from rig.core.model.reward import RewardStatus
from rig.records.journal.read import of_kind
from rig.system import control_socket
from tests.cli.conftest import BANDIT
from tests.cli.processes import begun, journal, reason, start, until

pytestmark = [pytest.mark.real_time, pytest.mark.slow, pytest.mark.usefixtures("qt")]

RUN = ("run", *map(str, BANDIT), "--set", "stop.session_s=600", "--subject", "M1", "--yes", "--seed", "1")
WITHIN_S = 30.0


@pytest.fixture
def session(tmp_path: Path, runtime: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[subprocess.Popen[str]]:
    """A session in real time with a virtual subject; its records are in ``tmp_path``."""
    monkeypatch.setenv("RIG_DATA", str(tmp_path))
    process = start(*RUN)
    try:
        until(lambda: begun(tmp_path))
        yield process
    finally:
        process.kill()
        process.communicate()


class Person:
    """A person who clicks buttons of the window of all sessions, and types what a question asks for."""

    def __init__(self) -> None:
        from rig.window.main_window import MainWindow
        from rig.window.running_sessions import RunningSessions
        from rig.window.targets import RunningTargets
        from rig.window.theme import LIGHT

        sessions = RunningSessions()
        sessions.start()
        self.window = MainWindow(RunningTargets(sessions), sessions, LIGHT, with_wall=True)
        self.window.start()

    def until(self, true: Callable[[], Any]) -> None:
        from PySide6.QtWidgets import QApplication

        end_s = time.monotonic() + WITHIN_S
        while not true():
            assert time.monotonic() < end_s, self.words
            QApplication.processEvents()
            time.sleep(0.005)

    @property
    def _bar(self) -> Any:
        return self.window.pages[0]._bar

    @property
    def words(self) -> str:
        """What the window says of the last request."""
        return str(self._bar._words.text()) if self.window.pages else "no session is shown"

    def click(self, label: str) -> None:
        """Click the button with this label as soon as it can be clicked."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QPushButton

        def buttons() -> list[QPushButton]:
            shown = self._bar.findChildren(QPushButton)
            return [button for button in shown if button.text() == label and button.isVisible() and button.isEnabled()]

        self.until(buttons)
        QTest.mouseClick(buttons()[0], Qt.MouseButton.LeftButton)

    def type(self, text: str) -> None:
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest

        line = self._bar._line
        self.until(line.isVisible)
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.fixture
def person(session: subprocess.Popen[str], qt: object) -> Iterator[Person]:
    it = Person()
    it.until(lambda: it.window.pages)
    it.window.press("1")
    yield it
    it.window.close()
    it.window.deleteLater()


def test_each_button_does_to_the_session_what_it_says(
    person: Person, session: subprocess.Popen[str], tmp_path: Path
) -> None:
    person.click("Reward (r)")
    person.click("left (1)")
    person.until(lambda: "left: 2.5 ul given" in person.words)
    person.click("Note (n)")
    person.type("looks thirsty")
    person.until(lambda: "noted" in person.words)
    person.click("Pause (p)")
    person.click("Resume (p)")
    person.click("Set (s)")
    person.click("reward_ul (4)")
    person.type("2")
    person.until(lambda: any(of_kind(journal(tmp_path), ParamsChanged)))
    person.click("End (e)")
    person.click("yes (y)")
    person.until(lambda: session.poll() is not None)
    lines = journal(tmp_path)
    by_hand = [line for line in of_kind(lines, RewardLine) if line.delivered_by == "operator"]
    assert [(line.source, line.amount, line.status) for line in by_hand[1:]] == [("left", 2.5, RewardStatus.DELIVERED)]
    assert len({line.id for line in by_hand}) == 1
    assert [line.text for line in of_kind(lines, OperatorNote)] == ["looks thirsty"]
    assert [kind_of(line) for line in lines if isinstance(line, Paused | Resumed)] == ["pause", "resume"]
    assert [line.changed for line in of_kind(lines, ParamsChanged)] == [{"reward_ul": 2.0}]
    assert reason(tmp_path) == "operator"


def test_a_session_that_is_killed_is_seen_and_can_be_asked_nothing_more(
    person: Person, session: subprocess.Popen[str]
) -> None:
    person.until(lambda: person.window.pages[0].watched.requests.is_known)
    session.kill()
    session.wait()
    person.until(lambda: "the program that ran the session has gone" in person.words)
    person.until(lambda: not person.window._sessions.look())
    assert control_socket.running() == []
