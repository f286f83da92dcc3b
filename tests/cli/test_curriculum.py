"""Curricula from the command line: a training goes on by itself, survives what happens, and can be asked why."""

import json
import signal
from pathlib import Path

import pytest

from tests.cli.conftest import BANDIT, Rig, Write
from tests.cli.processes import journal_paths as begun
from tests.cli.processes import posix, start, until
from tests.cli.recorded_sessions import DAYS, headers, journal_bytes, sim_arguments, without_subject_facts


def stages(data: Path, subject: str = "M1") -> list[str]:
    return [header["curriculum"]["stage"] for header in headers(data, subject)]


# --- a whole training ------------------------------------------------------------------------------------------


def test_a_training_goes_on_by_itself_on_consecutive_days_until_it_is_over(rig: Rig, data: Path, course: Write) -> None:
    answer = rig(*sim_arguments(course(), "--days", 9, "--json"))
    assert answer.status == 0
    summaries = json.loads(answer.out)["sessions"]
    assert [summary["stage"] for summary in summaries] == ["water", "water", "task", "task"]
    assert [summary["start"][:10] for summary in summaries] == [f"2026-11-{day}" for day in (21, 22, 23, 24)]
    assert {summary["curriculum"] for summary in summaries} == {"course"}
    assert [header["params"]["p_high"] for header in headers(data)] == [1.0, 1.0, 0.9, 0.9]
    began = [line.split()[:3] for line in answer.err.splitlines()]
    assert began == [["2026-11-21", "M1", "water:"], ["2026-11-23", "M1", "task:"]]
    third = headers(data)[2]["curriculum"]
    assert third["why"].startswith("water -> task: sessions: 2 (wanted >= 2); rewards: ")
    assert (third["from"], third["sessions"]) == ("water", ["2026-11-21/001", "2026-11-22/001"])
    kept = {path.name for path in (data / "sim" / "M1" / "2026-11-23" / "001" / "config").rglob("*.yaml")}
    assert {"course.yaml", "two_armed_bandit.yaml", "sim_nose_ports.yaml"} <= kept


def test_a_subject_that_has_been_through_all_begins_nothing_more(rig: Rig, data: Path, course: Write) -> None:
    path = course()
    assert rig(*sim_arguments(path, "--days", 9)).status == 0
    for words in (sim_arguments(path), sim_arguments(path, "--days", 2)):
        answer = rig(*words)
        assert answer.status == 2
        assert "M1 has been through course (task -> end: sessions: 2 (wanted >= 2))" in answer.err
    assert len(journal_bytes(data)) == 4
    assert "M1 has been through course\n" in rig("subject", "why", "M1", "--sim", "--curriculum", path).out


def test_the_table_says_the_stage_of_every_session(rig: Rig, course: Write) -> None:
    lines = rig(*sim_arguments(course(), "--days", 3)).out.splitlines()
    place = lines[0].split().index("stage")
    assert [line.split()[place] for line in lines[1:4]] == ["water", "water", "task"]


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


def test_a_session_of_a_curriculum_can_be_replayed(rig: Rig, data: Path, course: Write) -> None:
    assert rig(*sim_arguments(course(), "--days", 3)).status == 0
    assert rig("replay", data / "sim" / "M1" / "2026-11-23" / "001").status == 0


# --- what does not count ---------------------------------------------------------------------------------------


def test_sessions_outside_of_it_do_not_count_and_that_is_said(rig: Rig, data: Path, course: Write) -> None:
    path = course()
    assert rig(*sim_arguments(path)).status == 0
    assert rig("sim", *BANDIT, "--subject", "M1").status == 0
    assert rig(*sim_arguments(path, "--start-day", 2)).status == 0
    assert headers(data)[-1]["curriculum"]["stage"] == "water"
    assert rig(*sim_arguments(path, "--start-day", 3)).status == 0
    assert headers(data)[-1]["curriculum"]["stage"] == "task"
    assert (
        "1 session outside of course do not count for it"
        in rig("subject", "why", "M1", "--sim", "--curriculum", path).out
    )


def test_a_session_that_failed_moves_nobody_on(rig: Rig, data: Path, course: Write, tmp_path: Path) -> None:
    script = tmp_path / "script.csv"
    script.write_text("t_us,place,level\n1000000,tail,1\n")
    path = course()
    assert rig(*sim_arguments(path, "--days", 2)).status == 0
    fails = ("sim", "--curriculum", path, "--subject", "M1", "--model", "scripted", "--param", f"file={script}")
    assert rig(*fails, *DAYS, "--start-day", 3).status == 1
    answer = rig("subject", "why", "M1", "--sim", "--curriculum", path)
    assert "the next session is in stage task" in answer.out
    assert "2026-11-23/001 does not count: it ended by a fault" in answer.out
    assert rig(*sim_arguments(path, "--start-day", 4)).status == 0
    assert headers(data)[-1]["curriculum"] == headers(data)[-2]["curriculum"]


def test_a_journal_that_is_torn_or_unreadable_counts_for_nothing_and_is_reported(
    rig: Rig, data: Path, course: Write
) -> None:
    path = course()
    assert rig(*sim_arguments(path, "--days", 3)).status == 0
    second, third = (data / "sim" / "M1" / f"2026-11-{day}" / "001" / "journal.jsonl" for day in (22, 23))
    second.write_bytes(second.read_bytes()[:-20])
    third.write_bytes(b"{}\n" + third.read_bytes())
    answer = rig("subject", "why", "M1", "--sim", "--curriculum", path)
    assert "the next session is in stage water" in answer.out
    assert f"2026-11-22/001 does not count: it has no end; `rig recover {second.parent}`" in answer.out
    assert f"{third.parent}: has no header that can be read, and does not count" in answer.out
    assert rig("recover", second.parent).status == 0
    assert (
        "2026-11-22/001 does not count: it ended by a crash"
        in rig("subject", "why", "M1", "--sim", "--curriculum", path).out
    )


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
    assert headers(data)[0]["curriculum"]["override"] == "trained elsewhere"
    assert rig(*words, "2026-11-21T09:00").status == 0
    assert stages(data) == ["task", "task"]
    said = rig("subject", "why", "M1", "--sim", "--curriculum", path).out
    assert "task: 2 sessions, 2026-11-20/001 to 2026-11-21/001; chosen by hand: trained elsewhere" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ("--stage", "task"),
            "a stage is chosen by hand with --stage NAME and --override stage='reason', both of them",
        ),
        (("--override", "stage=because"), "with --stage NAME and --override stage='reason', both of them"),
        (("--stage", "task", "--override", "stage= "), "--override stage: a reason is wanted"),
        (("--stage", "tsak", "--override", "stage=x"), "--stage tsak: course has no such stage; did you mean 'task'?"),
    ],
)
def test_a_stage_without_a_reason_or_that_is_none_is_refused(
    rig: Rig, data: Path, course: Write, words: tuple[str, ...], said: str
) -> None:
    answer = rig(*RUN, "--curriculum", course(), *words)
    assert answer.status == 2
    assert said in answer.err
    assert not data.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "--subject", "M1"), "which protocol? Give its name or its file, or --curriculum NAME"),
        (("sim", "--model", "rflr"), "which protocol? Give its name or its file, or --curriculum NAME"),
        (
            ("sim", "free_water", "--curriculum", "pigeon_bandit"),
            "chooses the protocol by itself: leave free_water out",
        ),
        (
            ("run", "free_water", "--model", "random", "--subject", "M1", "--stage", "x", "--override", "stage=y"),
            "--stage: there are stages in a",
        ),
        (("sim", "--curriculum", "pigeon"), "no curriculum is called 'pigeon'; did you mean 'pigeon_bandit'?"),
        (("sim", "--curriculum", "pigeon_bandit"), "which virtual subject?"),
    ],
)
def test_what_does_not_go_together_is_said(rig: Rig, data: Path, words: tuple[str, ...], said: str) -> None:
    answer = rig(*words)
    assert answer.status == 2
    assert said in answer.err


def test_a_stage_with_a_mistake_does_not_keep_another_ones_session_from_running(
    rig: Rig, data: Path, course: Write
) -> None:
    path = course(("p_high: 0.9", "p_high: 9"))
    assert rig(*RUN, "--curriculum", path, "--start", "2026-11-20T09:00").status == 0
    answer = rig(*sim_arguments(path))
    assert answer.status == 2
    assert "course.yaml:13: params.p_high: must be <= 1, got 9" in answer.err


# --- why -------------------------------------------------------------------------------------------------------


def test_why_tells_the_rule_the_sessions_and_the_numbers(rig: Rig, data: Path, course: Write) -> None:
    path = course(("at_least: 5", "at_least: 400"))
    assert rig(*sim_arguments(path, "--days", 2)).status == 0
    lines = rig("subject", "why", "M1", "--sim", "--curriculum", path).out.splitlines()
    rewards = json.loads((data / "sim" / "M1" / "2026-11-22" / "001" / "summary.json").read_text())["rewards"]
    assert lines == [
        "M1, course: the next session is in stage water",
        "  two_armed_bandit_stage1",
        f"  stays: rewards: {rewards} (wanted >= 400)",
        "",
        "rule water -> task: does not hold",
        "  yes  sessions >= 2",
        "       2026-11-21/001 to 2026-11-22/001: 2",
        "  no   count of rows with rewarded 1 >= 400",
        f"       2026-11-22/001: {rewards}  (no)",
        "",
        "so far:",
        "  water: 2 sessions, 2026-11-21/001 to 2026-11-22/001; the first stage",
    ]


def test_why_is_reported_as_json_too(rig: Rig, course: Write) -> None:
    path = course()
    assert rig(*sim_arguments(path, "--days", 3)).status == 0
    found = json.loads(rig("subject", "why", "M1", "--sim", "--curriculum", path, "--json").out)
    assert (found["name"], found["stage"], found["from"], found["over"]) == ("course", "task", "task", False)
    assert found["rules"][0]["when"][0] == {
        "condition": "sessions >= 2",
        "holds": False,
        "values": [{"where": "2026-11-23/001", "value": 1, "holds": False, "error": ""}],
    }
    assert [each["stage"] for each in found["past"]] == ["water", "water", "task"]


def test_why_finds_the_curriculum_of_the_newest_session_by_its_name(
    rig: Rig, data: Path, course: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = course()
    assert rig(*sim_arguments(path)).status == 0
    (path.parent.parent / "configs").symlink_to(path.parent.parent)
    monkeypatch.chdir(path.parent.parent)
    answer = rig("subject", "why", "M1", "--sim")
    assert (answer.status, "copy" in answer.out) == (0, False)


def test_why_reads_the_sessions_own_copy_of_a_curriculum_that_was_given_by_path(
    rig: Rig, data: Path, course: Write
) -> None:
    path = course()
    assert rig(*sim_arguments(path)).status == 0
    path.unlink()
    answer = rig("subject", "why", "M1", "--sim")
    assert answer.status == 0
    assert "rule water -> task: does not hold" in answer.out
    copy = data / "sim" / "M1" / "2026-11-21" / "001" / "config" / "curricula" / "course.yaml"
    assert f"by the newest session's copy, {copy}: --curriculum PATH takes the file itself" in answer.out
    copy.unlink()
    answer = rig("subject", "why", "M1", "--sim")
    assert answer.status == 2
    assert "the curriculum 'course' of 2026-11-21/001 is not found by its name: give --curriculum PATH" in answer.err


def test_why_of_a_subject_without_a_curriculum_says_what_to_give(rig: Rig, session: Path) -> None:
    answer = rig("subject", "why", "M1", "--sim")
    assert answer.status == 2
    assert "no session of M1 belongs to a curriculum: give --curriculum NAME" in answer.err
    assert rig("subject", "why", "M1", "--sim", "--curriculum", "two_armed_bandit").out.startswith(
        "M1, two_armed_bandit: the next session is in stage water\n"
    )
