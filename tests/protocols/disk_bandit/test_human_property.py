"""Whatever a person does at the eight disks, the tables of every session add up."""

import pytest

from rig.core.task.random_streams import RandomStreams
from rig.session.replay import replay_lines
from sim_hardware.driver import make_model
from tests.harness import run_harness
from tests.protocols.disk_bandit.disks import assert_intervals, assert_waiting
from tests.session_specs import protocol_spec

VI_S = [3.0, 4.0, 6.0, 9.0, 12.0, 20.0, 40.0, 80.0]


@pytest.mark.parametrize("seed", range(4))
def test_the_tables_of_every_session_add_up(seed: int) -> None:
    prepared = protocol_spec("disk_bandit_human", vi_s=str(VI_S), session_s=60, sessions=3, questionnaire_after=0)
    harness = run_harness(prepared, make_model("human", {"p_miss": 0.3}).live, seed=seed)
    points, pages = harness.table("points"), [t_us for name, t_us in harness.states if name == "over"]
    for session in (1, 2, 3):
        rows = [row for row in harness.rows if row["session"] == session]
        intervals = [row for row in harness.table("intervals") if row["session"] == session]
        order = RandomStreams(1)(f"assignment.{session}").shuffled(VI_S)
        assert len(rows) > 40
        for row in rows:
            assert row["rewarded"] == (row["armed_before"] and row["phase"] == "respond")
            assert row["vi_s"] == (order[row["disk"]] if row["on_target"] else None)
            assert 1 <= row["block"] <= 2
        assert_intervals(rows, intervals)
        assert_waiting(rows, intervals)
        lit = [(row["t_lit"], row["disk"]) for row in points if row["session"] == session]
        assert lit == [(row["t"], row["disk"]) for row in rows if row["rewarded"]]
        taken = [row for row in points if row["session"] == session and row["t_collected"] is not None]
        assert harness.footer.carry_over["points"][session - 1] == len(taken) >= len(lit) - 1
        assert all(row["t_lit"] < row["t_collected"] <= pages[session - 1] / 1e6 for row in taken)
    assert replay_lines(harness.journal)[1] is None
