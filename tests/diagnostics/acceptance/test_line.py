"""The line between computer and board."""

import pytest

from rig.core.model.board import Health
from rig.diagnostics.acceptance.line import damage_row
from sim_hardware.link_model import FTDI_BRIDGE, UNO_BRIDGE
from tests.diagnostics.acceptance.site_helpers import wiring_rows


def test_a_clean_line_has_a_round_trip_and_no_damage() -> None:
    rows = wiring_rows("nose_ports_uno")
    assert rows["round trip"].verdict == "pass"
    assert rows["round trip"].found.endswith("ms, n 50")
    assert (rows["damaged frames"].verdict, rows["damaged frames"].found) == ("pass", "none")


def test_the_usb_chip_of_an_uno_passes_and_an_ftdi_chip_that_is_not_set_is_found() -> None:
    assert wiring_rows("nose_ports_uno", faults=UNO_BRIDGE)["round trip"].verdict == "pass"
    slow = wiring_rows("nose_ports_uno", faults=FTDI_BRIDGE)["round trip"]
    assert slow.verdict == "info"
    assert slow.found.endswith("`rig board check` prints the command that sets its latency timer")


def test_a_cable_that_damages_frames_is_found() -> None:
    row = wiring_rows("nose_ports_uno", faults={"flip": 0.001})["damaged frames"]
    assert row.verdict == "fail"
    assert "another cable, another socket, no hub" in row.found


@pytest.mark.parametrize("health", [None, Health(False, 0, 0)])
def test_a_board_that_does_not_report_its_counters_fails(health: Health | None) -> None:
    assert damage_row(health).verdict == "fail"
