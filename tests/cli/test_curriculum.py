"""Curricula from the command line: a training goes on by itself, survives what happens, and can be asked why."""

import signal
from pathlib import Path

import pytest

from tests.cli.conftest import Rig, Write
from tests.cli.processes import journal_paths as begun
from tests.cli.processes import posix, start, until
from tests.cli.recorded_sessions import DAYS, headers, journal_bytes, sim_arguments, without_subject_facts


def stages(data: Path, subject: str = "M1") -> list[str]:
    return [header.curriculum.stage for header in headers(data, subject) if header.curriculum is not None]


# --- a whole training ------------------------------------------------------------------------------------------


def test_a_training_that_was_interrupted_goes_on_as_if_it_had_not_been(rig: Rig, tmp_path: Path, course: Write) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert rig(*sim_arguments(course(), "--days", 4, "--data", whole)).status == 0
    for days in (("--days", 2), ("--start-day", 3), ("--start-day", 4)):
        assert rig(*sim_arguments(course(), *days, "--data", parts)).status == 0
    assert journal_bytes(parts) == journal_bytes(whole)
    assert len(journal_bytes(whole)) == 4


def test_results_do_not_depend_on_the_number_of_jobs(rig: Rig, tmp_path: Path, course: Write) -> None:
    words = ("sim", "--curriculum", course(), "--model", "rflr", *DAYS, "--subjects", 2, "--days", 3)
    for jobs in (1, 2):
        assert rig(*words, "--jobs", jobs, "--data", tmp_path / str(jobs)).status == 0
    assert journal_bytes(tmp_path / "1") == journal_bytes(tmp_path / "2")
    assert len(journal_bytes(tmp_path / "1")) == 6


def test_without_a_subject_one_goes_through_it(rig: Rig, data: Path, course: Write) -> None:
    assert rig("sim", "--curriculum", course(), "--model", "rflr", *DAYS, "--days", 3).status == 0
    assert stages(data, "sim001") == ["water", "water", "task"]


# --- what does not count ---------------------------------------------------------------------------------------


@posix
@pytest.mark.real_time
def test_a_training_that_was_killed_in_a_session_goes_on_with_the_same_stage(
    rig: Rig, data: Path, tmp_path: Path, course: Write
) -> None:
    path = course(("{sessions: 2}\n", "{sessions: 1}\n"))
    whole = tmp_path / "whole"
    assert rig(*sim_arguments(path, "--data", whole)).status == 0
    assert rig(*sim_arguments(path, "--start-day", 2, "--days", 2, "--data", whole)).status == 0
    assert rig(*sim_arguments(path)).status == 0
    with start(*map(str, sim_arguments(path, "--start-day", 2, "--speed", 20))) as process:
        until(lambda: len(begun(data)) == 2)
        process.send_signal(signal.SIGKILL)
    assert stages(data) == ["water", "task"]
    assert rig(*sim_arguments(path, "--start-day", 2, "--days", 2)).status == 0
    again, alone = (folder / "sim" / "M1" / "2026-11-22" for folder in (data, whole))
    assert without_subject_facts(again / "002") == without_subject_facts(alone / "001")
    assert stages(data) == ["water", "task", "task", "task"]


# --- a person at the rig ---------------------------------------------------------------------------------------

RUN = ("run", "--model", "rflr", "--subject", "M1", "--set", "stop.session_s=0.2")


def test_the_start_screen_says_which_stage_and_why_and_what_to_do_by_hand(rig: Rig, data: Path, course: Write) -> None:
    path = course()
    first = rig(*RUN, "--curriculum", path, "--start", "2026-11-20T09:00")
    assert first.status == 0, first.err
    assert "water of course: the first stage" in first.err
    assert "bait the ports" in first.err
    second = rig(*RUN, "--curriculum", path, "--start", "2026-11-21T09:00")
    assert "water of course: stays: sessions: 1 (wanted >= 2); rewards: 0 (wanted >= 5)" in " ".join(second.err.split())
    assert stages(data) == ["water", "water"]


def test_a_technician_chooses_a_stage_and_says_why(rig: Rig, data: Path, course: Write) -> None:
    path = course()
    words = (*RUN, "--curriculum", path, "--start")
    answer = rig(*words, "2026-11-20T09:00", "--stage", "task", "--override", "stage=trained elsewhere")
    assert answer.status == 0, answer.err
    assert "task of course: chosen by hand: trained elsewhere" in answer.err
    stage = headers(data)[0].curriculum
    assert stage is not None
    assert stage.override == "trained elsewhere"
    assert rig(*words, "2026-11-21T09:00").status == 0
    assert stages(data) == ["task", "task"]
    said = rig("subject", "why", "M1", "--sim", "--curriculum", path).out
    assert "task: 2 sessions, 2026-11-20/001 to 2026-11-21/001; chosen by hand: trained elsewhere" in said


def test_a_stage_with_a_mistake_does_not_keep_another_ones_session_from_running(
    rig: Rig, data: Path, course: Write
) -> None:
    path = course(("p_high: 0.9", "p_high: 9"))
    assert rig(*RUN, "--curriculum", path, "--start", "2026-11-20T09:00").status == 0
    answer = rig(*sim_arguments(path))
    assert answer.status == 2
    assert "course.yaml:13: params.p_high: must be <= 1, got 9" in answer.err


# --- why -------------------------------------------------------------------------------------------------------


def test_why_finds_the_curriculum_of_the_newest_session_by_its_name(
    rig: Rig, data: Path, course: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course()
    assert rig(*sim_arguments(path)).status == 0
    (path.parent.parent / "configs").symlink_to(path.parent.parent)
    monkeypatch.chdir(path.parent.parent)
    answer = rig("subject", "why", "M1", "--sim")
    assert (answer.status, "copy" in answer.out) == (0, False)
