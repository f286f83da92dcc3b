"""The risky bandit, on the line and on the grid: the line in red, lost rounds, safe rounds, and the payment."""

from typing import Any

import pytest

from rig.core.errors import ConfigError
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
