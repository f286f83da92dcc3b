"""The lamp of a session."""

from pathlib import Path

import pytest

from rig.window import session_feed
from rig.window.lamp import SIGNS, Lamp, Level, lamp_of
from rig.window.session_feed import SessionFeed
from tests.journal_lines import sealed_json
from tests.window.journals import SESSION, JournalWriter


@pytest.fixture
def journal(tmp_path: Path) -> JournalWriter:
    return JournalWriter(tmp_path / "journal.jsonl")


def lamp(path: Path, *, is_silent: bool = False) -> Lamp:
    feed = SessionFeed(path)
    feed.read(60)
    return lamp_of(feed, is_silent=is_silent)


def test_every_level_has_its_own_sign() -> None:
    assert len(set(SIGNS.values())) == len(Level)


def test_a_session_that_has_not_begun_is_waited_for(tmp_path: Path, journal: JournalWriter) -> None:
    assert lamp(tmp_path / "other.jsonl").level is Level.WAITING
    assert lamp(journal.path).words == "waiting: opening the board"


def test_a_session_that_runs_well_is_ok(journal: JournalWriter) -> None:
    journal.write("state", 0, name="ready")
    assert lamp(journal.path).level is Level.OK
    assert lamp(journal.path, is_silent=True).words == "warning: its program does not answer"


def test_a_session_that_has_ended_says_why(journal: JournalWriter) -> None:
    journal.end(5)
    assert lamp(journal.path) == Lamp(Level.ENDED, "the time limit was reached; verdict: good")


@pytest.mark.parametrize("reason", ["fault", "panic", "crash"])
def test_a_session_that_has_failed_is_a_failure(journal: JournalWriter, reason: str) -> None:
    journal.end(5, reason, "the board is lost")
    found = lamp(journal.path)
    assert found.level is Level.FAILURE
    assert "the board is lost" in found.text


def test_a_panic_button_is_a_failure_before_the_end(journal: JournalWriter) -> None:
    journal.write("panic", 1)
    assert lamp(journal.path).level is Level.FAILURE


def test_a_lost_board_is_a_failure_until_it_is_back(tmp_path: Path) -> None:
    stop = {"session_s": 600, "min_trials": 1, "reconnect_within_s": 60}
    journal = JournalWriter(tmp_path / "lost.jsonl", {**SESSION, "stop": stop})
    journal.write("state", 0, name="ready")
    journal.write("fault", 1, what="disconnected", detail="no board")
    assert lamp(journal.path) == Lamp(Level.FAILURE, "BOARD LOST: plug it in within 60 s")
    journal.write("continued", 2, gap_us=1, why="link_lost")
    assert lamp(journal.path).level is Level.WARNING


def test_a_fault_of_the_board_a_damaged_line_and_a_finding_are_warnings(journal: JournalWriter) -> None:
    journal.write("state", 0, name="ready")
    journal.write("overflow", 1, lost=3)
    assert "overflow" in lamp(journal.path).text
    journal.append(b"nonsense\n")
    assert "left out" in lamp(journal.path).text
    journal.warn(2)
    assert "see below" in lamp(journal.path).text
    assert lamp(journal.path).level is Level.WARNING


def test_silence_is_a_warning(journal: JournalWriter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_feed, "last_change_s", lambda follower: session_feed.time.monotonic() - 75)
    journal.write("state", 0, name="ready")
    assert "nothing new for 1:15" in lamp(journal.path).text


def test_a_journal_of_another_format_and_one_that_has_gone_are_failures(tmp_path: Path) -> None:
    old = tmp_path / "old.jsonl"
    old.write_bytes(sealed_json({"seq": 0, "k": "header", "format": 1}))
    assert lamp(old).level is Level.FAILURE
    gone = JournalWriter(tmp_path / "gone.jsonl")
    feed = SessionFeed(gone.path)
    feed.read(60)
    gone.path.unlink()
    assert lamp_of(feed).words == "FAILURE: the journal is not in its place any more"
