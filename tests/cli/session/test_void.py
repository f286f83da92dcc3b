"""A test session that is voided: it stays, and counts nowhere but in what the animal was given."""

import datetime
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rig.core.errors import RecordError
from rig.records.session.history import PastSession, past_sessions
from rig.records.session.void import void_text
from rig.records.subject.deliveries import delivered_between
from tests.cli.conftest import Rig

ONCE = ("--set", "stop.max_rewards=1")
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)
VOID = ("session", "void", "M1/2026-11-21/001", "--reason", "a test")


@pytest.fixture
def tried(rig: Rig, real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A session of M1 that was a test."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 18))
    assert real("2026-11-21T09:00", *ONCE, "--weight-g", "31").status == 0
    rig("subject", "set", "M1", "--species", "mouse", "--baseline-g", "30")
    return rig


def flat(text: str) -> str:
    return " ".join(text.split())


def test_what_a_voided_session_gave_still_counts_for_the_day(tried: Rig, data: Path) -> None:
    answer = tried(*VOID)
    assert "M1/2026-11-21/001 is voided: it stays, and counts nowhere but in what M1 was given" in answer.out
    assert delivered_between(data / "M1", *DAY).amount.ul == 2.5
    (day,) = json.loads(tried("subject", "show", "M1", "--json").out)["days"]
    assert (day["earned_ul"], day["due"], day["top_up_open"]) == (2.5, 1197.5, True)


def test_a_voided_session_counts_for_no_trial_weight_stage_or_number_of_sessions(tried: Rig, data: Path) -> None:
    tried(*VOID)
    report = json.loads(tried("subject", "show", "M1", "--json").out)
    assert (report["sessions"], report["days"][0]["weight_g"]) == (0, None)
    assert "VOID, Ada: a test" in tried("subject", "show", "M1").out
    (past,) = past_sessions(data / "M1")
    assert isinstance(past, PastSession)
    assert (past.voided, past.advances_state) == ("Ada: a test", False)


def test_the_next_session_goes_on_from_before_a_voided_one(tried: Rig, real: Rig, data: Path) -> None:
    state = data / "M1" / "state.json"
    assert json.loads(state.read_text()) != {}
    tried(*VOID)
    assert json.loads(state.read_text()) == {}
    # Not too early either: the last session that counts is none.
    assert real("2026-11-21T10:00", *ONCE).status == 0


def test_a_curriculum_passes_a_voided_session_over(
    tried: Rig, real: Rig, data: Path, course: Callable[..., Path]
) -> None:
    path = course()
    for day in ("22", "23"):
        assert real(f"2026-11-{day}T09:00", "--curriculum", path, "--set", "stop.session_s=1200").status == 0
    assert "the next session is in stage task" in tried("subject", "why", "M1", "--curriculum", path).out
    tried("session", "void", "M1/2026-11-23/001", "--reason", "a test")
    why = tried("subject", "why", "M1", "--curriculum", path).out
    assert "the next session is in stage water" in why
    assert "2026-11-23/001 does not count: it is voided, Ada: a test" in why


def test_a_voided_session_is_marked_in_the_catalog_and_on_the_pages(tried: Rig, data: Path, tmp_path: Path) -> None:
    assert "VOID" not in tried("catalog").out
    tried(*VOID)
    assert "VOID, Ada: a test; the reward limit" in flat(tried("catalog").out)
    (row,) = json.loads(tried("catalog", "--json").out)
    assert (row["voided"], row["counts"]) == ("Ada: a test", False)
    page = tmp_path / "page.html"
    for words in (("--day", "2026-11-21"), ("--subject", "M1"), (data / "M1" / "2026-11-21" / "001",)):
        assert tried("report", *words, "--to", page).status in (0, 1)
        text = page.read_text(encoding="utf-8")
        assert "Ada: a test" in text, words
        assert "void" in text.lower(), words


def test_a_voided_session_is_exported_only_by_its_own_folder(tried: Rig, real: Rig, data: Path, tmp_path: Path) -> None:
    assert real("2026-11-22T09:00", *ONCE).status == 0
    tried(*VOID)
    assert tried("export", "csv", data / "M1", "--to", tmp_path / "all").status == 0
    assert [path.name for path in sorted((tmp_path / "all").glob("*/*"))] != []
    assert not list((tmp_path / "all").rglob("*2026-11-21*"))


def test_a_voided_session_moves_with_its_void_and_counts_again_when_that_is_undone(tried: Rig, data: Path) -> None:
    tried(*VOID)
    tried("subject", "add", "M2")
    assert tried("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card").status == 0
    session = data / "M2" / "2026-11-21" / "001"
    assert void_text(session) == "Ada: a test"
    undo = ("session", "void", "M2/2026-11-21/001", "--undo", "--reason", "it was real")
    assert "M2/2026-11-21/001 counts again" in tried(*undo).out
    assert void_text(session) is None
    assert json.loads((data / "M2" / "state.json").read_text()) != {}
    assert [decision["voided"] for decision in json.loads((session / "void.json").read_text())] == [True, False]
    assert "is not voided" in tried(*undo).err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("M1/2026-11-21/009", "--reason", "so"), "there is no such folder"),
        (("M1/2026-11-21", "--reason", "so"), "is no session"),
        (("M1/2026-11-21/001", "--reason", " "), "a reason is wanted"),
        (("M1/2026-11-21/001", "--reason", "so", "--undo"), "is not voided"),
    ],
)
def test_nonsense_voids_nothing(tried: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    answer = tried("session", "void", *words)
    assert (answer.status, said in flat(answer.err)) == (2, True), answer.err
    assert void_text(data / "M1" / "2026-11-21" / "001") is None


def test_a_session_is_voided_once_and_a_killed_command_is_completed(tried: Rig, data: Path) -> None:
    state = (data / "M1" / "state.json").read_text()
    tried(*VOID)
    (data / "M1" / "state.json").write_text(state)  # as it is when the command is killed before it
    answer = tried(*VOID)
    assert (answer.status, "is voided already: Ada: a test" in answer.err) == (2, True)
    assert json.loads((data / "M1" / "state.json").read_text()) == {}


@pytest.mark.parametrize("content", ["", "[", "{}", '[{"voided": "yes"}]', "[1]"])
def test_a_damaged_file_is_told_and_not_guessed_at(tried: Rig, data: Path, content: str) -> None:
    session = data / "M1" / "2026-11-21" / "001"
    (session / "void.json").write_text(content)
    with pytest.raises(RecordError, match=r"void\.json: cannot be read"):
        void_text(session)
    assert delivered_between(data / "M1", *DAY).amount.ul == 2.5
