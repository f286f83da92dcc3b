"""Which port is the high one: every rule, without a rig."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from protocols.two_armed_bandit.blocks import SIDES, Blocks, blocks_of, carry_over, draw_outcomes, other
from protocols.two_armed_bandit.params import Params
from rig.core.task.random_streams import Stream


def seeded(seed: int | str) -> Stream:
    return Stream(random.Random(seed).random)


def numbers(*values: float) -> Stream:
    """Return a stream that gives these numbers and no more."""
    return Stream(iter(values).__next__)


def blocks(carried_over: dict[str, Any] | None = None, seed: int = 1, **values: Any) -> Blocks:
    return blocks_of(Params(**values), carried_over or {}, seeded(seed), seeded(seed + 1))


def decisions(folder: Path, *rows: str) -> Path:
    path = folder / "mouse.csv"
    path.write_text("decision_s,since_last_poke_s,center_to_side_s,port,p_right,p_left,reward\n" + "\n".join(rows))
    return path


# --- rules ----------------------------------------------------------------------------------------------------


def lengths(made: Blocks, trials: int, rewarded: Any = lambda trial: True) -> list[int]:
    """Complete some trials; return how long the blocks were, the last cut off."""
    sides = []
    for trial in range(trials):
        sides.append(made.number)
        made.advance(rewarded(trial))
    return list(Counter(sides).values())


def test_a_fixed_side_never_changes() -> None:
    assert lengths(blocks(switch_rule="fixed", q_stay=0.01), 500) == [500]


def test_a_fixed_block_has_its_number_of_completed_trials() -> None:
    assert lengths(blocks(switch_rule="fixed_block", block_trials=7), 30) == [7, 7, 7, 7, 2]


def test_a_reward_block_ends_with_its_last_reward() -> None:
    made = blocks(switch_rule="reward_block", block_rewards_min=5, block_rewards_max=5)
    assert lengths(made, 30, lambda trial: trial % 2 == 0) == [9, 10, 10, 1]


def test_the_rewards_of_a_block_are_drawn_between_their_bounds_and_all_come() -> None:
    made = blocks(switch_rule="reward_block", block_rewards_min=3, block_rewards_max=6)
    counted = lengths(made, 4000)[:-1]
    assert set(counted) == {3, 4, 5, 6}
    assert all(abs(n - len(counted) / 4) < 5 * (len(counted) * 3 / 16) ** 0.5 for n in Counter(counted).values())


@given(st.sampled_from(["markov", "reward_block", "fixed_block"]), st.integers(0, 99), st.lists(st.booleans()))
def test_a_swap_is_said_once_and_changes_the_side_the_block_and_the_count(
    rule: str, seed: int, rewards: list[bool]
) -> None:
    made = blocks(seed=seed, switch_rule=rule, q_stay=0.7, block_trials=3, block_rewards_min=2, block_rewards_max=4)
    for rewarded in rewards:
        before = made.high, made.number, made.trial
        if made.advance(rewarded):
            assert (made.high, made.number, made.trial) == (other(before[0]), before[1] + 1, 1)
        else:
            assert (made.high, made.number, made.trial) == (before[0], before[1], before[2] + 1)


# --- odds -----------------------------------------------------------------------------------------------------


def test_both_sides_can_pay_alike() -> None:
    assert blocks(p_high=0.9, p_low=0.9, allow_asymmetric=True).odds() == {"left": 0.9, "right": 0.9}


def test_odds_that_make_one_may_both_be_written() -> None:
    assert Params(p_high=0.8, p_low=0.2).low_of(0.8) == 0.2


def test_one_draw_judges_both_sides_or_each_has_its_own() -> None:
    made = blocks(p_high=0.8, start_high_side="left")
    once = draw_outcomes(made, Params(), numbers(0.5))
    assert once == {"left": True, "right": False}
    each = draw_outcomes(made, Params(reward_draw="at_initiation_both"), numbers(0.9, 0.1))
    assert each == {"left": False, "right": True}


@pytest.mark.parametrize("way", ["at_side_entry", "at_initiation_both"])
def test_either_way_a_side_pays_as_often_as_its_odds_say(way: str) -> None:
    made, draw, params = blocks(p_high=0.7, start_high_side="right"), seeded(5), Params(reward_draw=way)
    paid = Counter[str]()
    for _ in range(20_000):
        paid.update(side for side, pays in draw_outcomes(made, params, draw).items() if pays)
    assert abs(paid["right"] - 14_000) < 5 * (20_000 * 0.21) ** 0.5
    assert abs(paid["left"] - 6_000) < 5 * (20_000 * 0.21) ** 0.5


# --- from session to session ----------------------------------------------------------------------------------


def live(params: Params, sessions: int, seed: int = 1) -> list[tuple[str, float]]:
    """A subject's sessions: where each began, and its p_high."""
    carried_over: dict[str, Any] = {}
    had = []
    for number in range(sessions):
        made = blocks_of(params, carried_over, seeded(seed + number), seeded(f"{seed}/{number}"))
        had.append((made.high, max(made.odds().values())))
        carried_over = carry_over(params, carried_over, made, made.high)
    return had


def test_the_first_high_side_can_alternate_over_sessions() -> None:
    sides = [side for side, _ in live(Params(start_high_side="alternate"), 6)]
    assert sides in (["left", "right"] * 3, ["right", "left"] * 3)


def test_conditions_come_as_listed() -> None:
    params = Params(conditions=(0.9, 0.8, 0.7), condition_order="listed")
    assert [p for _, p in live(params, 7)] == [0.9, 0.8, 0.7, 0.9, 0.8, 0.7, 0.9]


@given(st.integers(0, 500))
def test_shuffled_conditions_come_once_each_before_any_comes_again(seed: int) -> None:
    params = Params(conditions=(0.9, 0.8, 0.7, 0.7))
    days = [p for _, p in live(params, 8, seed)]
    assert sorted(days[:4]) == sorted(days[4:]) == [0.7, 0.7, 0.8, 0.9]


def test_every_order_of_conditions_happens() -> None:
    params = Params(conditions=(0.9, 0.8, 0.7))
    assert len({tuple(p for _, p in live(params, 3, 1000 * seed)) for seed in range(60)}) == 6


def test_a_state_that_knows_other_conditions_begins_a_new_round() -> None:
    stream = seeded(1)
    made = blocks_of(Params(conditions=(0.9,)), {"conditions_used": [0.6, 0.9]}, stream, stream)
    assert max(made.odds().values()) == 0.9


# --- recorded sessions ----------------------------------------------------------------------------------------

ROWS = ("5,1,0.5,2,0.2,0.8,1", "8,1,0.5,1,0.2,0.8,0", "11,1,0.5,1,0.8,0.2,1")


def test_recorded_trials_have_the_odds_and_outcomes_of_the_file_and_end_with_it(tmp_path: Path) -> None:
    made = blocks(trials_from=str(decisions(tmp_path, *ROWS)))
    seen = []
    for _ in ROWS:
        seen.append((made.high, made.odds()["left"], draw_outcomes(made, Params(), numbers()), made.finished))
        made.advance(rewarded=True)
    assert seen == [
        ("left", 0.8, {"left": True, "right": False}, False),
        ("left", 0.8, {"left": False, "right": False}, False),
        ("right", 0.2, {"left": False, "right": True}, False),
    ]
    assert made.finished


def test_recorded_blocks_give_the_odds_and_draw_the_outcomes_and_the_last_odds_stay(tmp_path: Path) -> None:
    made = blocks(blocks_from=str(decisions(tmp_path, *ROWS)))
    assert draw_outcomes(made, Params(), numbers(0.79)) == {"left": True, "right": False}
    assert [made.advance(rewarded=False) for _ in range(5)] == [False, True, False, False, False]
    assert (made.high, made.finished) == ("right", False)


def test_the_rows_of_a_file_are_parameters_and_the_file_is_needed_no_more(tmp_path: Path) -> None:
    path = decisions(tmp_path, *ROWS)
    params = Params(trials_from=str(path))
    path.unlink()
    again = Params.model_validate(params.model_dump(mode="json"))
    assert again == params
    assert again.trials_from is not None
    assert again.trials_from.rows[0] == (0.8, 0.2, "left", 1)


def test_a_bad_file_is_a_mistake_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match=r"mouse.csv:3: port is 7, not 1 \(right\) or 2 \(left\).*and 1 more"):
        Params(trials_from=str(decisions(tmp_path, ROWS[0], "1,1,1,7,0,1,0", "1,1,1,8,0,1,0")))


def test_a_file_and_conditions_cannot_both_say_the_odds(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="take conditions out"):
        Params(blocks_from=str(decisions(tmp_path, *ROWS)), conditions=(0.9, 0.8))


def test_a_day_of_another_kind_does_not_end_a_round_of_conditions() -> None:
    stream = seeded(1)
    carried_over = {"conditions_used": [0.9]}
    made = blocks_of(Params(), carried_over, stream, stream)
    assert carry_over(Params(), carried_over, made, made.high)["conditions_used"] == [0.9]


def test_only_one_file_can_say_which_port_is_high(tmp_path: Path) -> None:
    path = str(decisions(tmp_path, *ROWS))
    with pytest.raises(ValidationError, match="take one out"):
        Params(trials_from=path, blocks_from=path)


def test_the_sides_are_two() -> None:
    assert [other(side) for side in SIDES] == list(reversed(SIDES))
