"""`rig device check`."""

from collections.abc import Callable

import pytest

from rig.config.calibration import load_calibration
from rig.devices.calibration import Check
from rig.scales.water import density_mg_per_ul
from tests.cli.conftest import Rig
from tests.cli.device.lab import Lab

SCALE = ("--scale", "/dev/scale", "--in-place", "--yes")


@pytest.fixture
def measured(lab: Lab) -> Lab:
    lab.calibrations.mkdir()
    for side in ("left", "right"):
        text = f"valve: {side}\ndate: 2026-11-03\npoints: [{{open_ms: 20, ul: 1.056}}, {{open_ms: 70, ul: 4.356}}]\n"
        (lab.calibrations / f"{side}_2026-11-03.yaml").write_text(text)
    return lab


def test_a_valve_that_agrees_prolongs_its_calibration(rig: Rig, measured: Lab) -> None:
    path = measured.calibrations / "left_2026-11-03.yaml"
    before = path.read_text()
    said = rig("device", "check", measured.rig_file, "left", *SCALE, "--by", "ben")
    assert said.status == 0, said.err
    assert "45 ms give 2.706 ul, +0.0 % of left_2026-11-03" in said.out
    assert path.read_text().startswith(before)
    assert "  - {date: 2026-11-24, open_ms: 45, ul: 2.70" in path.read_text()
    assert load_calibration(path).newest == "2026-11-24"


def test_a_valve_that_disagrees_marks_its_calibration_until_a_check_passes(rig: Rig, measured: Lab) -> None:
    agrees = measured.ul_of
    measured.ul_of = lambda output, open_us: 0.06 * (open_us / 1000 - 4)
    path = measured.calibrations / "left_2026-11-03.yaml"
    said = rig("device", "check", measured.rig_file, "left", *SCALE)
    assert said.status == 3
    assert "-9.1 % of left_2026-11-03" in said.out
    assert "measure the valve again: `rig device calibrate" in said.err
    assert "the failed check was added; a session on left now needs a reason" in said.err
    calibration = load_calibration(path)
    assert calibration.newest == "2026-11-03"
    assert calibration.failed_check == Check("2026-11-24", -9.09, "anna")
    checked = rig("check", measured.rig_file)
    assert "warning: left: its last check failed: -9.1 % of left_2026-11-03 (2026-11-24 by anna)" in checked.err
    assert "warning: its last check failed: -9.1 % (2026-11-24)" in rig("check", path).err
    measured.rig_file.write_text("calibration_max_days: null\n" + measured.rig_file.read_text())
    given = rig("device", "reward", measured.rig_file, "left", "--ul", "2", "--yes")
    assert "warning: left: its last check" in given.err
    measured.ul_of = agrees
    assert rig("device", "check", measured.rig_file, "left", *SCALE).status == 0
    assert "warning" not in rig("check", measured.rig_file).err


def test_a_valve_that_is_shut_fails_its_check(rig: Rig, measured: Lab) -> None:
    measured.ul_of = lambda output, open_us: 0.0
    said = rig("device", "check", measured.rig_file, "left", *SCALE)
    assert said.status == 3
    assert load_calibration(measured.calibrations / "left_2026-11-03.yaml").failed_check is not None


def test_a_check_is_said_to_pass_as_its_file_is_read(rig: Rig, measured: Lab) -> None:
    measured.ul_of = lambda output, open_us: 2.706 * 1.05003
    said = rig("device", "check", measured.rig_file, "left", *SCALE)
    failed = load_calibration(measured.calibrations / "left_2026-11-03.yaml").failed_check
    assert (said.status == 3) == (failed is not None), said.out


def test_a_person_who_is_not_on_the_list_is_told_before_the_valve_opens(
    rig: Rig, measured: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(measured.calibrations)
    (measured.calibrations / "rig.toml").write_text('experimenters = ["bob"]\n')
    said = rig("device", "check", measured.rig_file, "left", *SCALE, "--by", "eve")
    assert (said.status, said.out) == (2, "")
    assert "eve" in said.err


def test_a_mistyped_weight_fails_no_check(rig: Rig, measured: Lab, types: Callable[..., None]) -> None:
    weight = measured.ul_of("", 45_000) * 100 * density_mg_per_ul(20)
    answers = ["", f"{weight / 10:.1f} mg", f"{weight:.1f} mg"]
    asked: list[str] = []

    def answer(question: str) -> str:
        asked.append(question)
        return answers.pop(0)

    types(answer)
    said = rig("device", "check", measured.rig_file, "left", "--pulses", "100", "--yes")
    assert said.status == 0, said.err
    assert "10 times less than last time (2.71 ul): type it again, corrected or as it is" in asked[-1]


def test_a_volume_that_was_never_measured_cannot_be_checked(rig: Rig, measured: Lab) -> None:
    said = rig("device", "check", measured.rig_file, "left", *SCALE, "--ul", "9")
    assert said.status == 2
    assert "9 µl is not in the measured range" in said.err


def test_a_simulated_valve_is_checked_and_its_file_stays_as_it_is(rig: Rig) -> None:
    said = rig("device", "check", "sim_nose_ports", "left", "--scale", "sim")
    assert said.status == 0
    assert "the rig is simulated: nothing was recorded" in said.out
