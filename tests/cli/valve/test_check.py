"""`rig valve check`."""

import pytest

from rig.config.calibration import load_calibration
from tests.cli.conftest import Rig
from tests.cli.valve.lab import Lab

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
    said = rig("valve", "check", measured.rig_file, "left", *SCALE, "--by", "ben")
    assert said.status == 0, said.err
    assert "45 ms give 2.706 ul, +0.0 % of left_2026-11-03" in said.out
    assert path.read_text().startswith(before)
    assert "  - {date: 2026-11-24, open_ms: 45, ul: 2.70" in path.read_text()
    assert load_calibration(path).newest == "2026-11-24"


def test_a_valve_that_disagrees_does_not(rig: Rig, measured: Lab) -> None:
    measured.ul_of = lambda output, open_us: 0.06 * (open_us / 1000 - 4)
    path = measured.calibrations / "left_2026-11-03.yaml"
    before = path.read_text()
    said = rig("valve", "check", measured.rig_file, "left", *SCALE)
    assert said.status == 3
    assert "-9.1 % of left_2026-11-03" in said.out
    assert "measure the valve again: `rig valve calibrate" in said.err
    assert path.read_text() == before


def test_a_volume_that_was_never_measured_cannot_be_checked(rig: Rig, measured: Lab) -> None:
    said = rig("valve", "check", measured.rig_file, "left", *SCALE, "--ul", "9")
    assert said.status == 2
    assert "9 µl is not in the measured range" in said.err


def test_a_simulated_valve_is_checked_and_its_file_stays_as_it_is(rig: Rig) -> None:
    said = rig("valve", "check", "sim_nose_ports", "left", "--scale", "sim")
    assert said.status == 0
    assert "the rig is simulated: nothing was recorded" in said.out
