"""The grid bandit: every page, clicks and their rewards, bonus and payment, and the right to stop at any page."""

import math
import re
from dataclasses import replace
from typing import Any

import pytest

from protocols.searching.colors import ColorScale
from protocols.searching.grid_bandit_params import GridParams
from protocols.searching.params import HEAT
from rig.core.errors import ConfigError
from rig.core.journal.header import Header
from rig.core.journal.scenes import scenes_in
from rig.core.model.scene import Text, Tile
from rig.session.replay import replay_lines
from sim_hardware.world.body import Body
from tests.harness import FaultHarness, run_harness
from tests.protocols.searching.people import SHORT, leave, person, press, session, tiles_of, with_slow
from tests.session_specs import protocol_spec, session_spec

PAGES = ["consent", *["read"] * 4, *["example"] * 2, *["quiz"] * 3]
ALL_PAGES = [
    *PAGES,
    *("ready", *["choose"] * 3, "feedback"),
    *("ready", *["choose"] * 5, "feedback", "guess"),
]


def run(*way: Any, seed: int = 1, **values: Any) -> FaultHarness:
    return session("grid_bandit", way[0] if way else person(), seed=seed, **{**SHORT, **values})


async def to_the_first_round(body: Body) -> None:
    """Go through all pages before the button that begins the first round."""
    for name in ("agree", *["next"] * 6):
        await press(body, name)
    for _ in range(3):
        await press(body, await right_answer(body))
    await body.wait(0.6)


async def right_answer(body: Body) -> str:
    await body.wait(0.1)
    return str(body.task_notes["question"]["right"])


def names(harness: FaultHarness) -> list[str]:
    return [name for name, _ in harness.states]


def texts(harness: FaultHarness) -> list[str]:
    """Return all texts that were shown."""
    return [text for scene in scenes_in(harness.journal) for item in scene.items if (text := getattr(item, "text", ""))]


def test_facts_of_the_session_are_filled_into_every_page() -> None:
    written = protocol_spec("grid_bandit", **SHORT).params.model_dump()
    for key in ("consent", "wrong", "stop_question"):
        written["texts"]["en"][key] = f"{key}: {{rounds}} grids"
    spec = replace(protocol_spec("grid_bandit", **SHORT), params=GridParams.model_validate(written))
    seen = texts(run_harness(spec, person(mistakes=1, hesitate_before=2)))
    assert {f"{key}: 2 grids" for key in ("consent", "wrong", "stop_question")} <= set(seen)


def test_a_participant_goes_from_the_first_page_to_the_last() -> None:
    harness = run()
    assert names(harness) == [*ALL_PAGES, "debrief", "done"]
    assert harness.footer.reason == "task_finished"
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("wrong", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_wrong_answer_leads_back_to_the_instructions_and_all_must_be_right(wrong: int) -> None:
    harness = run(person(mistakes=wrong))
    assert names(harness)[: len(PAGES) + 11] == [*PAGES, "again", *PAGES[1:], "ready"]
    answers = harness.table("quiz")
    assert [(row["attempt"], row["question"], row["correct"]) for row in answers] == [
        *((1, question, int(question > wrong)) for question in (1, 2, 3)),
        *((2, question, 1) for question in (1, 2, 3)),
    ]
    assert all(row["t_answered"] - row["t_asked"] == pytest.approx(0.7, abs=0.05) for row in answers)


def test_the_right_answer_about_the_goal_depends_on_the_payoff() -> None:
    right = {payoff: run(payoff=payoff).notes("question")[0].fields["right"] for payoff in ("average", "maximum")}
    assert right == {"average": "answer0", "maximum": "answer1"}


@pytest.mark.parametrize("page", with_slow(len(ALL_PAGES), 0, 2, 6, 8, 10, 12, 14, 22))
def test_a_participant_may_stop_at_any_page_and_is_paid_and_debriefed(page: int) -> None:
    harness = run(person(stop_before=page))
    assert names(harness)[-2:] == ["debrief", "done"]
    assert harness.footer.reason == "participant_left"
    rounds, (paid,) = harness.table("rounds"), harness.notes("payment")
    assert paid.fields["payment"] == round(0.5 + sum(row["bonus"] for row in rounds), 2)
    assert sum(row["clicks"] for row in rounds) == len(harness.rows)
    assert [row["end"] for row in rounds].count("left") == (ALL_PAGES[page] == "choose")
    assert any(f"Your payment is $ {paid.fields['payment']:.2f}" in text for text in texts(harness))
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize("page", with_slow(len(ALL_PAGES), 3, 12, 14, without=(0,)))
def test_who_goes_on_after_all_comes_back_to_the_same_page(page: int) -> None:
    harness, plain = run(person(hesitate_before=page)), run()
    assert [name for name in names(harness) if name != "leave"] == [
        *names(plain)[: page + 1],
        names(plain)[page],
        *names(plain)[page + 1 :],
    ]
    assert [(row["tile"], row["shown"]) for row in harness.rows] == [(row["tile"], row["shown"]) for row in plain.rows]


def test_a_double_click_on_the_button_before_the_tiles_clicks_no_tile() -> None:
    async def way(body: Body) -> None:
        await to_the_first_round(body)
        button = body.scene.item("next")
        assert button is not None
        for _ in range(2):
            body.peck(button.x_cm, button.y_cm)
            await body.wait(0.15)
        assert tiles_of(body.scene)
        tile = body.scene.item("1,3")  # near the button
        assert tile is not None
        body.peck(tile.x_cm, tile.y_cm)
        await body.wait(0.3)
        await press(body, "0,0", 0.0)
        await press(body, "0,0", 0.1)
        await leave(body)

    assert [row["tile"] for row in run(way).rows] == [0, 0]


# --- what is drawn and shown ----------------------------------------------------------------------------------


def header(harness: FaultHarness) -> dict[str, Any]:
    return harness.of_kind(Header)[0].drawn


def test_environments_are_those_of_the_study_and_are_used_once() -> None:
    first, second = run(seed=1), run(seed=2)
    plans = [header(harness) for harness in (first, second)]
    assert plans[0]["environments"] == plans[1]["environments"]
    assert plans[0]["environments"] != header(run(study_seed=2))["environments"]
    assert header(run(environment="rough"))["environments"] != plans[0]["environments"]
    for plan in plans:
        used = [each["environment"] for each in (*plan["examples"], *plan["rounds"])]
        assert len(set(used)) == len(used) == 4
    assert plans[0]["rounds"] != plans[1]["rounds"]


def test_the_number_is_the_last_draw_and_the_color_the_mean_of_all() -> None:
    seen: list[Tile] = []

    def choose(body: Body, tiles: list[str]) -> str:
        tile = body.scene.item("2,1")
        assert isinstance(tile, Tile)
        seen.append(tile)
        return "2,1"

    harness = run(person(choose), rounds=1, horizons="[6]", noise_sd=20, guess=False)
    assert header(harness)["rounds"][0]["initial_tile"] != 6
    values = [row["shown"] for row in harness.rows]
    assert [tile.text for tile in seen] == ["", *map(str, values[:-1])]
    scale = ColorScale(HEAT, 90.0)
    means = [sum(values[:count]) / count for count in range(1, 6)]
    assert [tile.color for tile in seen] == ["#ffffff", *map(scale.color, means)]
    assert len({tile.color for tile in seen}) == 6


def test_a_tile_shows_all_its_draws_while_the_pointer_is_over_it() -> None:
    told: list[list[str]] = []

    def history(body: Body) -> list[str]:
        return [item.text for item in body.scene.items if isinstance(item, Text) and "Rewards" in item.text]

    async def way(body: Body) -> None:
        await to_the_first_round(body)
        await press(body, "next")
        for _ in range(3):
            await press(body, "2,1")
        for name in ("2,1", "3,3", "2,1"):
            item = body.scene.item(name)
            assert item is not None
            body.hover(item.x_cm, item.y_cm)
            await body.wait(0.3)
            told.append(history(body))
        await leave(body)

    harness = run(way, horizons="[10]")
    values = ", ".join(str(row["shown"]) for row in harness.rows)
    assert told == [[f"Rewards of this tile: {values}"], [], [f"Rewards of this tile: {values}"]]
    assert replay_lines(harness.journal)[1] is None


def test_the_history_of_a_tile_is_gone_when_the_pointer_left_it_on_another_page() -> None:
    told: list[bool] = []

    async def way(body: Body) -> None:
        await to_the_first_round(body)
        await press(body, "next")
        for _ in range(2):
            await press(body, "2,1")
        item = body.scene.item("2,1")
        assert item is not None
        body.hover(item.x_cm, item.y_cm)
        await press(body, "stop")
        await body.wait(0.3)
        body.hover(0.1, 0.1)
        await press(body, "back")
        await body.wait(0.3)
        told.append(any(isinstance(item, Text) and "Rewards" in item.text for item in body.scene.items))
        await leave(body)

    harness = run(way, horizons="[10]")
    assert told == [False]
    assert replay_lines(harness.journal)[1] is None


def test_examples_are_revealed_without_noise_and_cannot_be_clicked() -> None:
    harness = run()
    plan = header(harness)
    scenes = [[item for item in scene.items if isinstance(item, Tile)] for scene in scenes_in(harness.journal)]
    full = [tiles for tiles in scenes if len(tiles) == 16 and all(tile.text for tile in tiles)]
    assert len(full) == 2
    for tiles, example in zip(full, plan["examples"], strict=True):
        assert {tile.name for tile in tiles} == {""}
        values = plan["environments"][example["environment"]]
        drawn = [round(100 * value) for value in values]
        assert [int(tile.text) for tile in tiles] == [
            max(0, math.floor((each * example["scale"] + 50) / 100) + 5) for each in drawn
        ]


# --- bonus and payment ----------------------------------------------------------------------------------------


def test_the_goal_of_the_condition_is_read_and_its_score_is_shown() -> None:
    average, maximum = (texts(run(payoff=payoff)) for payoff in ("average", "maximum"))
    assert any("as many points as possible across all 2 grids" in text for text in average)
    assert any("learn where the largest reward is" in text for text in maximum)
    assert any(re.fullmatch(r"Score: \d+", text) for text in average)
    assert any(re.fullmatch(r"Largest reward: \d+", text) for text in maximum)


def test_german_is_german_on_every_page() -> None:
    english, german = (set(texts(run(language=language))) for language in ("en", "de"))
    both = {text for text in english & german if not re.fullmatch(r"\d*", text)}
    assert both == set()


def test_the_condition_stays_with_the_participant() -> None:
    left = run().footer.carry_over
    spec = session_spec(protocol_spec("grid_bandit", **SHORT, payoff="maximum"), carried_over=left)
    with pytest.raises(ConfigError, match='payoff: is "maximum", and was "average" in the participant'):
        spec.check_history()
    session_spec(protocol_spec("grid_bandit", **SHORT), carried_over=left).check_history()


@pytest.mark.parametrize("made_up", ["average", None, 3, [1], {"width": {}}])
def test_a_made_up_condition_of_the_last_session_is_none(made_up: object) -> None:
    session_spec(protocol_spec("grid_bandit", **SHORT), carried_over={"condition": made_up}).check_history()
