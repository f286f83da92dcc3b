"""All that is drawn and counted in whole sessions, computed again from their records (``make campaign``: 100)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from rig.config import load_config, validate
from rig.config.models.curriculum import CurriculumFile
from rig.core.journal.header import Header
from rig.records.journal.read import Row
from rig.session.replay import replay_lines
from tests.harness import FaultHarness, run_harness
from tests.protocols.searching.people import person
from tests.repository import ROOT
from tests.session_specs import protocol_spec, session_spec

FEW, MANY = (0, 3, 6), range(100)
NUMBERS = [FEW, pytest.param(MANY, marks=pytest.mark.campaign)]
CELLS = [*product(("average", "maximum"), ("smooth", "rough"), (20, 40))]


def grid_session(number: int, whole: bool) -> FaultHarness:
    payoff, kind, first = CELLS[number % len(CELLS)]
    values: dict[str, Any] = {"payoff": payoff, "environment": kind, "horizons": f"[{first},{60 - first}]"}
    if not whole:
        values |= {"rounds": 3, "horizons": "[4,8]", "examples": 2}
    return run_harness(session_spec(protocol_spec("grid_bandit", **values), seed=number), person(seed=number))


def noise_of(rows: list[Row]) -> list[float]:
    return [row["drawn"] - row["latent"] for row in rows]


@pytest.mark.parametrize("numbers", NUMBERS, ids=len)
def test_every_number_of_grid_sessions_follows_from_header_and_clicks(numbers: Sequence[int]) -> None:
    horizons: Counter[tuple[int, ...]] = Counter()
    noise: list[float] = []
    for number in numbers:
        harness = grid_session(number, whole=numbers is MANY)
        header = harness.of_kind(Header)[0]
        params, drawn = header.params, header.drawn
        rounds = harness.table("rounds")
        used = [each["environment"] for each in (*drawn["examples"], *drawn["rounds"])]
        assert len(set(used)) == len(used) == params["examples"] + params["rounds"]
        assert [played["environment"] for played in rounds] == used[params["examples"] :]
        assert [played["horizon"] for played in rounds] == [
            params["horizons"][place % 2] for place in range(params["rounds"])
        ]
        horizons[tuple(params["horizons"])] += 1
        for played in rounds:
            rows = [row for row in harness.rows if row["round"] == played["round"]]
            assert_round(params, drawn, played, rows)
        noise += noise_of(harness.rows)
        assert harness.footer.carry_over["payment"] == round(0.5 + sum(played["bonus"] for played in rounds), 2) <= 2
        assert replay_lines(harness.journal)[1] is None
    assert numbers is FEW or horizons == {(20, 40): 50, (40, 20): 50}
    assert 0.6 < sum(each**2 for each in noise) / len(noise) < 1.6
    assert len(set(noise)) > 30


def assert_round(params: Row, drawn: Row, played: Row, rows: list[Row]) -> None:
    values = drawn["environments"][played["environment"]]
    assert (min(values), max(values)) == (0, 1)
    assert len(rows) == played["clicks"] == played["horizon"]
    assert [row["trial"] for row in rows] == list(range(1, len(rows) + 1))
    assert played["end"] == "all_clicks"
    assert 60 <= played["scale"] <= 80
    score, largest = played["initial_shown"], played["initial_shown"]
    assert played["initial_latent"] == pytest.approx(100 * values[played["initial_tile"]])
    for row in rows:
        assert row["tile"] == row["y"] * params["width"] + row["x"]
        assert row["latent"] == pytest.approx(100 * values[row["tile"]])
        assert row["drawn"] == int(row["drawn"])
        assert abs(row["drawn"] - row["latent"]) < 6
        assert row["shown"] == max(0, math.floor((row["drawn"] * played["scale"] + 50) / 100) + 5)
        assert (row["kept"], row["below"], row["threshold"]) == (1, None, None)
        score, largest = score + row["shown"], max(largest, row["shown"])
        assert row["score"] == score
        assert row["condition"] == f"{params['payoff']}-{params['environment']}"
        assert row["horizon"] == played["horizon"]
        assert row["reaction_s"] == pytest.approx(0.7, abs=0.02) if row["trial"] > 1 else row["reaction_s"] > 0
    assert (played["score"], played["largest"]) == (score, largest)
    best = 100.0
    if params["payoff"] == "average":
        share = sum(row["drawn"] for row in rows) / len(rows) / best
    else:
        share = (max(played["initial_drawn"], *(row["drawn"] for row in rows)) / best) ** 4
    assert played["bonus"] == pytest.approx(1.5 / params["rounds"] * min(max(share, 0), 1), abs=1e-4)


@pytest.mark.parametrize("numbers", NUMBERS, ids=len)
@pytest.mark.parametrize("protocol", ["risky_bandit", "risky_bandit_exp2"])
def test_every_number_of_risky_sessions_follows_from_header_and_clicks(protocol: str, numbers: Sequence[int]) -> None:
    ends = set[str]()
    for number in numbers:
        values: dict[str, Any] = {} if numbers is MANY else {"rounds": 4}
        if protocol == "risky_bandit":
            values["below"] = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8)[number % 6]
        harness = run_harness(session_spec(protocol_spec(protocol, **values), seed=number), person(seed=number))
        header = harness.of_kind(Header)[0]
        params, drawn = header.params, header.drawn
        for played in harness.table("rounds"):
            rows = [row for row in harness.rows if row["round"] == played["round"]]
            assert_risky(params, drawn, played, rows)
        rounds = harness.table("rounds")
        ends |= {played["end"] for played in rounds}
        assert harness.footer.carry_over["payment"] == round(1 + sum(played["bonus"] for played in rounds), 2)
        assert replay_lines(harness.journal)[1] is None
    assert "below" in ends


def assert_risky(params: Row, drawn: Row, played: Row, rows: list[Row]) -> None:
    plan = drawn["rounds"][played["round"] - 1]
    rewards = [round(value * played["scale"], 4) for value in drawn["environments"][played["environment"]]]
    assert played["initial_latent"] == rewards[played["initial_tile"]] > plan["level"]
    assert played["initial_shown"] >= plan["level"]
    assert played["risk"] == params["risks"][(played["round"] - 1) % len(params["risks"])]
    if params["below"] is not None:
        count = math.floor(params["below"] * 21 + 0.5)
        assert sum(reward < plan["level"] for reward in rewards) == count
        assert 9 <= max(rewards) <= 10
    lost = [row["below"] for row in rows]
    if played["risk"] == "safe":
        assert (played["clicks"], played["end"], played["threshold"], set(lost)) == (10, "all_clicks", None, {None})
    else:
        assert played["threshold"] == plan["level"]
        assert lost == [int(row["shown"] < played["threshold"]) for row in rows]
        assert not any(lost[:-1])
        assert played["end"] == ("below" if lost[-1] else "all_clicks")
    assert played["clicks"] == len(rows)
    assert len(rows) == 10 or played["end"] == "below"
    score = 0.0
    for row in rows:
        assert row["latent"] == rewards[row["tile"]]
        assert row["shown"] == row["drawn"]
        assert row["kept"] == 1 - (row["below"] or 0)
        assert (row["threshold"], row["condition"]) == (played["threshold"], played["risk"])
        score += row["shown"] * row["kept"]
        assert row["score"] == pytest.approx(score)
    kept = sum(row["shown"] for row in rows if row["kept"])
    assert played["score"] == pytest.approx(kept)
    assert played["bonus"] == pytest.approx(params["pay"] * kept / 10 / params["rounds"], abs=1e-4)


@pytest.mark.parametrize("name", ["grid_bandit", "risky_bandit", "risky_bandit_exp2"])
def test_the_curricula_give_each_condition_to_equally_many_participants(name: str) -> None:
    file = validate(CurriculumFile, load_config(ROOT / "configs" / "curricula" / f"{name}.yaml"))
    cells = len(file.stages)
    stages = [file.first_of(f"P{number:03}") for number in range(1, 20 * cells + 1)]
    assert all(sorted(stages[at : at + cells]) == sorted(file.stages) for at in range(0, len(stages), cells))
    params = [str(sorted(file.stages[stage].params.items())) for stage in file.stages]
    assert len(set(params)) == cells


def test_the_curriculum_of_the_grid_crosses_payoff_environment_and_first_horizon() -> None:
    file = validate(CurriculumFile, load_config(ROOT / "configs" / "curricula" / "grid_bandit.yaml"))
    params = [stage.params for stage in file.stages.values()]
    assert {(each["payoff"], each["environment"], each["horizons"][0]) for each in params} == set(CELLS)
