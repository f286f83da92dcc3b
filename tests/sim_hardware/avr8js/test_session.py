"""A session on the firmware on one simulator and on the other: the same session."""

from typing import Any

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from sim_hardware.avr8js.driver import Avr8jsDriver
from sim_hardware.driver import make_model
from tests.harness import FaultHarness, run_harness
from tests.session_specs import task_spec

SESSION_S = 120
APART_S = 0.002
"""How far the two may be apart within a trial: the host learns of an edge when its frame has arrived."""


def with_a_mouse() -> FaultHarness:
    spec = task_spec(TwoArmedBandit, stop={"session_s": SESSION_S, "max_rewards": 1_000})
    return run_harness(spec, model=make_model("rflr", {}), board="avr")


def decisions(row: dict[str, Any]) -> list[Any]:
    return [row[name] for name in ("choice", "rewarded", "outcome", "delivered_by", "high_side", "block")]


def test_a_virtual_mouse_lives_the_same_session_on_either_simulator(monkeypatch: pytest.MonkeyPatch) -> None:
    first = with_a_mouse()
    monkeypatch.setattr("rig.testing.harness.find_driver", lambda name: Avr8jsDriver())
    second = with_a_mouse()
    assert len(first.rows) == pytest.approx(len(second.rows), abs=1)
    assert len(first.rows) > 20
    for ours, theirs in list(zip(first.rows, second.rows, strict=False))[:-1]:
        assert decisions(ours) == decisions(theirs)
        for name in ("t_center_out", "t_side_in", "t_side_out"):
            if ours[name] is not None:
                lengths = [row[name] - row["t_center_in"] for row in (ours, theirs)]
                assert lengths[0] == pytest.approx(lengths[1], abs=APART_S)
