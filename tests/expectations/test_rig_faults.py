"""Faults of a rig are told by the right finding, and sessions without faults are not."""

from __future__ import annotations

import pytest

from rig.testing.harness import SessionHarness
from tests.expectations.rig_faults import RIG_FAULTS, RigFault
from tests.expectations.simulated import BANDIT, CLEAN, DISKS, MAZE, Setting, run_judged

MAY_BE_MISSED = len(RIG_FAULTS) // 30
CLEAN_SEEDS = range(2000, 2029)
"""With these seeds there are more than 1,000 sessions without a fault."""
QUICK = ("the center lamp is dead", "the cables of the feeders are swapped", "the left sensor is blind")
"""Faults whose sessions are short."""


def is_told(fault: RigFault, seed: int) -> bool:
    return fault.is_told(run_judged(fault.setting, seed, arrange=fault.arrange, cut=fault.cut, faults=fault.link))


@pytest.mark.parametrize("fault", [fault for fault in RIG_FAULTS if fault.name in QUICK], ids=lambda fault: fault.name)
def test_a_fault_of_a_short_session_is_told(fault: RigFault) -> None:
    assert is_told(fault, 1)


@pytest.mark.parametrize("setting", [MAZE, DISKS], ids=lambda setting: setting.protocol)
def test_a_session_without_a_fault_is_good(setting: Setting) -> None:
    assert run_judged(setting, 1) == []


def test_a_pause_is_nothing_unusual() -> None:
    def pause(harness: SessionHarness) -> None:
        harness.rig.call_at_us(300_000_000, lambda: harness.request("pause"))
        harness.rig.call_at_us(1_200_000_000, lambda: harness.request("resume"))

    assert run_judged(BANDIT, 1, arrange=pause) == []


@pytest.mark.slow
def test_faults_of_all_parts_of_a_rig_are_told() -> None:
    # Every third one: a few of the ports, of the maze, of the camera, of the screen and of the link.
    assert [fault.name for fault in RIG_FAULTS[::3] if not is_told(fault, 2)] == []


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(3, 6))
def test_at_least_29_of_30_faults_are_told(seed: int) -> None:
    missed = [fault.name for fault in RIG_FAULTS if not is_told(fault, seed)]
    assert len(missed) <= MAY_BE_MISSED, missed


@pytest.mark.campaign
def test_at_most_one_of_a_thousand_sessions_without_a_fault_is_called_unusual() -> None:
    alarms = [
        (setting, seed, found) for seed in CLEAN_SEEDS for setting in CLEAN if (found := run_judged(setting, seed))
    ]
    assert len(alarms) <= 1, alarms
