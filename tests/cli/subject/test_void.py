"""Wrong entries of an animal's record that are taken back from the command line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Rig

MOUSE = ("--species", "mouse", "--baseline-g", "25", "--baseline-date", "2026-11-01")
pytestmark = pytest.mark.usefixtures("morning")


def test_a_session_may_be_given_what_a_voided_amount_had_used_up(rig: Rig, real: Rig, data: Path) -> None:
    rig("subject", "add", "M1", *MOUSE)
    rig("subject", "give", "M1", "12000ul", "--reason", "bait", "--yes")
    once = ("--set", "stop.max_rewards=1")
    refused = real("2026-11-21T09:00", *once)
    assert (refused.status, "no more today" in refused.err) == (2, True)
    rig("subject", "undo", "M1")
    assert real("2026-11-21T09:00", *once).status == 0
