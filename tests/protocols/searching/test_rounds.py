"""Rounds without a screen: colors, draws, the bonus of a round that was left, and what the texts need."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.person.text_room import check_room
from protocols.searching.colors import ColorScale, text_color
from protocols.searching.earnings import Earnings
from protocols.searching.grid_bandit import GridBandit
from protocols.searching.grid_bandit_bonus import grid_bonus
from protocols.searching.grid_bandit_params import GridParams
from protocols.searching.pages import SearchPages
from protocols.searching.params import HEAT
from protocols.searching.plan import RoundPlan, SessionPlan
from protocols.searching.risky_bandit import RiskyBandit, draw_function, level_of
from protocols.searching.risky_bandit_line import LinePages
from protocols.searching.risky_bandit_params import RiskyParams
from protocols.searching.room import scenes_with_texts
from protocols.searching.rounds import Round
from rig.core.errors import ConfigError, TaskError
from rig.core.task.random_streams import RandomStreams
from tests.session_specs import protocol_spec


def grid(**values: Any) -> GridParams:
    params = protocol_spec("grid_bandit", **values).params
    assert isinstance(params, GridParams)
    return params


def risky(protocol: str = "risky_bandit", **values: Any) -> RiskyParams:
    params = protocol_spec(protocol, **values).params
    assert isinstance(params, RiskyParams)
    return params


# --- colors ---------------------------------------------------------------------------------------------------


def test_the_nine_stops_are_at_equal_distances_up_to_90_and_the_last_one_is_reached() -> None:
    scale = ColorScale(HEAT, 90.0)
    assert [scale.color(11.25 * place) for place in range(9)] == list(HEAT)
    assert (scale.color(-3), scale.color(120)) == (HEAT[0], HEAT[-1])
    assert scale.color(11.25 / 2) == "#fef0da"  # halfway from #fff7ec to #fee8c8


@given(st.floats(0, 90), st.floats(0, 90))
def test_a_larger_reward_is_never_lighter(one: float, other: float) -> None:
    scale = ColorScale(HEAT, 90.0)
    low, high = (sum(bytes.fromhex(scale.color(value)[1:])) for value in sorted((one, other)))
    assert high <= low + 1


def test_a_text_is_black_on_light_colors_and_white_on_dark_ones() -> None:
    assert [text_color(color) for color in ("#ffffff", HEAT[0], HEAT[6], HEAT[-1])] == [
        *("#000000", "#000000"),
        *("#ffffff", "#ffffff"),
    ]


# --- rounds ---------------------------------------------------------------------------------------------------


def played(params: Any, values: list[float], *clicks: int, horizon: int = 4, noise: float = 0.0, **plan: Any) -> Round:
    made = RoundPlan(environment=0, kernel="k", scale=plan.pop("scale", 70), horizon=horizon, initial_tile=0, **plan)
    round_ = Round(params, made, values, lambda: noise)
    for tile in clicks:
        round_.click(tile)
    return round_


@given(st.integers(-3, 103), st.integers(60, 80))
def test_a_shown_reward_is_rounded_as_the_released_code_rounds(drawn: int, scale: int) -> None:
    exact = drawn * scale / 100 + 5
    shown = GRID.shown(drawn, scale)
    assert shown == max(0, math.floor(exact + 0.5)) or abs(exact % 1 - 0.5) < 1e-9
    assert 0 <= shown <= scale + 5 + 3


GRID = grid()


def test_a_round_ends_after_its_last_click_and_counts_what_is_left() -> None:
    made = played(GRID, [0.0, 1.0, 0.5, 0.25], 1, 1, 2)
    assert (made.left, made.end, made.largest, made.score) == (1, "", 75, 5 + 75 + 75 + 40)
    made.click(3)
    assert (made.left, made.end) == (0, "all_clicks")
    assert made.shown == {0: [5], 1: [75, 75], 2: [40], 3: [23]}


@pytest.mark.parametrize(
    ("values", "clicks", "share"),
    [
        ({}, (), 0),
        ({}, (1, 2), 1.5 / 4),
        ({}, (1, 2, 3, 0), 1.75 / 4),
        ({"payoff": "maximum"}, (2,), 0.5**4),
        ({"bonus": "released_code"}, (1, 2), (5 + 75 + 40) / 75 / 30),
        ({"bonus": "released_code", "payoff": "maximum"}, (2,), (40 / 75) ** 4),
    ],
)
def test_a_grid_that_was_left_earns_what_its_clicks_have_earned(
    values: dict[str, str], clicks: tuple[int, ...], share: float
) -> None:
    params = grid(**values)
    made = played(params, [0.0, 1.0, 0.5, 0.25], *clicks)
    assert grid_bonus(params, made) == pytest.approx(1.5 / 8 * share)


def test_a_reward_exactly_on_the_line_is_safe() -> None:
    params = risky("risky_bandit_exp2", width=2, height=2)
    made = played(params, [0.9, 0.5, 0.4949, 0.0], scale=100, horizon=3, risk="risky", threshold=50, level=50)
    assert [(draw.shown, draw.below) for draw in (made.click(1), made.click(2))] == [(50, False), (49, True)]
    assert made.end == "below"


@pytest.mark.parametrize("noise", [-50.0, 500.0])
@pytest.mark.parametrize("rule", ["paper", "released_code"])
@pytest.mark.parametrize("payoff", ["average", "maximum"])
def test_no_grid_earns_less_than_nothing_or_more_than_its_part(noise: float, rule: str, payoff: str) -> None:
    params = grid(bonus=rule, payoff=payoff)
    assert 0 <= grid_bonus(params, played(params, [0.1, 1.0], 0, 1, 1, 0, noise=noise)) <= 1.5 / 8


def test_all_rounds_together_earn_no_more_than_the_highest_bonus() -> None:
    earnings = Earnings(0.5, 1.0)
    for bonus in (0.4, 0.4, 0.4, -1.0, 0.4):
        earnings.add(earnings.capped(bonus), 10)
    assert earnings.bonuses == pytest.approx([0.4, 0.4, 0.2, 0, 0])
    assert (earnings.bonus, earnings.payment, earnings.points) == (1.0, 1.5, 50)


# --- plans ----------------------------------------------------------------------------------------------------


@given(seed=st.integers(0, 10**6), below=st.floats(0.1, 0.9))
def test_the_level_parts_the_rewards_as_its_proportion_says(seed: int, below: float) -> None:
    params = LINE.model_copy(update={"below": below})
    draw = RandomStreams(seed)("rewards")
    rewards = [round(draw.uniform(0, 10), 4) for _ in range(21)]
    level = level_of(params, rewards)
    if level is not None:
        assert sum(reward < level for reward in rewards) == params.count_below == math.floor(below * 21 + 0.5)


LINE = risky()


def test_equal_rewards_cannot_be_parted() -> None:
    assert level_of(LINE, [5.0] * 21) is None


@pytest.mark.parametrize(("kernel", "lam"), [("footnote", 2.0), ("wu", 8.0), ("unit", 200.0)])
def test_the_three_readings_of_the_kernel(kernel: str, lam: float) -> None:
    assert risky("risky_bandit_exp2", kernel=kernel).covariance.lam == pytest.approx(lam)


def test_a_plan_of_another_task_is_no_plan() -> None:
    plan = GridBandit.draw(GRID, RandomStreams(1), {})
    assert len(SessionPlan.of(plan, 121).rounds) == 8
    for broken in (
        {},
        {**plan, "environments": [[0.5]]},
        {**plan, "rounds": [{**plan["rounds"][0], "environment": 99}]},
        {**plan, "rounds": [{**plan["rounds"][0], "initial_tile": 121}]},
    ):
        with pytest.raises(TaskError, match="the plan of the session"):
            SessionPlan.of(broken, 121)
    with pytest.raises(TaskError, match="another size than 21 tiles"):
        SessionPlan.of(plan, 21)


def test_the_pool_is_the_same_for_all_and_the_functions_of_the_risky_task_are_not() -> None:
    grids = [GridBandit.draw(GRID, RandomStreams(seed), {})["environments"] for seed in (1, 2)]
    lines = [RiskyBandit.draw(LINE, RandomStreams(seed), {})["environments"] for seed in (1, 2)]
    assert grids[0] == grids[1]
    assert lines[0] != lines[1]


def test_a_reward_just_below_zero_is_shown_without_a_sign() -> None:
    assert str(LINE.drawn(0.001, -0.002)) == "0.0"


# --- the screen -----------------------------------------------------------------------------------------------


def test_a_text_without_room_is_named() -> None:
    written = GRID.model_dump()
    written["texts"]["de"]["ready"] = "Feld {round} " * 500
    written["texts"]["en"]["clicks"] = "How many clicks are left: {clicks} " * 3
    written["texts"]["en"]["questions"][1]["answers"] = ["fine", "an answer that goes on " * 20, "fine"]
    params = GridParams.model_validate(written)
    with pytest.raises(ConfigError) as caught:
        check_room(scenes_with_texts(params, lambda params: SearchPages(params, 30.4, 22.8)))
    assert [mistake.partition(":")[0] for mistake in caught.value.mistakes] == [
        "params.texts.en.questions[1]",
        "params.texts.en.clicks",
        "params.texts.de.ready",
    ]


@pytest.mark.parametrize("width_cm", [30.4, 26.0])
def test_the_shipped_texts_have_room(width_cm: float) -> None:
    height_cm = 0.75 * width_cm
    check_room(scenes_with_texts(GRID, lambda params: SearchPages(params, width_cm, height_cm)))
    check_room(scenes_with_texts(LINE, lambda params: LinePages(params, width_cm, height_cm)))
    second = risky("risky_bandit_exp2")
    check_room(scenes_with_texts(second, lambda params: SearchPages(params, width_cm, height_cm)))


def test_a_screen_without_room_for_the_tiles_is_a_mistake() -> None:
    for pages, params in ((SearchPages, GRID), (LinePages, LINE)):
        with pytest.raises(ConfigError, match=r"tiles have no room on a screen of 7\.0 x 9\.0 cm"):
            pages(params, 7.0, 9.0)


@pytest.mark.parametrize(
    "values",
    [
        {"below": None, "threshold": 9.4, "scale_min": 9.41, "scale_max": 9.45, "shown_decimals": 0},
        {"scale_min": 1e-9, "scale_max": 1e-9},
    ],
)
def test_a_line_above_which_no_tile_can_be_revealed_is_refused(values: dict[str, Any]) -> None:
    params = RiskyParams.model_validate({**LINE.model_dump(), "width": 2, "below": 0.5, **values})
    with pytest.raises(ConfigError, match="none of 1000 functions had a tile that could be revealed"):
        draw_function(params, RandomStreams(1))


@pytest.mark.parametrize("protocol", ["grid_bandit", "risky_bandit", "risky_bandit_exp2"])
def test_both_languages_have_the_same_pages_questions_and_right_answers(protocol: str) -> None:
    english, german = protocol_spec(protocol).params.texts.values()
    assert len(english.instructions) == len(german.instructions)
    assert [(len(one.answers), one.right) for one in english.questions] == [
        (len(one.answers), one.right) for one in german.questions
    ]
