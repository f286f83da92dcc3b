"""The steps of docs/explanations/one-value.md are calls that are made, in the order of the page, and none goes back."""

import datetime
from pathlib import Path

from rig.core.journal.kinds import Command
from rig.core.model.rig_spec import SimulationOptions
from rig.records.journal.read import of_kind, read_journal
from rig.session.run.run_session import SessionResult, run_session
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.docs.ways import Way

WAY = Way("one-value.md")


def test_every_step_is_a_call_that_is_made_after_the_step_before(tmp_path: Path) -> None:
    request = SessionRequest(
        "two_armed_bandit",
        sets=["stop.session_s=60", "params.reward_ul=3", "params.p_high=1", "params.start_high_side=left"],
        data=tmp_path,
        subject="M1",
        seed=1,
        start=datetime.datetime(2026, 11, 21, 9),
        simulation=SimulationOptions("rflr", seed=1),
    )
    results: list[SessionResult] = []
    made = WAY.calls(lambda: results.append(run_session(build_spec(request))))
    assert WAY.not_in_order(made) == []
    (result,) = results
    valve = result.spec.rig.calibrations["sim_left"]
    orders = [str(order) for line in of_kind(read_journal(result.folder), Command) for order in line.orders]
    assert any("left.valve" in order and str(valve.open_us(3)) in order for order in orders)


def test_the_way_is_short_and_no_module_is_visited_twice() -> None:
    files = [file for file, _ in WAY.steps]
    assert 12 <= len(files) <= 15
    assert len(set(files)) == len(files)


def test_every_file_that_it_names_is_there() -> None:
    assert WAY.missing_files == []
