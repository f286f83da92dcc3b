"""A board's USB chip holds bytes back on their way to the host: the session goes on, and nothing is sent twice."""

import pytest

from rig.core.journal.kinds import HealthLine
from rig.testing import run_session
from sim_hardware.link_model import FTDI_BRIDGE, UNO_BRIDGE

REPEATED = ("damaged", "resent", "duplicates", "gaps", "board_resent")


@pytest.mark.parametrize("bridge", [UNO_BRIDGE, FTDI_BRIDGE], ids=["16U2", "FTDI"])
def test_a_usb_chip_that_holds_bytes_back_causes_no_retransmission(bridge: dict[str, float]) -> None:
    session = run_session("two_armed_bandit", "rflr", stop={"session_s": 120}, faults=bridge)
    (health,) = [line for line in session.journal if isinstance(line, HealthLine)]
    assert len(session.rows) > 20
    assert health.complete
    assert {key: health.counters[key] for key in REPEATED} == dict.fromkeys(REPEATED, 0)
