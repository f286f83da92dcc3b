"""Participants in the shipped tasks, on a simulated screen: from the consent to the debriefing."""

import statistics
from typing import Any

import pytest

from sim_hardware.driver import make_model
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.session_specs import protocol_spec

SMALL = {"rounds": 2, "horizons": "[3,5]", "examples": 1, "width": 5, "height": 4}


def run(protocol: str, model: str, seed: int = 1, given: dict[str, Any] | None = None, **params: Any) -> FaultHarness:
    """Let a participant take part in a shipped task."""

    async def live(body: Body) -> None:
        await make_model(model, given or {}).live(body)

    return run_harness(protocol_spec(protocol, **params), live, seed=seed)


@pytest.mark.parametrize("model", ["gp_ucb", "grid_wsls", "option_learning"])
def test_a_participant_finishes_the_grid_task(model: str) -> None:
    harness = run("grid_bandit", model, **SMALL)
    assert harness.footer.reason == "task_finished"
    assert [(row["round"], row["trial"]) for row in harness.rows] == [
        (number, trial) for number, horizon in ((1, 3), (2, 5)) for trial in range(1, horizon + 1)
    ]
    first, last = harness.table("rounds")
    assert first["guess_tile"] is None
    seen = {last["initial_tile"]: last["initial_shown"]}
    seen |= {row["tile"]: row["shown"] for row in harness.rows if row["round"] == 2}
    assert seen[last["guess_tile"]] == max(seen.values())


@pytest.mark.parametrize(
    ("protocol", "rounds", "model"),
    [
        ("risky_bandit", 4, "gp_pos"),
        pytest.param("risky_bandit", 9, "gp_lcb", marks=pytest.mark.slow),
        pytest.param("risky_bandit_exp2", 10, "gp_pos", marks=pytest.mark.slow),
    ],
)
def test_a_careful_participant_sees_the_line_and_stays_above_it(protocol: str, rounds: int, model: str) -> None:
    given = {"set": "line" if protocol == "risky_bandit" else "risky-grid", "tau": 0.02}
    harness = run(protocol, model, given=given, rounds=rounds)
    risky = [row for row in harness.table("rounds") if row["risk"] == "risky"]
    assert len(harness.table("rounds")) == rounds
    careless = [row for row in run(protocol, "grid_random", rounds=rounds).table("rounds") if row["risk"] == "risky"]
    assert statistics.fmean(row["clicks"] for row in risky) > statistics.fmean(row["clicks"] for row in careless) + 2


@pytest.mark.slow
def test_a_session_of_eight_grids_takes_the_time_of_people() -> None:
    harness = run("grid_bandit", "gp_ucb", given={"set": "wu2017-local"})
    assert len(harness.rows) == 240
    later = [row["reaction_s"] for row in harness.rows if row["trial"] > 1]
    assert statistics.median(later) == pytest.approx(1.1, abs=0.15)
    first = [row["reaction_s"] for row in harness.rows if row["trial"] == 1]
    assert statistics.median(first) == pytest.approx(2.6, abs=0.8)
    began = harness.table("rounds")[0]["t_began"]
    assert 60 < began < 240  # pages and examples; twice if a question was answered wrong
    assert 4 * 60 < harness.table("rounds")[-1]["t_ended"] - began < 12 * 60
