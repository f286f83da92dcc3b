"""Animals that are retired: out of the lists and of what is due, with all their records."""

import datetime
from pathlib import Path

import pytest

from rig.records.subject.deliveries import delivered_between
from rig.records.subject.retirement import retirement
from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
DAY = datetime.datetime(2026, 11, 21), datetime.datetime(2026, 11, 22)
RETIRE = ("subject", "retire", "M1", "--reason", "its last day")


@pytest.fixture(autouse=True)
def morning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIG_EXPERIMENTER", "Ada")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("rig.cli.common.now", lambda: datetime.datetime(2026, 11, 21, 18))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_retired_animal_is_out_of_the_list_and_keeps_its_records(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M2", *MOUSE)
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "set", "M1", *MOUSE)
    rig("subject", "give", "M1", "1000ul")
    assert rig(*RETIRE).status == 0
    listed = rig("subject", "list").out
    assert "1 retired subject: `rig subject list --all` lists them too" in listed
    assert "M1 " not in listed
    assert "M1 " in rig("subject", "list", "--all").out
    assert "M1" in rig("catalog").out
    assert delivered_between(data / "M1", *DAY).amount.ul == 1002.5


def test_a_top_up_that_is_open_is_told_when_an_animal_is_retired(rig: Rig, real: Rig) -> None:
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    rig("subject", "set", "M1", *MOUSE)
    said = flat(rig(*RETIRE).out)
    assert "warning: OPEN, of 2026-11-21: 1197.5 ul were never confirmed" in said
    assert "It can be recorded after `rig subject undo M1`; then retire it again." in said
    assert rig("subject", "undo", "M1").status == 0
    assert rig("subject", "give", "M1", "1197.5ul", "--top-up", "2026-11-21").status == 0
    assert "OPEN" not in rig(*RETIRE).out


def test_a_retired_animal_runs_no_session_and_is_given_nothing(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig(*RETIRE)
    said = "M1: is retired since 2026-11-21 (Ada: its last day). If it is back: rig subject unretire M1 --reason WHY"
    refused = real("2026-11-21T09:00", "--set", "stop.max_rewards=1")
    assert (refused.status, said in flat(refused.err)) == (2, True), refused.err
    for words in (("give", "M1", "5ul"), ("weigh", "M1", "24"), ("give", "M1", "5ul", "--reason", "so")):
        answer = rig("subject", *words)
        assert (answer.status, said in answer.err) == (2, True)
    assert said in rig(*RETIRE).err
    assert rig("subject", "note", "M1", "perfused").status == 0


def test_a_retired_animal_is_not_missed_on_the_page_of_the_day(rig: Rig, real: Rig, tmp_path: Path) -> None:
    page = tmp_path / "day.html"
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    rig("report", "--day", "2026-11-22", "--to", page)
    assert "M1" in page.read_text(encoding="utf-8")
    rig(*RETIRE)
    rig("report", "--day", "2026-11-22", "--to", page)
    assert "M1" not in page.read_text(encoding="utf-8")


def test_an_animal_that_is_back_is_in_the_list_and_runs(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig(*RETIRE)
    assert rig("subject", "unretire", "M1", "--reason", "back from breeding").status == 0
    assert "M1 " in rig("subject", "list").out
    assert real("2026-11-21T09:00", "--set", "stop.max_rewards=1").status == 0
    refused = rig("subject", "unretire", "M1", "--reason", "so")
    assert (refused.status, "M1: is not retired" in refused.err) == (2, True)


def test_a_retirement_of_the_wrong_animal_is_undone(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig(*RETIRE)
    assert rig("subject", "undo", "M1").status == 0
    assert retirement(data / "M1") is None


def test_a_retirement_needs_a_reason(rig: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    assert "a reason is wanted" in rig("subject", "retire", "M1", "--reason", " ").err
    assert retirement(data / "M1") is None


def test_a_mistyped_name_is_merged_into_the_right_one(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "add", "M10", *MOUSE)
    assert rig("subject", "give", "M10", "300ul").status == 0
    answer = rig("subject", "merge", "m10", "into", "M1", "--reason", "mistyped")
    assert answer.out == "M10 is merged into M1: 0 sessions and 1 entry moved; M10 is retired\n"
    assert delivered_between(data / "M1", *DAY).amount.ul == 300
    assert "the record of M10 was merged into M1: mistyped" in flat(rig("subject", "show", "M1").out)
    assert "M10" not in rig("subject", "list").out
    assert (
        "M10: is retired since 2026-11-21 (Ada: merged into M1: mistyped)" in rig("subject", "give", "M10", "1ul").err
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("M1", "into", "M9"), "has no subject 'M9'"),
        (("M9", "into", "M1"), "has no subject 'M9'"),
        (("M1", "M2", "M1"), "invalid choice: 'M2' (choose from 'into')"),
        (("M1", "into", "m1"), "cannot be merged into itself"),
    ],
)
def test_names_that_cannot_be_merged_are_refused(rig: Rig, words: tuple[str, ...], said: str) -> None:
    rig("subject", "add", "M1", *MOUSE)
    answer = rig("subject", "merge", *words, "--reason", "so")
    assert (answer.status, said in answer.err) == (2, True), answer.err
