"""``rig session reassign`` and ``rig catalog``, as a technician meets them."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Rig

ONCE = ("--set", "stop.max_rewards=1")


@pytest.fixture
def moved(rig: Rig, real: Rig, data: Path, monkeypatch: pytest.MonkeyPatch) -> Rig:
    """A session of M1, and an animal M2 without any."""
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    assert real("2026-11-21T09:00", *ONCE).status == 0
    assert rig("subject", "add", "M2", "--species", "mouse").status == 0
    return rig


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_session_under_the_wrong_animal_is_moved(moved: Rig, real: Rig, data: Path) -> None:
    answer = moved("session", "reassign", "M1/2026-11-21/001", "M2", "--reason", "wrong card")
    assert (answer.status, "M1/2026-11-21/001 belongs to M2 from now on" in answer.out) == (0, True), answer.err
    assert "2026-11-21/001 belongs to M2, as 2026-11-21/001: wrong card" in flat(moved("subject", "show", "M1").out)
    shown = json.loads(moved("subject", "show", "M2", "--json").out)
    assert "was recorded as 2026-11-21/001 of M1" in shown["changes"][0]["text"]
    assert [day["earned_ul"] for day in shown["days"]] == [2.5]
    assert real("2026-11-21T10:00", *ONCE).status == 0, "the wrong animal's next session begins"
    assert (data / "M1" / "2026-11-21" / "002").is_dir()
    analyzed = moved("analyze", data / "M2" / "2026-11-21" / "001", "--analysis", "sessions", "--json")
    assert '"M2"' in analyzed.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("M1/2026-11-21/009", "M2", "--reason", "so"), "there is no such folder"),
        (("M1/2026-11-21/001", "M1", "--reason", "so"), "belongs to M1 already"),
        (("M1/2026-11-21/001", "M9", "--reason", "so"), "`rig subject add M9` adds one"),
        (("M1/2026-11-21/001", "M2", "--reason", " "), "a reason is wanted"),
        (("M1/2026-11-21/001", "M2", "--reason", "so", "--by", " "), "who says so?"),
        (("M1/2026-11-21/001", "../M2", "--reason", "so"), "cannot be a folder's name"),
    ],
)
def test_nonsense_moves_nothing(moved: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    answer = moved("session", "reassign", *words)
    assert (answer.status, said in flat(answer.err)) == (2, True), answer.err
    assert (data / "M1" / "2026-11-21" / "001" / "journal.jsonl").is_file()


def test_the_catalog_lists_and_searches_sessions(moved: Rig, real: Rig, data: Path) -> None:
    assert real("2026-11-22T09:00", *ONCE).status == 0
    listed = moved("catalog")
    assert "M1 2026-11-21/001 two_armed_bandit - " in flat(listed.out)
    assert len(listed.out.splitlines()) == 3
    assert len(moved("catalog", "--since", "2026-11-22", "--reason", "reward_limit").out.splitlines()) == 2
    assert moved("catalog", "--subject", "M7").out == "no such session\n"
    assert moved("catalog", "--sim").out == "no such session, but 2 real sessions: leave --sim out\n"
    rows = json.loads(moved("catalog", "--json", "--protocol", "two_armed_bandit", "--until", "2026-11-21").out)
    assert [(row["subject"], row["session"], row["ul"]) for row in rows] == [("M1", "2026-11-21/001", 2.5)]
    (data / "catalog.sqlite").write_bytes(b"damaged")
    assert moved("catalog").out == listed.out
    assert "made again from 2 journals" in moved("catalog", "rebuild").out
    assert moved("catalog").out == listed.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--since", "soon"), "--since soon: is no day: wanted YYYY-MM-DD, today, yesterday or week"),
        (("--reason", "bored"), "--reason bored: wanted one of time_limit"),
        (("--data", "nowhere"), "nowhere: there is no such folder"),
    ],
)
def test_a_search_that_makes_no_sense_is_refused(moved: Rig, words: tuple[str, ...], said: str) -> None:
    answer = moved("catalog", *words)
    assert (answer.status, said in answer.err) == (2, True)
