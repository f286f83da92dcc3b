"""The two-armed bandit's other ways: the original rig's interval, training without a center, hovering, laser."""

import csv
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.params import Params
from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.config import names
from rig.core.errors import ConfigError
from rig.core.model.events import Edge
from rig.records.session.trials import write_trials
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import make_model
from tests.harness import FaultHarness, Pokes, poke, run_harness, scripted_subject
from tests.protocols.two_armed_bandit.test_task import SURE, run, trial
from tests.session_specs import protocol_spec

ROOT = Path(__file__).parents[3]
WITH_LASER = str(Path(__file__).with_name("rig_with_laser.yaml"))


def run_on(rig: str, *pokes: Pokes, **values: Any) -> FaultHarness:
    sets = [f"params.{name}={value}" for name, value in {**SURE, **values}.items()]
    prepared = build_spec(SessionRequest("two_armed_bandit", rig, [*sets, "stop.session_s=20"]))
    return run_harness(prepared, scripted_subject(*pokes), seed=1)


def test_parameters_of_a_laser_that_the_rig_does_not_have_are_a_mistake_of_the_file() -> None:
    said = r"params\.laser: is for a device that the rig does not have: .* device `laser: \{kind: ttl_out, \.\.\.\}`"
    with pytest.raises(ConfigError, match=said):
        protocol_spec(laser="{p: 0.1}")


def test_a_laser_may_come_as_late_as_a_trial_can_last() -> None:
    Params.model_validate({"laser": {"p": 0.5, "delay_ms": 5_000, "at": "initiation"}, "max_dwell_s": 3})


def test_the_laser_is_drawn_from_a_stream_of_its_own() -> None:
    trials = [trial(2.0 + 2.5 * n, "left") for n in range(7)]
    some, none = (run_on(WITH_LASER, *trials, laser=laser, p_high=0.6) for laser in ("{p: 0.5}", "null"))
    assert 0 < sum(row["laser"] for row in some.rows) < 7
    assert [row["rewarded"] for row in some.rows] == [row["rewarded"] for row in none.rows]


def test_frames_of_a_camera_are_in_the_journal_and_are_no_pokes() -> None:
    frames: Pokes = [(0.5 + 0.05 * n, "sync", 1 - n % 2) for n in range(100)]
    harness = run_on(WITH_LASER, trial(2.0, "left"), trial(5.0, "left"), frames)
    assert sum(edge.channel == "sync.in" for edge in harness.of_kind(Edge)) == 100
    assert [(row["outcome"], row["error_pokes"]) for row in harness.rows] == [("rewarded", 0)] * 2


BANDITS = [name for name in names("protocols") if name.startswith("two_armed_bandit")]


@pytest.mark.parametrize("name", BANDITS)
def test_every_shipped_bandit_can_be_done_by_an_animal(name: str) -> None:
    harness = run_harness(
        build_spec(SessionRequest(name, None, ["stop.session_s=12"])),
        scripted_subject(trial(2.0, "left"), trial(6.0, "right")),
        seed=1,
    )
    assert harness.footer.reason == "time_limit"
    assert len(harness.rows) >= 2


def test_the_ladders_are_shipped() -> None:
    assert {f"two_armed_bandit_stage{n}" for n in range(1, 6)} < set(BANDITS)
    assert {f"two_armed_bandit_2017_phase{n}" for n in range(3)} < set(BANDITS)
    windows = {name: build_spec(SessionRequest(name)).params.choice_window_s for name in BANDITS}
    assert windows["two_armed_bandit_stage3"] == windows["two_armed_bandit_stage4"] == 15
    assert windows["two_armed_bandit_stage5"] == 5
    assert windows["two_armed_bandit_as_run"] == 2


@pytest.mark.parametrize("min_poke_ms", [10, 50])
def test_a_recorded_mouse_is_seen_in_every_decision_however_long_a_poke_has_to_last(
    tmp_path: Path, min_poke_ms: int
) -> None:
    path = tmp_path / "mouse.csv"
    rows = [f"{5 * n},3.21{n},0.{n + 1}5,{1 + n % 2},0.5,0.5,{n % 2}" for n in range(9)]
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    asked = protocol_spec("two_armed_bandit_as_run", trials_from=path, min_poke_ms=min_poke_ms, stop_session_s=60)
    harness = run_harness(asked, make_model("recorded", {"file": str(path)}).live)
    assert [row["choice"] for row in harness.rows] == [("right", "left")[n % 2] for n in range(9)]
    assert [row["rewarded"] for row in harness.rows] == [n % 2 for n in range(9)]


REAL = os.environ.get("RIG_REAL_DATA")
FILES = sorted((Path(REAL) / "2abt_mice").glob("*.csv")) if REAL else []
SIDES = {"1": "right", "2": "left"}


@pytest.mark.skipif(not FILES, reason="RIG_REAL_DATA is not set")
@pytest.mark.parametrize(
    "file",
    [*FILES[:2], *(pytest.param(file, marks=pytest.mark.campaign) for file in FILES[2:])],
    ids=lambda path: path.stem,
)
def test_a_real_mouse_comes_out_as_it_went_in(file: Path, tmp_path: Path) -> None:
    """Choices, rewards, odds and latencies equal the file's, row by row; an outsider's check finds nothing wrong."""
    command = [sys.executable, "-m", "rig.cli.main", "sim", "two_armed_bandit_as_run", "--model", "recorded"]
    given = ["--param", f"file={file}", "--set", f"params.trials_from={file}", "--subject", "m", "--seed", "5"]
    subprocess.run([*command, *given, "--data", str(tmp_path), "--start", "2026-11-21T09:00"], check=True, timeout=60)
    (table,) = tmp_path.rglob("trials.csv")
    rows, wanted = read(table), read(file)
    assert [(row["choice"], row["rewarded"], float(row["p_left"]), float(row["p_right"])) for row in rows] == [
        (SIDES[row["port"]], row["reward"], float(row["p_left"]), float(row["p_right"])) for row in wanted
    ]
    assert [float(row["latency_s"]) for row in rows] == pytest.approx(
        [float(row["center_to_side_s"]) for row in wanted], abs=0.001
    )
    assert outsider(table) == "no mistakes\n"


def read(path: Path) -> list[dict[str, str]]:

    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def outsider(table: Path) -> str:
    script = ROOT / "scripts" / "check_trials.py"
    return subprocess.run(
        [sys.executable, "-I", str(script), str(table)], capture_output=True, text=True, check=False, timeout=60
    ).stdout


def test_an_outsider_finds_nothing_wrong_with_the_rows_of_clumsy_mice(tmp_path: Path) -> None:
    for seed in range(3):
        moves = [*trial(2.0, "left"), *poke("center", 5.0), *poke("center", 8.0), *poke("center", 8.2)]
        harness = run(moves, trial(12.0, "right"), trial(15.0, "left"), seed=seed, p_high=0.6, q_stay=0.5)
        write_trials(tmp_path, list(harness.rows[0]), harness.rows)
        assert outsider(tmp_path / "trials.csv") == "no mistakes\n"


def test_an_outsider_finds_what_is_wrong(tmp_path: Path) -> None:
    good = run(trial(2.0, "left"), trial(5.0, "left")).rows
    for change in (
        {"trial": 7},
        {"t_side_in": 9.0},
        {"flipped_after": 1, "outcome": "omission"},
        {"reward_ul": 0.0},
        {"high_side": "right"},
    ):
        write_trials(tmp_path, list(good[0]), [good[0], {**good[1], **change}])
        assert outsider(tmp_path / "trials.csv").count("trial 2") == 1
