"""The steps of docs/explanations/one-edge.md are calls that are made, in the order of the page."""

import datetime
from pathlib import Path

from rig.core.model.rig_spec import SimulationOptions
from rig.session.run.run_session import SessionResult, run_session
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from tests.docs.ways import Way

WAY = Way("one-edge.md")


def test_every_step_is_a_call_that_is_made_after_the_step_before(tmp_path: Path) -> None:
    request = SessionRequest(
        "two_armed_bandit",
        sets=["stop.session_s=600", "stop.max_rewards=2"],
        data=tmp_path,
        subject="M1",
        seed=1,
        start=datetime.datetime(2026, 11, 21, 9),
        simulation=SimulationOptions("rflr", seed=1),
    )
    results: list[SessionResult] = []
    spec = build_spec(request)
    made = WAY.calls(lambda: results.append(run_session(spec)))
    assert results[0].rows[-1]["delivered_by"] == "board"
    assert len(WAY.steps) >= 12
    assert WAY.not_in_order(made) == []


def test_every_file_that_it_names_is_there() -> None:
    assert WAY.missing_files == []
