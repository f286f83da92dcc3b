"""`rig subject due --ask`: whether an animal got what it is due."""

from __future__ import annotations

from pathlib import Path

import pytest

from rig.cli.subject import due
from rig.cli.terminal import prompt
from rig.core.journal.kinds import HandGiven
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

pytestmark = pytest.mark.usefixtures("morning")


@pytest.fixture
def thirsty(rig: Rig, data: Path) -> Path:
    """A mouse that was weighed yesterday, and is due its water of both days."""
    rig("subject", "add", "M1", "--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-20")
    (data / "M1" / "subject.yaml").write_text("daily_target_ul: 1000\n")
    rig("subject", "weigh", "M1", "24", "--at", "yesterday 09:00")
    return data / "M1"


def test_each_day_that_is_open_is_asked_for_and_the_answer_is_recorded(
    rig: Rig, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(prompt, "is_interactive", lambda: True)
    monkeypatch.setattr(prompt, "ask_now", lambda question: asked.append(question) or "y")
    answer = rig("subject", "due", "--ask", "M1")
    assert [question.partition("[")[0] for question in asked] == [
        "M1 is due 1000 ul of 2026-11-20. Given? ",
        "M1 is due 1000 ul. Given? ",
    ]
    assert [given.top_up_for for given in read_events(thirsty).of_kind(HandGiven)] == ["2026-11-20", "2026-11-21"]
    assert answer.out.splitlines()[1] == "1000 ul recorded as top-up of 2026-11-21"
    assert rig("subject", "due", "--ask", "M1").out == "nothing is due to M1\n"


def test_a_top_up_that_was_recorded_while_it_was_asked_for_is_not_recorded_twice(
    rig: Rig, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(question: str) -> str:  # another person is quicker, at another launcher
        if "of 2026-11-20" in question:
            rig("subject", "give", "M1", "1000ul", "--top-up", "2026-11-20")
        return "y"

    monkeypatch.setattr(prompt, "is_interactive", lambda: True)
    monkeypatch.setattr(prompt, "ask_now", answer)
    assert "the top-up of 2026-11-20 was recorded meanwhile" in rig("subject", "due", "--ask", "M1").out
    assert [given.top_up_for for given in read_events(thirsty).of_kind(HandGiven)] == ["2026-11-20", "2026-11-21"]


def test_without_a_person_the_top_up_stays_open(rig: Rig, thirsty: Path) -> None:
    answer = rig("subject", "due", "--ask", "m1")
    assert answer.status == 0
    assert "OPEN, of 2026-11-20: 1000 ul were never confirmed" in answer.out
    assert list(read_events(thirsty).of_kind(HandGiven)) == []


def test_an_animal_in_a_session_may_get_the_rest_there(
    rig: Rig, thirsty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(due, "running_folders", lambda: frozenset([(thirsty / "2026-11-21" / "001").resolve()]))
    answer = rig("subject", "due", "--ask", "M1")
    assert answer.status == 2
    assert "M1 is in a session now, which may give the rest: ask when it has ended" in answer.err


def test_an_animal_that_is_not_known_is_named(rig: Rig, thirsty: Path) -> None:
    assert "has no subject 'M7'" in rig("subject", "due", "--ask", "M7").err
