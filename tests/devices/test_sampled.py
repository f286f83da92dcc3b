"""Devices that the board samples: an analog input and an encoder in a rig file, from the protocol to the tables."""

import csv
import json
import shutil
from fractions import Fraction
from pathlib import Path

import pytest

import rig as vocabulary
from rig.core.errors import TaskError
from rig.core.journal.kinds import SamplesLine
from rig.core.model.board import AnalogSource, EncoderSource, Threshold
from rig.devices import AnalogInput, AnalogInputConfig, Encoder, EncoderConfig
from rig.diagnostics.io_test import AutoOperator
from rig.records.journal.read import of_kind, read_journal
from rig.records.recorded_session import read_session
from rig.records.sampled.read import read_samples
from rig.session.spec.build import build_spec, load_rig_spec
from rig.session.spec.request import SessionRequest
from rig.testing import run_session, set_value
from tests.cli.conftest import Rig
from tests.devices.tried_channels import try_channels
from tests.expectations.lines import edge, rules_found
from tests.sampled_lab import write_lab

FIRMATA = "calibration_max_days: null\nboards: {sim: {driver: firmata}}"
RUN = ("--model", "random_explorer", "--seed", "1", "--start", "2026-11-21", "--subject", "M1")


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return write_lab(tmp_path)


def test_a_rig_file_has_sources_and_thresholds_in_the_boards_own_steps(lab: Path) -> None:
    wiring = load_rig_spec("./room.yaml").wiring
    assert wiring.sources == (AnalogSource("lever", 14, 1_000), EncoderSource("wheel", 20, 21, 10_000))
    assert [channel for channel in wiring.channels if isinstance(channel, Threshold)] == [
        Threshold("lever", "pressed", 0, 0, 0, source="lever", below=10, above=20),
        Threshold("wheel", "far", 0, 0, 0, source="wheel", below=900, above=1000),
    ]
    assert {wiring.taken_pins[pin] for pin in (14, 20, 21)} == {"lever", "wheel"}


def test_the_thresholds_of_a_device_are_in_the_order_of_their_levels() -> None:
    levels = {"far": (900, 1000), "near": (-20, -10), "half": (400, 500)}
    thresholds = {name: {"below": below, "above": above} for name, (below, above) in levels.items()}
    config = EncoderConfig.model_validate({"kind": "encoder", "pin_a": 2, "pin_b": 3, "thresholds": thresholds})
    assert Encoder("wheel", config).thresholds == ("near", "half", "far")


def test_a_task_waits_for_thresholds_and_the_board_gives_a_drop_at_one(lab: Path) -> None:
    played = run_session(
        "treadmill.yaml", [set_value(0.5, "lever", 20), set_value(1.2, "wheel", 1000), set_value(1.5, "wheel", 0)]
    )
    (row,) = played.rows
    # The time of the sample that is the first one beyond the threshold; the phase of the period is that of its order.
    assert row.pressed_s == pytest.approx(0.5, abs=0.001)
    assert row.far_s == pytest.approx(1.2, abs=0.010)
    (reward,) = played.rewards
    assert (reward.source, reward.amount, reward.delivered_by) == ("left", 4.0, "board")
    assert played.openings("left.valve")[0].t_us == round(1e6 * row.far_s)


def test_a_subject_crosses_a_threshold_as_it_enters_a_place(lab: Path) -> None:
    played = run_session("treadmill.yaml", "random_explorer", stop={"session_s": 120})
    assert len(played.rows) > 3
    assert {(edge.channel, edge.level) for edge in played.edges} >= {("lever.pressed", 1), ("wheel.far", 0)}


def test_the_check_rehearses_such_a_protocol(lab: Path, rig: Rig) -> None:
    answer = rig("check", "treadmill.yaml")
    assert (answer.status, answer.err) == (0, "")


def test_thresholds_that_change_together_are_no_wires_that_touch(lab: Path) -> None:
    head = build_spec(SessionRequest("treadmill.yaml", seed=1, subject="M1")).header
    assert [name for name, channel in head.rig.channels.items() if channel.sampled] == ["lever.pressed", "wheel.far"]
    edges = [
        edge(channel, 5 * n + level, level)
        for n in range(20)
        for level in (1, 0)
        for channel in ("lever.pressed", "wheel.far")
    ]
    assert rules_found(edges, head) == []


# --- records ----------------------------------------------------------------------------------------------------


@pytest.fixture
def session(lab: Path, rig: Rig, data: Path) -> Path:
    """A session with all records in its folder."""
    answer = rig("sim", "treadmill.yaml", *RUN)
    assert answer.status == 0, answer.err
    return data / "sim" / "M1" / "2026-11-21" / "001"


def test_every_value_of_a_session_lies_beside_the_journal(session: Path) -> None:
    lines = list(of_kind(read_journal(session), SamplesLine))
    for source, period_us in (("lever", 1_000), ("wheel", 10_000)):
        own = [line for line in lines if line.source == source]
        found = read_samples(session, source, own)
        assert (found.damaged, found.torn_bytes, found.missing, found.unindexed) == (0, 0, 0, 0)
        times = found.records["t_us"].tolist()
        assert times == list(range(times[0], times[0] + period_us * len(times), period_us))
        assert times[0] < 20_000
        assert abs(times[-1] - read_session(session).end_us) < 2 * period_us
        assert {(line.lost, line.unsent) for line in own} == {(0, 0)}


def test_the_values_are_a_table_in_the_unit_of_the_rig_file(session: Path) -> None:
    loaded = vocabulary.load(session)
    frame = loaded["samples"]
    assert list(frame.columns) == ["t_s", "source", "value", "unit"]
    assert set(zip(frame["source"], frame["unit"], strict=True)) == {("lever", "g"), ("wheel", "cm")}
    assert set(frame.loc[frame["source"] == "lever", "value"]) == {0.0, 5.0, 10.0}
    assert set(frame.loc[frame["source"] == "wheel", "value"]) == {0.0, 90.0, 100.0}


def test_they_are_exported(session: Path, rig: Rig, tmp_path: Path) -> None:
    answer = rig("export", "csv", session)
    assert answer.status == 0, answer.err
    (path,) = tmp_path.rglob("*samples.csv")
    with path.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(vocabulary.load(session)["samples"])
    (described,) = tmp_path.rglob("*columns.json")
    assert set(json.loads(described.read_text())["tables"]["samples"]["columns"]) == {"t_s", "source", "value", "unit"}


def test_a_replay_makes_the_same_decisions_without_the_values(session: Path, rig: Rig) -> None:
    for path in session.glob("samples.*.bin"):
        path.unlink()
    answer = rig("replay", "--trust", session)
    assert answer.status == 0, answer.err


def test_what_is_missing_of_a_file_is_damage_of_the_session(session: Path) -> None:
    path = session / "samples.wheel.bin"
    path.write_bytes(path.read_bytes()[:-8])
    assert read_session(session).damage == ("samples.wheel.bin: 1 records are missing",)
    shutil.copy(session / "samples.lever.bin", path)
    assert "it is the file of another session" in read_session(session).damage[0]
    path.unlink()
    assert "samples.wheel.bin: cannot be read: No such file" in read_session(session).damage[0]


# --- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("below: 5", "below: 10", "room.yaml:3: devices.lever.thresholds.pressed: below is 10, which must be less"),
        ("pin: 14", "pin: 20", "pin 20 of board 'sim' is already used by"),
        (
            "scale: 0.1",
            "scale: 1.0e-9",
            "devices.wheel: threshold far: no value is above 100, which is 1e+11 steps of the board: "
            "a value is at most 2147483647 steps, 2.147483647",
        ),
        (
            "above: 10,",
            "above: 16384,",
            "devices.lever: threshold pressed: no value is above 16384, which is 32768 steps of the board: "
            "a value is at most 32767 steps, 16383.5",
        ),
        ("below: 5", "below: -16384.5", "a value is at least -32768 steps, -16384"),
        ("below: 90", "below: -214748364.9", "a value is at least -2147483648 steps, -214748364.8"),
        ("pressed:", "Pressed:", "devices.lever.thresholds"),
        ("devices:", "boards: {sim: {chip: uno}}\ndevices:", "an Arduino Uno or Mega samples none"),
        ("devices:", "boards: {sim: {driver: avr}}\ndevices:", "an Arduino Uno or Mega samples none"),
        ("devices:", f"{FIRMATA}\ndevices:", "the board has to sample this input"),
    ],
)
def test_a_mistake_in_the_rig_file_is_told_at_its_line(lab: Path, rig: Rig, old: str, new: str, said: str) -> None:
    room = lab / "room.yaml"
    room.write_text(room.read_text().replace(old, new))
    answer = rig("check", "room.yaml")
    assert answer.status == 2
    assert said in answer.err


def test_a_threshold_that_the_rig_file_lacks_is_named() -> None:
    lever = AnalogInput("lever", AnalogInputConfig(kind="analog_input", pin=14))
    with pytest.raises(TaskError, match="lever has no threshold 'pressed' in the rig file; it has: none"):
        lever.rose("pressed")


def test_an_input_of_all_patterns() -> None:
    config = EncoderConfig.model_validate(
        {"kind": "encoder", "pin_a": 2, "pin_b": 3, "thresholds": {"far": {"above": 10.5, "below": -0.5}}}
    )
    wheel = Encoder("wheel", config)
    assert (wheel.rose("far"), wheel.fell("far")) == (("wheel.far", 1), ("wheel.far", 0))
    assert (wheel.high("far"), wheel.low("far")) == (("wheel.far", 1), ("wheel.far", 0))
    (far,) = wheel.channels
    assert (far.below, far.above) == (-1, 11)


@pytest.mark.parametrize("scale", [0.001, 0.01, 0.05, 0.1, 0.2, 0.3, 1e-9, 2.5, 1e9])
def test_a_threshold_at_a_whole_number_of_steps_is_that_number(scale: float) -> None:
    for below in range(-300, 300):
        # The decimals that a person writes.
        low, high = (float(steps * Fraction(str(scale))) for steps in (below, below + 1))
        config = EncoderConfig.model_validate(
            {
                "kind": "encoder",
                "pin_a": 2,
                "pin_b": 3,
                "scale": scale,
                "thresholds": {"x": {"above": high, "below": low}},
            }
        )
        assert config.steps(config.thresholds["x"]) == (below, below + 1)


def test_a_value_of_an_analog_input_can_reach_the_outermost_thresholds() -> None:
    config = AnalogInputConfig.model_validate(
        {"kind": "analog_input", "pin": 14, "scale": 0.1, "thresholds": {"x": {"above": 3276.7, "below": -3276.8}}}
    )
    (threshold,) = AnalogInput("lever", config).channels
    assert (threshold.below, threshold.above) == (-32768, 32767)


def test_the_channel_test_tries_each_threshold(lab: Path) -> None:
    found = try_channels("./room.yaml", AutoOperator())
    assert (found["lever.pressed"].result, found["wheel.far"].result) == ("ok", "ok")
