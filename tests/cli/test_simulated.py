"""A virtual subject is no animal: what it does touches nothing of a real one of the same name."""

import json
import shutil
from pathlib import Path

import pytest

from rig.core.journal.header import Header, RecordedStage
from tests.cli.conftest import BANDIT, Rig, Write
from tests.session_ends import header_of

AWAY = ("--subject", "M1", "--start", "2026-11-21T08:00")


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def newest(data: Path, subject: str) -> Header:
    return header_of(max((data / subject).rglob("journal.jsonl")))


def stage_of(header: Header) -> RecordedStage:
    assert header.curriculum is not None
    return header.curriculum


def subject_file(data: Path, text: str) -> None:
    (data / "M1").mkdir(parents=True)
    (data / "M1" / "subject.yaml").write_text(text)


# --- apart ----------------------------------------------------------------------------------------------------


def test_a_real_animal_has_its_full_day_and_top_up_after_a_simulation_of_its_name(
    rig: Rig, real: Rig, data: Path
) -> None:
    subject_file(data, "daily_target_ul: 1200\n")
    assert rig("sim", *BANDIT, "--subject", "M1", "--sessions", 3).status == 0
    answer = real("2026-11-21T09:00", "--set", "stop.max_rewards=1")
    assert answer.status == 0, answer.err
    assert "first session" in answer.err
    assert "1197.5 ul are due today: the target is 1200 ul, 2.5 ul were given" in answer.out
    assert newest(data, "M1").carry_over == {}


def test_virtual_days_of_a_training_leave_the_naive_animal_in_the_first_stage(
    rig: Rig, real: Rig, data: Path, course: Write
) -> None:
    words = ("--curriculum", course(), "--subject", "M1")
    assert rig("sim", *words, "--model", "rflr", "--days", 3, "--start", "2026-11-18").status == 0
    assert stage_of(newest(data, "sim/M1")).stage == "task"
    for command in ("why", "rebuild"):
        answer = rig("subject", command, "M1")
        assert answer.status == 2
        assert f"{data / 'sim' / 'M1'} is there: add --sim" in answer.err
    assert "stage task" in rig("subject", "why", "M1", "--sim").out
    answer = rig("run", *words, "--board", "sim", "--model", "rflr", "--set", "stop.session_s=1")
    assert "task of course" in answer.err


@pytest.mark.parametrize("words", [(), ("--rig", "sim_nose_ports"), ("--rig", "nose_ports_uno", "--board", "sim")])
def test_a_run_on_a_simulated_board_says_so_and_leaves_nothing_in_the_animals_folder(
    rig: Rig, data: Path, words: tuple[str, ...]
) -> None:
    answer = rig("run", *BANDIT, "--subject", "M1", *words, "--set", "stop.session_s=0.2")
    assert answer.status == 0, answer.err
    assert answer.err.startswith("SIMULATED: M1 is in no real rig")
    assert answer.out.startswith("SIMULATED: M1 was in no real rig")
    assert [path.name for path in data.iterdir()] == ["sim"]
    assert newest(data, "sim").simulated is True


def test_a_session_of_a_real_animal_says_that_it_is_one(real: Rig, data: Path) -> None:
    answer = real("2026-11-21T09:00")
    assert "SIMULATED" not in answer.err + answer.out
    assert newest(data, "M1").simulated is False
    assert json.loads((data / "M1" / "2026-11-21" / "001" / "summary.json").read_text())["simulated"] is False


def test_the_demonstration_is_simulated_too(rig: Rig, data: Path) -> None:
    assert rig("demo", "--speed", "max").status == 0
    assert {name.split("/")[0] for name in files(data)} == {"sim"}


def test_a_simulated_session_that_was_moved_to_an_animal_is_passed_over_and_told(
    rig: Rig, real: Rig, data: Path
) -> None:
    subject_file(data, "daily_target_ul: 1200\n")
    assert rig("sim", *BANDIT, *AWAY).status == 0
    shutil.copytree(data / "sim" / "M1" / "2026-11-21", data / "M1" / "2026-11-21")
    assert rig("subject", "rebuild", "M1").status == 0
    answer = real("2026-11-21T09:00", "--set", "stop.max_rewards=1")
    assert answer.status == 0, answer.err
    assert "first session" in answer.err
    assert "is simulated, and not looked at: 2026-11-21/001" in " ".join(answer.err.split())
    assert "2.5 ul were given" in answer.out


def test_no_subject_can_be_called_as_the_place_of_simulated_ones(rig: Rig, data: Path) -> None:
    for name in ("sim", "SIM"):
        answer = rig("run", *BANDIT, "--subject", name)
        assert (answer.status, "simulated sessions lie in a folder of that name" in answer.err) == (2, True)


# --- from the records of a real one ---------------------------------------------------------------------------


def test_a_simulation_begins_on_request_where_the_real_records_end_and_changes_nothing_there(
    rig: Rig, real: Rig, data: Path
) -> None:
    assert real("2026-11-20T09:00").status == 0
    assert rig("sim", *BANDIT, "--subject", "M1", "--start", "2026-11-19").status == 0
    before = files(data / "M1"), (data / "M1" / "state.json").read_bytes()
    left = json.loads(before[1])["two_armed_bandit"]
    for words in (("--sessions", 2), ()):
        answer = rig("sim", *BANDIT, *AWAY, "--from-records", *words)
        assert answer.status == 0, answer.err
        assert "from the real records, after 2026-11-20/001" in answer.err + answer.out
    first, second = (header_of(data / "sim" / "M1" / f"2026-11-{day}" / "001") for day in (21, 22))
    assert (first.carry_over, first.from_records) == (left, "2026-11-20/001")
    assert second.from_records is None
    assert (files(data / "M1"), (data / "M1" / "state.json").read_bytes()) == before
    assert rig("sim", *BANDIT, "--subject", "M1", "--start", "2026-11-25").status == 0, "it goes on from there"


def test_a_simulated_training_goes_on_from_the_stage_of_the_animal(
    rig: Rig, real: Rig, data: Path, course: Write, far: Path
) -> None:
    path = course(("{rewarded: 1}, at_least: 5", "{rewarded: 1}, at_least: 1"))
    for day in (18, 19):
        begun = real(f"2026-11-{day}T09:00", "--curriculum", path)
        assert begun.status == 0, begun.err
    words = ("--curriculum", path, "--subject", "M1", "--model", "rflr", "--start", "2026-11-20")
    answer = rig("sim", *words, "--from-records", "--days", 2, "--set", "stop.session_s=60")
    assert answer.status == 0, answer.err
    stages = [stage_of(header_of(data / "sim" / "M1" / f"2026-11-{day}" / "001")) for day in (20, 21)]
    assert [stage.stage for stage in stages] == ["task", "task"]
    assert stages[0].sessions == ["2026-11-18/001", "2026-11-19/001"]
    assert "has been through course" in rig("subject", "why", "M1", "--sim", "--curriculum", path).out
    assert "stage task" in rig("subject", "why", "M1", "--curriculum", path).out, "of the animal nothing has changed"


def test_records_to_begin_from_must_be_there_and_are_a_simulations_alone(rig: Rig, real: Rig, data: Path) -> None:
    answer = rig("sim", *BANDIT, *AWAY, "--from-records")
    assert (answer.status, "has no real session to begin from" in answer.err) == (2, True)
    answer = real("2026-11-20T09:00", "--from-records")
    assert (answer.status, "leave it out" in answer.err) == (2, True)
    assert not list(data.rglob("journal.jsonl"))


def test_an_analysis_of_all_real_sessions_leaves_the_simulated_ones_out(rig: Rig, real: Rig, data: Path) -> None:
    assert rig("sim", *BANDIT, *AWAY).status == 0
    assert rig("analyze", *sorted(data.glob("*/*/*"))).status == 0, "without a real session they are meant"
    answer = rig("analyze", data)
    assert (answer.status, f"simulated ones are in {data / 'sim'}" in answer.err) == (2, True)
    assert real("2026-11-21T09:00").status == 0
    for names in (sorted(data.glob("*/*/*")), sorted(data.glob("*/*")), sorted(data.glob("*"))):
        answer = rig("analyze", *names, "--json")
        assert answer.status == 0, answer.err
        assert "left out" in answer.err
        assert [each["subject"] for each in json.loads(answer.out)["sessions"]] == ["M1"]
