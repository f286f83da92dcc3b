"""`rig sim` and `rig demo`: what they leave behind, and what they print."""

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

from protocols.delay_discounting.analysis import tracks
from rig.core.errors import RecordError
from rig.jobs import open_engine
from tests.cli.conftest import BANDIT, Rig
from tests.cli.recorded_sessions import journal_bytes

COLUMNS = (
    "trial,t_center_in,t_center_out,t_side_in,t_side_out,choice,rewarded,outcome,delivered_by,p_left,p_right,high_side,"
    "block,trial_in_block,flipped_after,latency_s,initiation_s,reward_ul,error_pokes,drawn_left,drawn_right,"
    "ambiguous,drawn_laser,laser,t_laser"
)
SIM = ("sim", *BANDIT)


def test_a_session_leaves_its_records_where_they_belong(rig: Rig, session: Path, data: Path) -> None:
    names = {path.name for path in session.iterdir()}
    assert names >= {"journal.jsonl", "environment.json", "config", "trials.csv", "summary.json"}
    kept = {str(path.relative_to(session / "config")) for path in (session / "config").rglob("*.yaml")}
    assert kept == {
        "protocols/two_armed_bandit.yaml",
        "rigs/sim_nose_ports.yaml",
        "calibrations/sim_left.yaml",
        "calibrations/sim_right.yaml",
    }
    assert not (session / "error.txt").exists()
    assert json.loads((data / "sim" / "M1" / "state.json").read_text()).keys() == {"two_armed_bandit"}


def test_the_trial_table_has_its_columns_and_a_row_a_trial(session: Path) -> None:
    text = (session / "trials.csv").read_text()
    assert text.splitlines()[0] == COLUMNS
    rows = list(csv.DictReader(text.splitlines()))
    summary = json.loads((session / "summary.json").read_text())
    assert len(rows) == summary["trials"] > 5
    assert [row["trial"] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
    assert summary["rewards"] == sum(row["outcome"] == "rewarded" for row in rows)
    assert summary["ul"] == pytest.approx(2.5 * summary["rewards"])


def test_the_summary_has_its_fields(session: Path) -> None:
    summary = json.loads((session / "summary.json").read_text())
    assert list(summary) == [
        *("subject", "protocol", "start", "model", "simulated", "seed", "reason", "detail", "duration_s", "trials"),
        *("outcomes", "rewards", "ul", "pellets", "access_s", "unconfirmed_rewards", "refused_orders"),
        *("completed", "shares"),
    ]
    assert (summary["subject"], summary["start"], summary["seed"]) == ("M1", "2026-11-21T09:00:00", 1)
    assert summary["reason"] == "time_limit"
    assert sum(summary["outcomes"].values()) == summary["trials"]


def test_the_same_command_again_takes_the_next_number_and_other_days_begin_again(rig: Rig, data: Path) -> None:
    for start in ("2026-11-21", "2026-11-21T15:00", "2026-11-22"):
        assert rig(*SIM, "--subject", "M1", "--start", start).status == 0
    assert list(journal_bytes(data)) == ["M1/2026-11-21/001", "M1/2026-11-21/002", "M1/2026-11-22/001"]


def test_sessions_of_one_subject_are_on_consecutive_days(rig: Rig, data: Path) -> None:
    answer = rig(*SIM, "--subject", "M1", "--sessions", "3", "--start", "2026-12-30T09:00", "--json")
    assert answer.status == 0
    assert list(journal_bytes(data)) == [f"M1/{day}/001" for day in ("2026-12-30", "2026-12-31", "2027-01-01")]
    starts = [summary["start"] for summary in json.loads(answer.out)["sessions"]]
    assert starts == ["2026-12-30T09:00:00", "2026-12-31T09:00:00", "2027-01-01T09:00:00"]


def test_a_campaign_that_was_interrupted_goes_on_as_if_it_had_not_been(rig: Rig, tmp_path: Path) -> None:
    maze = ("sim", "delay_discounting", "--model", "rat", "--subject", "R1", "--start", "2026-11-21T09:00", "--set")
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert rig(*maze, "stop.session_s=60", "--sessions", "4", "--data", whole).status == 0
    for days in (("--sessions", "2"), ("--start-day", "3", "--sessions", "1"), ("--start-day", "4")):
        assert rig(*maze, "stop.session_s=60", *days, "--data", parts).status == 0
    assert len(journal_bytes(whole)) == 4
    assert journal_bytes(parts) == journal_bytes(whole)
    assert (parts / "sim" / "R1" / "state.json").read_bytes() == (whole / "sim" / "R1" / "state.json").read_bytes()


def test_without_a_subject_every_session_has_its_own(rig: Rig, data: Path) -> None:
    assert rig(*SIM, "--sessions", "2").status == 0
    assert list(journal_bytes(data)) == ["sim001/2026-11-21/001", "sim002/2026-11-21/001"]


def test_results_do_not_depend_on_the_number_of_jobs(rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_engine, "default_jobs", lambda: 2)
    campaign = (*SIM, "--subjects", "2", "--sessions", "2", "--seed", "7", "--json")
    found: list[Any] = []
    for words in (("--jobs", 1), ()):
        data = tmp_path / str(len(words))
        answer = rig(*campaign, *words, "--data", data)
        assert answer.status == 0
        summaries = json.loads(answer.out)["sessions"]
        folders = [str(Path(summary.pop("folder")).relative_to(data / "sim")) for summary in summaries]
        found.append((folders, summaries, journal_bytes(data)))
    assert found[0] == found[1]
    assert len(set(found[0][2].values())) == 4


def test_any_session_of_a_campaign_can_be_run_alone_from_its_seed(rig: Rig, tmp_path: Path) -> None:
    rig(*SIM, "--subjects", "2", "--data", tmp_path / "all")
    everyone = journal_bytes(tmp_path / "all")
    seed = json.loads(everyone["sim002/2026-11-21/001"].splitlines()[0])["seed"]
    rig(*SIM, "--subject", "sim002", "--seed", seed, "--data", tmp_path / "one")
    assert journal_bytes(tmp_path / "one")["sim002/2026-11-21/001"] == everyone["sim002/2026-11-21/001"]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(rig: Rig, data: Path) -> None:
    for subject, seed in (("M1", 5), ("M2", 5), ("M3", 6)):
        rig(*SIM, "--subject", subject, "--seed", seed)
    first, second, third = (  # without what follows from the header, which names the subject
        [re.sub(rb'("digest":"\w+")|(,"crc":"\w+"\}$)', b"", line) for line in journal.splitlines()[1:]]
        for journal in journal_bytes(data).values()
    )
    assert first == second != third


def test_a_campaign_prints_a_table(rig: Rig, data: Path) -> None:
    answer = rig(*SIM, "--subjects", "2")
    lines = answer.out.splitlines()
    assert lines[0].split() == [
        "subject",
        "start",
        "seed",
        "trials",
        "rewards",
        "ul",
        "reward_rate",
        "p_high",
        "p_switch",
        "left_fraction",
        "reason",
    ]
    assert [line.split()[0] for line in lines[1:3]] == ["sim001", "sim002"]
    assert lines[3].startswith("records: ")
    assert str(data / "sim" / "sim002" / "2026-11-21" / "001") in lines[3]


def test_one_session_prints_its_summary_and_its_folder(rig: Rig, data: Path) -> None:
    answer = rig(*SIM, "--subject", "M1")
    assert "two_armed_bandit, M1, seed 1" in answer.out
    assert "the time limit was reached" in answer.out
    assert answer.out.endswith(f"records: {data / 'sim' / 'M1' / '2026-11-21' / '001'}\n")


def test_json_has_nothing_around_it(rig: Rig, data: Path) -> None:
    answer = rig(*SIM, "--subject", "M1", "--json", "--speed", "100000")
    (summary,) = json.loads(answer.out)["sessions"]
    assert summary["folder"] == str(data / "sim" / "M1" / "2026-11-21" / "001")


def test_a_paced_session_has_the_same_journal_and_is_displayed(rig: Rig, tmp_path: Path, displayed: list[Path]) -> None:
    rig(*SIM, "--subject", "M1", "--data", tmp_path / "max")
    assert displayed == []
    rig(*SIM, "--subject", "M1", "--speed", "100000", "--data", tmp_path / "paced")
    assert journal_bytes(tmp_path / "max") == journal_bytes(tmp_path / "paced")
    assert displayed == [tmp_path / "paced" / "sim" / "M1" / "2026-11-21" / "001"]


def test_another_protocol_by_the_path_of_its_file(rig: Rig, data: Path) -> None:
    words = ("sim", "configs/protocols/free_water.yaml", "--model", "random", "--set", "stop.session_s=60", "--json")
    assert rig(*words).status == 0


def test_a_script_that_names_no_place_of_the_rig_fails_the_session_and_keeps_it(
    rig: Rig, data: Path, tmp_path: Path
) -> None:
    script = tmp_path / "script.csv"
    script.write_text("t_us,place,level\n1000000,tail,1\n")
    answer = rig("sim", "two_armed_bandit", "--model", "scripted", "--param", f"file={script}", "--subject", "M1")
    assert answer.status == 1
    (folder,) = (path.parent for path in data.rglob("journal.jsonl"))
    assert json.loads((folder / "summary.json").read_text())["reason"] == "fault"
    assert "tail" in (folder / "error.txt").read_text()
    assert json.loads((data / "sim" / "M1" / "state.json").read_text()) == {}


def test_a_scripted_subject_does_what_its_script_says(rig: Rig, data: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.csv"
    script.write_text("t_us,place,level\n2000000,center,1\n2200000,center,0\n2600000,left,1\n3000000,left,0\n")
    words = ("two_armed_bandit", "--model", "scripted", "--param", f"file={script}", "--set", "stop.session_s=20")
    assert rig("sim", *words, "--subject", "M1").status == 0
    (path,) = data.rglob("trials.csv")
    row = next(csv.DictReader(path.read_text().splitlines()))
    assert (row["choice"], row["t_center_in"], row["t_side_in"]) == ("left", "2.000000", "2.600000")


def test_a_limit_ends_a_session_and_is_no_failure(rig: Rig) -> None:
    answer = rig(*SIM, "--set", "stop.max_rewards=3", "--json")
    assert answer.status == 0
    summary = json.loads(answer.out)["sessions"][0]
    assert (summary["rewards"], summary["reason"]) == (3, "reward_limit")


def test_the_demo_shows_a_mouse_and_keeps_its_records(rig: Rig, data: Path, displayed: list[Path]) -> None:
    answer = rig("demo", "--speed", "max", "--seed", "3")
    assert answer.status == 0
    assert "A virtual mouse" in answer.out
    assert "seed 3" in answer.out
    (table,) = data.glob("sim/demo/*/001/trials.csv")
    assert displayed == [table.parent]
    page = table.parent / "report.html"
    assert f"Its report says good: {page.absolute()}\n" in answer.out
    assert "<html" in page.read_text()
    assert f"  rig watch {table.parent} " in answer.out


# --- a tracked session ----------------------------------------------------------------------------------------

TRACKED = ("sim", "delay_discounting", "--rig", "sim_t_maze_tracked", "--model", "rat", "--set", "stop.max_trials=12")


def table_of(data: Path) -> list[dict[str, str]]:
    (path,) = data.rglob("trials.csv")
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_of_a_tracked_session_says_how_much_the_rat_turned(rig: Rig, data: Path) -> None:
    assert rig(*TRACKED).status == 0
    table = table_of(data)
    assert {row["tracking_ok"] for row in table} == {"1"}
    z = [float(row["zidphi"]) for row in table]
    assert sum(z) == pytest.approx(0, abs=1e-4)
    assert all(float(row["idphi"]) > 0.5 for row in table)
    (session,) = data.rglob("positions.bin")
    assert rig("replay", session.parent).out.endswith("decisions\n")


def test_without_a_tracker_nothing_is_known_of_its_turning(rig: Rig, data: Path) -> None:
    assert rig(*TRACKED, "--rig", "sim_t_maze").status == 0
    assert {(row["tracking_ok"], row["idphi"], row["zidphi"]) for row in table_of(data)} == {("", "", "")}


def test_a_track_that_cannot_be_read_costs_the_table_nothing_else(
    rig: Rig, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(path: Path, lines: Any) -> Any:
        raise RecordError("positions.bin: cannot be read")

    monkeypatch.setattr(tracks, "read_positions", torn)
    answer = rig(*TRACKED)
    assert answer.status == 0
    assert "positions.bin: cannot be read: trials.csv is written without its computed columns" in answer.err
    assert {(row["outcome"], row["idphi"]) for row in table_of(data)} == {("rewarded", "")}
