"""The risky bandit, on the line and on the grid: the line in red, lost rounds, safe rounds, and the payment."""

from typing import Any

import pytest

from protocols.searching.plan import RoundPlan
from protocols.searching.risky_bandit_params import RiskyParams
from protocols.searching.rounds import Round
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Dot, Line, Scene, Text, Tile
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.harness import FaultHarness
from tests.protocols.searching.people import person, session, with_slow
from tests.session_specs import protocol_spec, session_spec

LINE: dict[str, Any] = {"rounds": 2, "horizons": "[4]"}
GRID: dict[str, Any] = {"rounds": 2, "horizons": "[4]", "width": 4, "height": 4}


def on_line(*way: Any, seed: int = 1, **values: Any) -> FaultHarness:
    return session("risky_bandit", way[0] if way else person(), seed=seed, **{**LINE, **values})


def on_grid(*way: Any, seed: int = 1, **values: Any) -> FaultHarness:
    return session("risky_bandit_exp2", way[0] if way else person(), seed=seed, **{**GRID, **values})


def names(harness: FaultHarness) -> list[str]:
    return [name for name, _ in harness.states]


def rewards(harness: FaultHarness, number: int) -> list[float]:
    """Return the rewards of a round without noise, by tile."""
    drawn = harness.of_kind(Header)[0].drawn
    played = drawn["rounds"][number]
    return [round(value * played["scale"], 4) for value in drawn["environments"][played["environment"]]]


def best(body: Body, tiles: list[str]) -> str:
    """Choose the tile with the largest number."""
    return max(tiles, key=lambda name: float(getattr(body.scene.item(name), "text", "") or "-1"))


def test_a_participant_goes_from_the_first_page_to_the_last() -> None:
    harness = on_line(person(best))
    assert names(harness) == [
        *("consent", *["read"] * 4, "example", *["quiz"] * 4),
        *("ready", *["choose"] * 4, "feedback") * 2,
        *("debrief", "done"),
    ]
    assert harness.footer.reason == "task_finished"
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("seed", range(2))
def test_a_reward_below_the_line_is_lost_and_ends_the_round(seed: int) -> None:
    harness = on_line(person(seed=seed), seed=seed, rounds=6)
    ends = []
    for played in harness.table("rounds"):
        rows = [row for row in harness.rows if row["round"] == played["round"]]
        score = 0.0
        for row in rows:
            assert row["below"] == int(row["shown"] < row["threshold"]) == 1 - row["kept"]
            score += row["shown"] * row["kept"]
            assert row["score"] == pytest.approx(score)
        assert not any(row["below"] for row in rows[:-1])
        assert played["end"] == ("below" if rows[-1]["below"] else "all_clicks")
        assert played["clicks"] == len(rows) == (4 if played["end"] == "all_clicks" else len(rows))
        ends.append(played["end"])
    assert "below" in ends


def test_a_reward_exactly_on_the_line_is_safe() -> None:
    harness = on_grid(person(best), noise_sd=0, risks="[risky]", seed=5)
    for number, played in enumerate(harness.table("rounds")):
        assert played["end"] == "all_clicks"
        assert played["initial_shown"] >= played["threshold"] == 50
        assert played["initial_latent"] == rewards(harness, number)[played["initial_tile"]]
    params = protocol_spec("risky_bandit_exp2", **GRID).params
    assert isinstance(params, RiskyParams)
    plan = RoundPlan(
        environment=0,
        kernel="wu",
        scale=100,
        horizon=3,
        risk="risky",
        threshold=50,
        level=50,
        initial_tile=0,
    )
    played = Round(params, plan, [0.9, 0.5, 0.4949, *[0.0] * 13], lambda: 0.0)
    assert [(draw.shown, draw.below) for draw in (played.click(1), played.click(2))] == [(50, False), (49, True)]
    assert played.end == "below"


def test_safe_rounds_are_always_full_and_have_no_line() -> None:
    harness = on_grid(rounds=4)
    safe = [played for played in harness.table("rounds") if played["risk"] == "safe"]
    assert [played["round"] for played in safe] == [2, 4]
    for played in safe:
        assert (played["clicks"], played["end"], played["threshold"]) == (4, "all_clicks", None)
        assert played["initial_latent"] > 50
    rows = [row for row in harness.rows if row["condition"] == "safe"]
    assert {(row["below"], row["kept"], row["threshold"]) for row in rows} == {(None, 1, None)}
    assert min(row["shown"] for row in rows) < 50


@pytest.mark.parametrize("below", [0.55, 0.65, 0.8])
def test_exactly_a_proportion_of_the_points_is_below_the_line(below: float) -> None:
    harness = on_line(rounds=3, below=below)
    for number, played in enumerate(harness.table("rounds")):
        values = rewards(harness, number)
        assert sum(value < played["threshold"] for value in values) == int(below * 21 + 0.5)
        assert played["initial_latent"] == values[played["initial_tile"]] > played["threshold"]
        assert max(values) == pytest.approx(played["scale"])
        assert 9 <= played["scale"] <= 10


@pytest.mark.parametrize(("protocol", "most"), [("line", 0.09 * 10), ("grid", 1.0)])
def test_the_bonus_is_paid_for_the_mean_reward_of_all_planned_clicks(protocol: str, most: float) -> None:
    harness = (on_line if protocol == "line" else on_grid)(rounds=2)
    pay = harness.of_kind(Header)[0].params["pay"]
    total = 0.0
    for played in harness.table("rounds"):
        kept = sum(row["shown"] for row in harness.rows if row["round"] == played["round"] and row["kept"])
        assert played["bonus"] == pytest.approx(pay * kept / 4 / 2, abs=1e-4)
        total += played["bonus"]
    assert total <= most
    assert harness.footer.carry_over["payment"] == round(1 + total, 2)


def test_each_round_says_whether_rewards_can_be_lost() -> None:
    texts = [
        [item.text for item in scene.items if isinstance(item, Text)]
        for scene in scenes_in(on_grid(rounds=2).journal)
        if scene.item("next")
    ]
    assert any("This grid is risky: below 50" in text for said in texts for text in said)
    assert any("In this grid nothing is lost" in text for said in texts for text in said)


@pytest.mark.parametrize("page", with_slow(14, 5, 12))
def test_a_participant_may_stop_at_any_page_of_both(page: int) -> None:
    for harness in (on_line(person(best, stop_before=page)), on_grid(person(best, stop_before=page))):
        (paid,) = harness.notes("payment")
        assert paid.fields["payment"] == round(1 + sum(row["bonus"] for row in harness.table("rounds")), 2)
        assert (names(harness)[-1], harness.footer.reason) == ("done", "participant_left")
        assert replay_lines(harness.journal)[1] is None


def test_the_line_is_a_plot_with_a_dot_for_each_draw_and_the_threshold_across() -> None:
    seen: list[Scene] = []

    def choose(body: Body, tiles: list[str]) -> str:
        seen.append(body.scene)
        return best(body, tiles)

    harness = on_line(person(choose), rounds=1)
    (played,) = harness.table("rounds")
    draws = [played["initial_shown"], *(row["shown"] for row in harness.rows)]
    tiles = [played["initial_tile"], *(row["tile"] for row in harness.rows)]
    for count, scene in enumerate(seen, start=1):
        dots = [item for item in scene.items if isinstance(item, Dot)]
        squares = {item.name: item for item in scene.items if isinstance(item, Tile)}
        assert len(squares) == 21
        places = sorted(
            (squares[f"{tile},0"].x_cm, height(scene, draw)) for tile, draw in zip(tiles[:count], draws, strict=False)
        )
        assert sorted((dot.x_cm, dot.y_cm) for dot in dots) == [
            (pytest.approx(x_cm), pytest.approx(y_cm, abs=0.01)) for x_cm, y_cm in places
        ]
        (red,) = [item for item in scene.items if isinstance(item, Line) and item.color == "#ff4040"]
        line_cm = height(scene, played["threshold"])
        assert [y_cm for _, y_cm in red.points] == [pytest.approx(line_cm, abs=0.01)] * 2


def height(scene: Scene, reward: float) -> float:
    """Return the height of a reward in the plot by the numbers on its axis."""
    at = {item.text: item.y_cm for item in scene.items if isinstance(item, Text) and item.x_cm < 2.3}
    return at["0"] + reward / 10 * (at["10"] - at["0"])


def test_a_participant_of_one_experiment_may_take_part_in_the_other_but_keeps_the_line_of_each() -> None:
    left = on_line().footer.carry_over
    session_spec(protocol_spec("risky_bandit_exp2"), carried_over=left).check_history()
    with pytest.raises(ConfigError, match=r"params\.below: is 0\.8, and was 0\.65 in the participant's last session"):
        session_spec(protocol_spec("risky_bandit", **LINE, below=0.8), carried_over=left).check_history()
