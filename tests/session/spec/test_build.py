"""From names and files to a script: every mistake is found before anything is touched, and all of them at once."""

import datetime
import importlib.metadata
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.boards.serial.driver import SerialDriver
from rig.config import find
from rig.core.errors import ConfigError
from rig.session.spec import read_protocol
from rig.session.spec.build import build_spec, load_rig_spec
from rig.session.spec.calibration_ages import check_calibration_ages
from rig.session.spec.read_rig import read_rig
from rig.session.spec.request import SessionRequest
from rig.session.spec.task_classes import find_task
from rig.system import plugins
from tests.tables import rows

CONFIGS = Path(__file__).parents[3] / "configs"


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A laboratory's own configurations, in a folder of their own; a file is changed by (old, new)."""
    shutil.copytree(CONFIGS, tmp_path / "configs")
    monkeypatch.chdir(tmp_path)

    def change(name: str, *changes: tuple[str, str]) -> Path:
        path = tmp_path / "configs" / name
        text = path.read_text()
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        path.write_text(text)
        return path

    return change


def mistakes(call: Callable[..., object], *arguments: Any, **options: Any) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        call(*arguments, **options)
    return list(caught.value.mistakes)


# --- what is found --------------------------------------------------------------------------------------------


def test_a_protocol_on_its_simulated_rig_is_ready_to_run(lab: Callable[..., Path]) -> None:
    prepared = build_spec(SessionRequest("two_armed_bandit"))
    assert (prepared.protocol, prepared.found.task) == ("two_armed_bandit", TwoArmedBandit)
    assert (prepared.plan.name, prepared.plan.board.driver) == ("sim_nose_ports", "sim")
    assert prepared.params.p_high == 0.8
    assert [channel.name for channel in prepared.plan.wiring.channels] == [
        "left.beam",
        "left.light",
        "left.valve",
        "center.beam",
        "center.light",
        "right.beam",
        "right.light",
        "right.valve",
    ]
    assert [source.name for source in prepared.sources] == [
        "two_armed_bandit.yaml",
        "sim_nose_ports.yaml",
        "sim_left.yaml",
        "sim_right.yaml",
        "task.py",
        "blocks.py",
        "laser.py",
        "params.py",
        "rows.py",
        "recorded_trials.py",
        "decisions.py",
    ]


def test_another_rig_and_another_driver_can_be_named(lab: Callable[..., Path]) -> None:
    prepared = build_spec(SessionRequest("two_armed_bandit", "nose_ports_uno", driver="sim"))
    assert (prepared.plan.name, prepared.plan.board.driver) == ("nose_ports_uno", "sim")
    assert build_spec(SessionRequest("two_armed_bandit", "nose_ports_uno")).plan.board.driver == "serial"


def test_values_can_be_set_from_the_command_line(lab: Callable[..., Path]) -> None:
    prepared = build_spec(
        SessionRequest(
            "two_armed_bandit", sets=["params.p_high=0.9", "stop.session_s=60", "params.error_poke=log_only"]
        )
    )
    assert (prepared.params.p_high, prepared.params.error_poke, prepared.stop.session_s) == (0.9, "log_only", 60)


def test_what_is_left_today_lowers_the_limits_of_a_session(lab: Callable[..., Path]) -> None:
    first = build_spec(SessionRequest("two_armed_bandit", subject="M1"))
    second = replace(
        first,
        carried_over={"last_high_side": "left"},
        remaining_today={"ul": 10.0, "pellets": None, "access_s": None},
    )
    assert (first.reward_limits.max_ul, second.reward_limits.max_ul) == (2000, 10.0)
    assert second.header.carry_over == {"last_high_side": "left"}
    assert second.header.subject == "M1"


def test_the_task_of_a_file_is_sought_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[str] = []
    monkeypatch.setattr(read_protocol, "find_task", lambda word, near: sought.append(word) or find_task(word, near))
    build_spec(SessionRequest("free_water"))
    assert sought == ["free_water"]


# --- what is missing ------------------------------------------------------------------------------------------


def test_a_protocol_that_no_file_describes_is_refused_with_those_that_exist(lab: Callable[..., Path]) -> None:
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandid"))
    assert "did you mean 'two_armed_bandit'?" in mistake
    assert "free_water" in mistake


def test_a_protocol_that_nobody_installed_is_refused_at_its_line(lab: Callable[..., Path]) -> None:
    lab("protocols/two_armed_bandit.yaml", ("protocol: two_armed_bandit", "protocol: two_armed_bandi"))
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert mistake.startswith("configs/protocols/two_armed_bandit.yaml:4: protocol: ")
    assert "did you mean 'two_armed_bandit'?" in mistake


def test_a_file_that_names_no_protocol_is_refused_with_its_other_mistakes(lab: Callable[..., Path]) -> None:
    lab("protocols/free_water.yaml", ("protocol: free_water", ""), ("session_s: 1800", "session_s: long"))
    text = "\n".join(mistakes(build_spec, SessionRequest("free_water")))
    assert "protocol: " in text
    assert "stop.session_s" in text


def test_a_rig_that_does_not_exist_is_refused(lab: Callable[..., Path]) -> None:
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit", "nose_ports_duo"))
    assert "did you mean 'nose_ports_uno'?" in mistake


@pytest.mark.parametrize("value", ["", "simulation: {rig: 3}", "simulation: {rig: null}"])
def test_a_protocol_without_a_rig_is_refused_and_says_what_to_give(lab: Callable[..., Path], value: str) -> None:
    lab("protocols/free_water.yaml", ("simulation: {rig: sim_nose_ports}", value))
    found = mistakes(build_spec, SessionRequest("free_water"))
    assert any("give --rig NAME" in mistake for mistake in found)


def test_a_device_that_the_rig_lacks_is_named_with_those_it_has(lab: Callable[..., Path]) -> None:
    lab(
        "rigs/sim_nose_ports.yaml",
        ("  center: {kind: port, beam: 5, light: 8}\n", ""),
        ("    center: {max_entries_per_min: 120, max_short_pct: 60}\n", ""),
    )
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert mistake == (
        "configs/rigs/sim_nose_ports.yaml:15: devices: 'center' is missing; "
        "the protocol needs a port of that name, the rig has: left, right"
    )


def test_a_valve_and_a_light_that_a_port_lacks_are_both_named(lab: Callable[..., Path]) -> None:
    lab(
        "rigs/sim_nose_ports.yaml",
        (", valve: 3, calibration: sim_left", ""),
        ("center: {kind: port, beam: 5, light: 8}", "center: {kind: port, beam: 5}"),
    )
    found = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert [said.partition(": ")[2] for said in found] == [
        "devices.left: has no valve, and the protocol needs it: give it a pin (`valve: N`)",
        "devices.center: has no light, and the protocol needs it: give it a pin (`light: N`)",
    ]


def test_a_device_of_another_kind_is_refused(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", ("center: {kind: port, beam: 5, light: 8}", "center: {kind: light, pin: 8}"))
    unknown, mistake = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert "expect.inputs.center: no such input on this rig; accepted: left, right" in unknown
    assert "devices.center: is a light, the protocol needs a port" in mistake


def test_several_boards_are_refused_for_now(lab: Callable[..., Path]) -> None:
    lab(
        "rigs/sim_nose_ports.yaml",
        ("  sim: {driver: sim, reference: true}", "  sim: {driver: sim, reference: true}\n  two: {driver: sim}"),
    )
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert mistake.startswith("configs/rigs/sim_nose_ports.yaml:3: boards: several boards")


# --- all at once ----------------------------------------------------------------------------------------------


def test_every_mistake_of_every_file_is_listed_at_once(lab: Callable[..., Path]) -> None:
    lab(
        "protocols/two_armed_bandit.yaml",
        ("p_high: 0.8", "p_hihg: 0.8"),
        ("choice_window_s: 2.0", "choice_window_s: two"),
        ("max_rewards: 800", "max_reward: 800"),
    )
    lab("rigs/sim_nose_ports.yaml", ("beam: 5", "beam: five"), ("valve: 3", "valve: 4"))
    lab("calibrations/sim_left.yaml", ("ul: 0.4", "ul: -0.4"))
    lab("calibrations/sim_right.yaml", ("pulses: 100", "pulses: many"))
    text = "\n".join(mistakes(build_spec, SessionRequest("two_armed_bandit")))
    for part in (
        "two_armed_bandit.yaml:9: params.p_hihg",
        "two_armed_bandit.yaml:11: params.choice_window_s",
        "two_armed_bandit.yaml:17: stop.max_reward",
        "sim_nose_ports.yaml:18: devices.center.beam",
    ):
        assert part in text


def test_mistakes_in_all_calibrations_are_listed_at_once(lab: Callable[..., Path]) -> None:
    lab("calibrations/sim_left.yaml", ("ul: 0.4", "ul: -0.4"))
    lab("calibrations/sim_right.yaml", ("pulses: 100", "pulses: many"))
    text = "\n".join(mistakes(lambda: read_rig(find("rigs", "sim_nose_ports"))))
    assert "sim_left.yaml:7: points[0].ul" in text
    assert "sim_right.yaml:5: pulses" in text


def test_a_missing_calibration_is_named(lab: Callable[..., Path]) -> None:
    (Path("configs") / "calibrations" / "sim_left.yaml").unlink()
    lab("rigs/sim_nose_ports.yaml", ("calibration: sim_left", "calibration: sim_lefd"))
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert "no calibration is called 'sim_lefd'" in mistake


# --- volumes --------------------------------------------------------------------------------------------------


def test_a_volume_that_was_never_measured_is_refused_for_every_valve(lab: Callable[..., Path]) -> None:
    lines = mistakes(build_spec, SessionRequest("two_armed_bandit", "nose_ports_uno", ["params.reward_ul=5"], "sim"))
    assert [line.split(" (")[0] for line in lines] == [
        f"command line: params.reward_ul: valve '{side}'" for side in ("left", "right")
    ]
    assert all("5 µl is not in the measured range, 1.1 to 3.8 µl" in line for line in lines)


def test_a_volume_that_takes_longer_than_the_valve_may_open_is_refused(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", ("calibration: sim_left", "calibration: sim_left, max_open_ms: 30"))
    with pytest.raises(
        ConfigError,
        match=r"two_armed_bandit\.yaml:\d+: params\.reward_ul: left\.valve: 2\.5 ul takes 40 ms, .* 30 ms at most",
    ):
        build_spec(SessionRequest("two_armed_bandit"))


def test_a_valve_that_stands_alone_is_checked_too(lab: Callable[..., Path]) -> None:
    lab(
        "rigs/sim_nose_ports.yaml",
        ("  center: {kind", "  spout: {kind: valve, pin: 12, calibration: left_2026-11-03}\n  center: {kind"),
    )
    with pytest.raises(ConfigError, match=r"valve 'left' .* 5 µl is not in"):
        build_spec(SessionRequest("two_armed_bandit", sets=["params.reward_ul=5"]))


# --- protocols of a laboratory --------------------------------------------------------------------------------


def install(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Let a laboratory's own protocol be installed, as its entry point would say."""
    (folder / "lab_protocol.py").write_text(text)
    monkeypatch.syspath_prepend(str(folder))
    points = [importlib.metadata.EntryPoint("mine", "lab_protocol:Mine", "rig.protocols")]
    monkeypatch.setattr(plugins, "read_entry_points", lambda group, path: points)
    monkeypatch.delitem(__import__("sys").modules, "lab_protocol", raising=False)


@rows("text", "said")
def test_a_protocol_that_can_not_be_loaded_is_your_files_mistake(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str, said: str
) -> None:
    install(monkeypatch, tmp_path, text)
    (mistake,) = mistakes(find_task, "mine")
    assert "protocol 'mine'" in mistake
    assert said in mistake


def test_a_protocol_of_a_laboratory_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    install(
        monkeypatch,
        tmp_path,
        "from rig import Task, Row, TaskParams, Next, state\n"
        "class Mine(Task[TaskParams, object, Row]):\n"
        "    @state(to=('here',))\n"
        "    async def here(self) -> Next: ...\n",
    )
    assert find_task("mine").task.__name__ == "Mine"


REAL_BOARD = ("driver: sim", "driver: serial")

# --- whose calibration? ---------------------------------------------------------------------------------------


def test_the_calibration_of_another_valve_is_a_mistake_where_it_is_named(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", ("sim_left", "sim_other"), ("sim_right", "sim_left"), ("sim_other", "sim_right"))
    left, right = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert "sim_nose_ports.yaml:17: devices.left.calibration: sim_right was measured on valve 'right'" in left
    assert "devices.right.calibration: sim_left was measured on valve 'left', but this valve is 'right'" in right


def test_a_valve_that_has_an_id_of_its_own_is_reported_by_that(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", REAL_BOARD)
    lab("calibrations/sim_left.yaml", ("valve: left", "valve: LHQA-17"))
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert "was measured on valve 'LHQA-17', but this valve is 'left'" in mistake
    lab("rigs/sim_nose_ports.yaml", ("calibration: sim_left", "calibration: sim_left, valve_id: LHQA-17"))
    build_spec(SessionRequest("two_armed_bandit"))


def test_one_calibration_is_not_that_of_two_valves(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", REAL_BOARD, ("calibration: sim_right", "calibration: sim_left, valve_id: left"))
    (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit"))
    assert "sim_nose_ports.yaml:19: devices.right.calibration: sim_left is already the calibration of 'left'" in mistake


def test_one_calibration_serves_all_simulated_valves(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", ("calibration: sim_right", "calibration: sim_left"))
    build_spec(SessionRequest("two_armed_bandit"))
    lab("rigs/sim_nose_ports.yaml", REAL_BOARD)
    for driver in (None, "sim"):
        (mistake,) = mistakes(build_spec, SessionRequest("two_armed_bandit", driver=driver))
        assert "right.calibration: sim_left was measured on valve 'left', but this valve is 'right'" in mistake


def test_a_valve_that_may_not_open_for_its_shortest_measured_time_gives_no_drop(lab: Callable[..., Path]) -> None:
    lab("rigs/sim_nose_ports.yaml", ("calibration: sim_left", "calibration: sim_left, max_open_ms: 9"))
    (first,) = mistakes(load_rig_spec, "sim_nose_ports")
    assert "devices.left.max_open_ms: the valve may open 9 ms, and was measured from 10 ms on" in first


def test_a_check_makes_an_old_calibration_new(lab: Callable[..., Path]) -> None:
    day = datetime.datetime(2026, 11, 21)
    check = "checks:\n  - {date: 2026-11-20, open_ms: 40, ul: 2.55}\n"
    for name in ("left", "right"):
        path = Path("configs") / "calibrations" / f"sim_{name}.yaml"
        path.write_text(path.read_text() + check)
    rig = read_rig(lab("rigs/sim_nose_ports.yaml"))
    assert list(check_calibration_ages(rig, SerialDriver(), day)) == []
    old = list(check_calibration_ages(rig, SerialDriver(), day + datetime.timedelta(days=9)))
    assert "sim_left was checked on 2026-11-20, 10 days ago; at most 7 are allowed" in old[0]
