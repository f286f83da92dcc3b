"""The two-armed bandit on the firmware, and on the board in Python: one and the same session."""

from typing import Any

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from sim_hardware.driver import make_model
from sim_hardware.link_model import LinkFaults
from tests.avr_tools import need_avr_tools
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.session_specs import DROP_US, task_spec

DISCRETE = (
    *("trial", "choice", "rewarded", "outcome", "delivered_by"),
    *("high_side", "block", "trial_in_block", "error_pokes"),
)
TIMES = ("t_center_in", "t_center_out", "t_side_in", "t_side_out")
REFLEX_US = 300
CONFIRM_US = 100


@pytest.fixture(autouse=True)
def _tools() -> None:
    need_avr_tools()


def with_a_mouse(board: str, session_s: int = 600, **conditions: Any) -> FaultHarness:
    script = task_spec(TwoArmedBandit, stop={"session_s": session_s, "max_rewards": 1_000})
    return run_harness(script, model=make_model("rflr", {}), board=board, **conditions)


def test_a_virtual_mouse_lives_the_same_session_on_either_board() -> None:
    model, chip = with_a_mouse("sim"), with_a_mouse("avr")
    assert chip.error is None
    assert len(chip.rows) == pytest.approx(len(model.rows), abs=2)
    assert len(chip.rows) > 100
    for ours, theirs in zip(model.rows, chip.rows, strict=False):
        if "interrupted" in (ours["outcome"], theirs["outcome"]):
            break
        assert {name: theirs[name] for name in DISCRETE} == {name: ours[name] for name in DISCRETE}
        for name in TIMES:
            if ours[name] is not None:
                lengths = [row[name] - row["t_center_in"] for row in (ours, theirs)]
                assert lengths[1] == pytest.approx(lengths[0], abs=0.002)


def visits() -> list[tuple[int, str, int]]:
    edges, t_us = [], 2_000_000
    for place in range(20):
        edges += nose_pokes((t_us, "center", 300_000), (t_us + 800_000, ("left", "right")[place // 5 % 2], 400_000))
        t_us += 4_000_123
    return edges


def test_an_animal_that_follows_a_script_makes_the_same_table_on_either_board() -> None:
    script = task_spec(TwoArmedBandit, stop={"session_s": 100, "max_rewards": 1_000})
    model, chip = (run_harness(script, visits(), board=board) for board in ("sim", "avr"))
    assert len(chip.rows) == len(model.rows) > 15
    for ours, theirs in zip(model.rows, chip.rows, strict=True):
        assert {name: theirs[name] for name in DISCRETE} == {name: ours[name] for name in DISCRETE}
        for name in TIMES:
            assert (theirs[name] is None) == (ours[name] is None)
            assert ours[name] is None or theirs[name] == pytest.approx(ours[name], abs=100e-6)


def test_every_drop_falls_at_its_poke_however_late_the_host_is() -> None:
    harness = with_a_mouse("avr", 150, faults=LinkFaults(latency_s=0.1))
    pokes = {
        place: [t for t, name, on in harness.trace if name == f"{place}.beam" and on] for place in ("left", "right")
    }
    paid = [row for row in harness.rows if row["delivered_by"] == "board"]
    opened = [opening for opening in harness.valve_openings if opening.us]
    assert len(opened) >= len(paid) > 10
    for opening in opened:
        poke_us = max(t for t in pokes[opening.place] if t <= opening.t_us)
        assert opening.t_us - poke_us - CONFIRM_US <= REFLEX_US
        assert opening.us == pytest.approx(DROP_US, abs=100)
