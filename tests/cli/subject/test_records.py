"""Facts and events of an animal, from the command line."""

import datetime
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.journal.header import Footer
from rig.core.journal.kinds import Facts, HandGiven, Renamed, SubjectEvent
from rig.records.journal.read import read_journal
from rig.records.subject_events import read_events
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
pytestmark = pytest.mark.usefixtures("morning")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Set the clock of the computer."""
    return lambda text: monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime.fromisoformat(text))


def flat(text: str) -> str:
    return " ".join(text.split())


def kinds(folder: Path) -> list[type[SubjectEvent]]:
    return [type(line) for line in read_events(folder).lines]


def test_a_renaming_that_was_killed_is_completed_by_the_same_command(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", lambda *words: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert rig("subject", "rename", "M1", "M7", "--reason", "so").status != 0
    assert rig("subject", "rename", "M1", "M7", "--reason", "so").status == 0
    assert kinds(data / "M7") == [Facts, Renamed]


def test_a_move_that_was_killed_is_told_at_the_start_and_in_the_report(
    rig: Rig, real: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = ("--set", "stop.max_rewards=1")
    assert real("2026-11-21T09:00", *once).status == 0
    rig("subject", "add", "M2", *MOUSE)
    with monkeypatch.context() as patch:
        patch.setattr("os.rename", lambda *words: (_ for _ in ()).throw(OSError(28, "No space left on device")))
        assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status != 0
    said = "the move of M1/2026-11-21/001 to M2 was interrupted: complete it with `rig session reassign"
    assert said in flat(rig("subject", "show", "M1").out)
    assert said in flat(rig("subject", "show", "M2").out)
    assert said in flat(real("2026-11-22T09:00", *once).err)
    assert rig("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status == 0
    assert "interrupted: complete" not in flat(rig("subject", "show", "M1").out)


@pytest.mark.parametrize(("answer", "ul"), [("y", 1197.5), ("1.1 ml", 1100.0), ("200ul", 200.0)])
def test_the_top_up_is_asked_for_and_recorded_after_the_session(
    rig: Rig, real: Rig, data: Path, typed: Callable[..., list[str]], answer: str, ul: float
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    asked = typed(answer)
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    assert asked[-1].startswith("M1 is due 1197.5 ul. Given?")
    last = read_events(data / "M1").lines[-1]
    assert isinstance(last, HandGiven)
    assert (last.ul, last.top_up_for) == (ul, "2026-11-21")
    assert "OPEN" not in rig("subject", "show", "M1").out


@pytest.mark.parametrize("answers", [("",), ("n",), ("perhaps", "12g", "much"), ()])
def test_a_top_up_without_an_answer_stays_open(
    rig: Rig, real: Rig, data: Path, typed: Callable[..., list[str]], answers: tuple[str, ...]
) -> None:
    rig("subject", "add", "M1", *MOUSE)
    typed(*answers)
    ended = real("2026-11-21T09:00", "--set", "stop.max_rewards=1")
    assert "OPEN, of 2026-11-21" in flat(ended.err)
    assert HandGiven not in kinds(data / "M1")
    assert isinstance(read_journal(data / "M1" / "2026-11-21" / "001")[-1], Footer)
