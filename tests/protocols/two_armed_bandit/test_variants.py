"""The two-armed bandit's other ways: the original rig's interval, training without a center, hovering, laser."""

import csv
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from protocols.two_armed_bandit.params import Params
from protocols.two_armed_bandit.tables.decisions import COLUMNS
from rig.config import names
from rig.core.errors import ConfigError
from rig.core.model.board import BoardInfo
from rig.core.model.events import Edge
from rig.records.session.trials import write_trials
from rig.session.replay import replay_lines
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import make_model
from tests.harness import FaultHarness, Pokes, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left"}
ROOT = Path(__file__).parents[3]


def trial(at_s: float, side: str, dwell_s: float = 0.4) -> Pokes:
    """A center poke, and half a second later a choice."""
    return [*poke("center", at_s), *poke(side, at_s + 0.5, dwell_s)]


def run(*pokes: Pokes, seed: int = 1, **values: Any) -> FaultHarness:
    return run_harness(protocol_spec(**{**SURE, "stop_session_s": 30, **values}), scripted_subject(*pokes), seed=seed)


# --- other machines -------------------------------------------------------------------------------------------


def rig_with(tmp_path: Path, *lines: str) -> str:
    shipped = (ROOT / "configs" / "rigs" / "sim_nose_ports.yaml").read_text(encoding="utf-8")
    path = tmp_path / "rigs" / "with_more.yaml"
    path.parent.mkdir()
    path.write_text(shipped + "".join(f"  {line}\n" for line in lines), encoding="utf-8")
    return str(path)


def run_on(rig: str, *pokes: Pokes, **values: Any) -> FaultHarness:
    sets = [f"params.{name}={value}" for name, value in {**SURE, **values}.items()]
    prepared = build_spec(SessionRequest("two_armed_bandit", rig, [*sets, "stop.session_s=20"]))
    return run_harness(prepared, scripted_subject(*pokes), seed=1)


def test_parameters_of_a_laser_that_the_rig_does_not_have_are_a_mistake_of_the_file() -> None:
    said = r"params\.laser: is for a device that the rig does not have: .* device `laser: \{kind: ttl_out, \.\.\.\}`"
    with pytest.raises(ConfigError, match=said):
        protocol_spec(laser="{p: 0.1}")


@pytest.mark.parametrize(("at", "t_us"), [("choice", 2_500_000), ("initiation", 2_000_000)])
def test_the_laser_flashes_after_its_poke(tmp_path: Path, at: str, t_us: int) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    harness = run_on(rig, trial(2.0, "left"), laser=f"{{p: 1, at: {at}, duration_ms: 100, pulse_ms: 10, delay_ms: 20}}")
    flashes = harness.changes("laser")
    assert [value for _, value in flashes] == [1, 0, 1, 0]
    assert 20_000 <= flashes[0][0] - t_us < 25_000
    assert [b - a for (a, _), (b, _) in pairwise(flashes)] == [10_000, 40_000, 10_000]
    row = harness.rows[0]
    assert (row["drawn_laser"], row["laser"]) == (1, 1)
    assert row["t_laser"] * 1e6 == pytest.approx(flashes[0][0], abs=20)


LASER = {"laser": "{p: 1, duration_ms: 100, pulse_ms: 10}"}
LATE = {"laser": "{p: 1, duration_ms: 100, pulse_ms: 10, delay_ms: 500}"}


def test_a_laser_whose_trial_is_over_before_its_delay_never_comes_on_and_the_row_says_so(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    harness = run_on(rig, trial(2.0, "left"), trial(6.0, "left", 0.9), **LATE)
    assert [(row["drawn_laser"], row["laser"]) for row in harness.rows] == [(1, 0), (1, 1)]
    assert harness.rows[0]["t_laser"] is None
    first, *_ = harness.changes("laser")
    assert harness.rows[1]["t_laser"] == pytest.approx(first[0] / 1e6, abs=2e-5)
    assert 7.0 < first[0] / 1e6 < 7.005
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("last", [poke("center", 2.3), ()], ids=["aborted", "omission"])
def test_a_trial_without_a_choice_has_no_laser_at_the_choice(tmp_path: Path, last: Pokes) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    harness = run_on(rig, poke("center", 2.0), last, **LASER)
    assert [(row["drawn_laser"], row["laser"]) for row in harness.rows] == [(1, 0)]
    assert harness.changes("laser") == []


def test_a_nose_that_leaves_before_the_board_has_told_of_the_laser_is_reported_of_all_the_same(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    prepared = build_spec(
        SessionRequest("two_armed_bandit", rig, [f"params.{name}={value}" for name, value in {**SURE, **LASER}.items()])
    )

    def slow(harness: FaultHarness) -> None:
        for lane in (harness.rig.cable.to_board, harness.rig.cable.to_host):
            lane._latency_s, lane._perfect = 0.05, False

    harness = run_harness(prepared, scripted_subject(trial(2.0, "left", 0.02)), arrange=slow)
    (flash, *_) = harness.changes("laser")
    assert harness.rows[0]["laser"] == 1
    assert harness.rows[0]["t_laser"] == pytest.approx(flash[0] / 1e6, abs=2e-5)
    assert harness.rows[0]["t_side_out"] == 2.52
    assert replay_lines(harness.journal)[1] is None


def test_a_trial_that_is_cut_says_of_its_laser_what_was_delivered(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    harness = run_on(rig, trial(2.0, "left", 60.0), **LASER)
    assert [(row["outcome"], row["laser"]) for row in harness.rows] == [("interrupted", 1)]


@pytest.mark.parametrize(
    ("laser", "wrong"),
    [
        ({"pulse_ms": 50, "period_ms": 50}, "pulse_ms is 50 and period_ms 50"),
        ({"pulse_ms": 60, "period_ms": 50}, "a pulse must be over before the next begins"),
        ({"delay_ms": 60_000}, "laser.delay_ms is 60000"),
        ({"delay_ms": 3_001}, "a trial is over 3000 ms after that poke"),
        ({"delay_ms": 5_001, "at": "initiation"}, "a trial is over 5000 ms"),
    ],
)
def test_a_laser_that_could_not_flash_as_asked_is_refused(laser: dict[str, Any], wrong: str) -> None:
    dwell = {} if wrong.startswith("laser.delay_ms") else {"max_dwell_s": 3}
    with pytest.raises(ValidationError, match=wrong):
        Params.model_validate({"laser": {"p": 0.5, **laser}, **dwell})


def test_a_laser_may_come_as_late_as_a_trial_can_last() -> None:
    Params.model_validate({"laser": {"p": 0.5, "delay_ms": 5_000, "at": "initiation"}, "max_dwell_s": 3})


# --- what was delivered ---------------------------------------------------------------------------------------


def test_a_reward_that_the_board_refuses_counts_neither_in_the_row_nor_for_the_block() -> None:
    values = {"p_high": 1, "start_high_side": "left", "switch_rule": "reward_block"}
    blocks = {"block_rewards_min": 2, "block_rewards_max": 2}

    def arrange(harness: FaultHarness) -> None:
        def occupy(opened: BoardInfo) -> None:  # by hand, just before the choice: the valve is open then
            harness.rig.board._clock.call_later(2.47, lambda: harness.session.request("reward left"))

        harness.observer.opened = occupy

    pokes = [trial(2.0 + 2.5 * n, "left") for n in range(3)]
    harness = run_harness(
        protocol_spec(**values, **blocks, stop_session_s=15), scripted_subject(*pokes), arrange=arrange
    )
    first, second, third = harness.rows
    assert (first["outcome"], first["rewarded"], first["reward_ul"], first["delivered_by"]) == (
        "unrewarded",
        0,
        0,
        "refused",
    )
    assert (first["flipped_after"], second["flipped_after"], third["flipped_after"]) == (0, 0, 1)
    assert [row["rewarded"] for row in (second, third)] == [1, 1]
    assert len(harness.openings("left.valve")) == 3
    assert harness.footer.rewards == 3
    assert replay_lines(harness.journal)[1] is None


def test_the_laser_is_drawn_from_a_stream_of_its_own(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, "laser: {kind: ttl_out, pin: 12}")
    trials = [trial(2.0 + 2.5 * n, "left") for n in range(7)]
    some, none = (run_on(rig, *trials, laser=laser, p_high=0.6) for laser in ("{p: 0.5}", "null"))
    assert 0 < sum(row["laser"] for row in some.rows) < 7
    assert [row["rewarded"] for row in some.rows] == [row["rewarded"] for row in none.rows]


def test_frames_of_a_camera_are_in_the_journal_and_are_no_pokes(tmp_path: Path) -> None:
    rig = rig_with(tmp_path, "sync: {kind: ttl_in, pin: 11}")
    frames: Pokes = [(0.5 + 0.05 * n, "sync", 1 - n % 2) for n in range(100)]
    harness = run_on(rig, trial(2.0, "left"), trial(5.0, "left"), frames)
    assert sum(edge.channel == "sync.in" for edge in harness.of_kind(Edge)) == 100
    assert [(row["outcome"], row["error_pokes"]) for row in harness.rows] == [("rewarded", 0)] * 2


# --- the files that are shipped -------------------------------------------------------------------------------

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


# --- real mice ------------------------------------------------------------------------------------------------


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
