"""`rig valve flush` and `rig valve prime`."""

import pytest

from tests.cli.conftest import Rig
from tests.cli.valve.lab import Lab


def test_a_valve_is_rinsed_for_a_bounded_time_with_openings_that_the_board_allows(rig: Rig, lab: Lab) -> None:
    lab.rig_file.write_text(
        lab.rig_file.read_text().replace("calibration: left", "calibration: left, max_open_ms: 100")
    )
    said = rig("valve", "flush", lab.rig_file, "left", "right", "--seconds", "3", "--yes")
    assert said.status == 0, said.err
    assert "left: opened 20 times for 100 ms, in 3 s" in said.out
    assert lab.pulses.count(("left.valve", 100_000)) == 20
    assert lab.pulses.count(("right.valve", 450_000)) == 6


def test_it_works_before_a_valve_was_ever_measured(rig: Rig, lab: Lab) -> None:
    assert not lab.calibrations.exists()
    assert rig("valve", "prime", lab.rig_file, "left", "--seconds", "2", "--yes").status == 0


@pytest.mark.parametrize("seconds", ["0", "-1", "301", "nan"])
def test_no_time_without_a_bound(rig: Rig, lab: Lab, seconds: str) -> None:
    answer = rig("valve", "flush", lab.rig_file, "left", "--seconds", seconds, "--yes")
    assert answer.status == 2
    assert "at most 300" in answer.err


def test_an_animal_may_not_be_in_the_rig(rig: Rig, lab: Lab) -> None:
    answer = rig("valve", "flush", lab.rig_file, "left")
    assert answer.status == 2
    assert "no animal may be in the rig" in answer.err
    assert lab.pulses == []
