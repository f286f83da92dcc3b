"""The two-armed bandit in its plain form, poke by poke, in virtual time."""

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from protocols.two_armed_bandit.odds import blocks_of
from protocols.two_armed_bandit.params import Params
from rig.core.errors import NotReadyError
from rig.core.model.board import Input
from rig.core.task.random_streams import Stream, session_seed
from rig.session.replay import replay_lines
from rig.session.spec.build import build_spec
from rig.session.spec.request import SessionRequest
from sim_hardware.driver import make_model
from sim_hardware.world.body import Body, light
from tests.harness import FaultHarness, Pokes, poke, run_harness, scripted_subject
from tests.session_specs import protocol_spec

ITI_S, WINDOW_S = 1.0, 2.0
START_S = 0.004999
"""Where the first ITI begins: the board has been configured by then."""
SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left"}
"""Left always pays, right never does, and that never changes."""
CONFIRM_US = 100
"""How long a beam must be broken before the board believes it, and pays."""


def trial(at_s: float, side: str, dwell_s: float = 0.4) -> Pokes:
    """A center poke, and half a second later a choice."""
    return [*poke("center", at_s), *poke(side, at_s + 0.5, dwell_s)]


def run(*pokes: Pokes, stop_session_s: float = 30, seed: int = 1, **values: Any) -> FaultHarness:
    prepared = protocol_spec(**{**SURE, "stop_session_s": stop_session_s, **values})
    return run_harness(prepared, scripted_subject(*pokes), seed=seed)


def seeded(seed: int | str) -> Stream:
    return Stream(random.Random(seed).random)


def one_row(harness: FaultHarness) -> dict[str, Any]:
    (row,) = harness.rows
    return row


def time_of(harness: FaultHarness, state: str, nth: int = 0) -> float:
    return [t_us for name, t_us in harness.states if name == state][nth] / 1e6


# --- one trial ------------------------------------------------------------------------------------------------


def test_a_choice_of_the_high_port_is_paid_at_once_and_written_down_whole() -> None:
    harness = run(trial(2.0, "left"))
    assert one_row(harness) == {
        "trial": 1,
        "t_center_in": 2.0,
        "t_center_out": 2.1,
        "t_side_in": 2.5,
        "t_side_out": 2.9,
        "choice": "left",
        "rewarded": 1,
        "outcome": "rewarded",
        "delivered_by": "board",
        "p_left": 1.0,
        "p_right": 0.0,
        "high_side": "left",
        "block": 1,
        "trial_in_block": 1,
        "flipped_after": 0,
        "latency_s": 0.5,
        "initiation_s": None,
        "reward_ul": 2.5,
        "error_pokes": 0,
        "drawn_left": 1,
        "drawn_right": 0,
        "ambiguous": 0,
        "drawn_laser": 0,
        "laser": 0,
        "t_laser": None,
    }
    assert harness.openings("left.valve") == [(2_500_000 + CONFIRM_US, 40_000)]
    assert harness.openings("right.valve") == []


def test_a_choice_of_the_low_port_opens_no_valve() -> None:
    harness = run(trial(2.0, "right"))
    row = one_row(harness)
    assert (row["outcome"], row["rewarded"], row["reward_ul"], row["delivered_by"]) == ("unrewarded", 0, 0, "")
    assert harness.openings("left.valve") == harness.openings("right.valve") == []


def test_a_trial_goes_through_all_its_states_at_the_stamps_of_its_edges() -> None:
    harness = run(trial(2.0, "left"))
    assert [name for name, _ in harness.states] == ["iti", "ready", "choose", "outcome", "iti", "ready"]
    assert [round(t_us / 1e6, 6) for _, t_us in harness.states] == [
        START_S,
        START_S + ITI_S,
        2.0,
        2.5,
        2.9,
        2.9 + ITI_S,
    ]


def test_the_lights_say_where_to_poke() -> None:
    harness = run(trial(2.0, "left"))
    lit: dict[str, list[tuple[float, int]]] = {
        place: [(round(t_us / 1e6, 2), on) for t_us, on in harness.changes(f"{place}.light")]
        for place in ("left", "center", "right")
    }
    assert lit == {
        "center": [(1.01, 1), (2.0, 0), (3.9, 1), (30.0, 0)],
        "left": [(2.0, 1), (2.5, 0)],
        "right": [(2.0, 1), (2.5, 0)],
    }


def test_the_valve_shuts_by_itself_while_the_nose_stays() -> None:
    harness = run(poke("center", 2.0), poke("left", 2.5, 10.0))
    assert harness.openings("left.valve") == [(2_500_000 + CONFIRM_US, 40_000)]
    assert one_row(harness)["t_side_out"] == 12.5


@pytest.mark.parametrize(
    ("ul", "open_us"),
    [(1.1, 20_000), (2.5, 40_000), (3.15, 50_000), (10, 156_875)],
)
def test_the_valve_opens_as_long_as_its_calibration_says(ul: float, open_us: int) -> None:
    harness = run(trial(2.0, "left"), reward_ul=ul, stop_max_ul=100)
    assert [us for _, us in harness.openings("left.valve")] == [open_us]
    assert one_row(harness)["reward_ul"] == harness.footer["ul"] == ul


def test_the_center_may_be_left_after_the_choice() -> None:
    harness = run([(2.0, "center", 1), (2.5, "left", 1), (2.7, "center", 0), (2.9, "left", 0)])
    assert one_row(harness)["t_center_out"] == 2.7


def test_a_center_left_after_the_trial_is_left_out_of_its_row() -> None:
    harness = run([(2.0, "center", 1), (2.5, "left", 1), (2.9, "left", 0), (3.5, "center", 0)])
    assert one_row(harness)["t_center_out"] is None


# --- no choice ------------------------------------------------------------------------------------------------


def test_an_omission_takes_the_mouse_back_to_ready_at_the_deadline() -> None:
    harness = run(poke("center", 2.0))
    row = one_row(harness)
    assert (row["outcome"], row["choice"], row["t_side_in"], row["latency_s"]) == ("omission", "", None, None)
    assert row["t_center_out"] == 2.1
    assert [name for name, _ in harness.states] == ["iti", "ready", "choose", "ready"]
    assert time_of(harness, "ready", 1) == 2.0 + WINDOW_S


def test_an_omission_can_cost_an_interval() -> None:
    harness = run(poke("center", 2.0), omission_iti="full")
    assert [name for name, _ in harness.states] == ["iti", "ready", "choose", "iti", "ready"]
    assert time_of(harness, "iti", 1) == 2.0 + WINDOW_S
    assert time_of(harness, "ready", 1) == 2.0 + WINDOW_S + ITI_S


def test_after_an_omission_the_next_center_poke_starts_a_trial_at_once() -> None:
    harness = run(poke("center", 2.0), poke("center", 4.01), poke("left", 4.5))
    assert [row["outcome"] for row in harness.rows] == ["omission", "rewarded"]
    assert [row["t_center_in"] for row in harness.rows] == [2.0, 4.01]


def test_a_side_poke_after_an_omission_is_an_error_poke_and_pays_nothing() -> None:
    harness = run(poke("center", 2.0), poke("left", 4.5), trial(6.0, "left"))
    assert [row["outcome"] for row in harness.rows] == ["omission", "rewarded"]
    assert harness.rows[1]["error_pokes"] == 1
    assert time_of(harness, "iti", 1) == 4.5
    assert len(harness.openings("left.valve")) == 1


def test_a_nose_that_stays_in_the_center_all_through_the_window_starts_no_second_trial() -> None:
    harness = run(poke("center", 2.0, 5.0), trial(8.0, "left"))
    assert [row["outcome"] for row in harness.rows] == ["omission", "rewarded"]
    assert harness.rows[0]["t_center_out"] is None


@pytest.mark.parametrize(("late_us", "outcome"), [(0, "rewarded"), (1, "omission")])
def test_a_choice_at_exactly_the_deadline_counts_and_one_microsecond_later_does_not(late_us: int, outcome: str) -> None:
    harness = run(poke("center", 2.0), poke("left", 4.0 + late_us / 1e6))
    assert harness.rows[0]["outcome"] == outcome
    assert len(harness.openings("left.valve")) == (outcome == "rewarded")


@pytest.mark.parametrize("window_s", [0.1, 0.5, 30])
def test_the_window_is_as_long_as_it_is_asked_for(window_s: float) -> None:
    harness = run(poke("center", 2.0), stop_session_s=60, choice_window_s=window_s)
    assert time_of(harness, "ready", 1) == pytest.approx(2.0 + window_s, abs=1e-9)


# --- a second center poke -------------------------------------------------------------------------------------


def test_a_second_center_poke_voids_the_trial_and_its_reward() -> None:
    harness = run(poke("center", 2.0), poke("center", 2.5), poke("left", 2.8))
    row = harness.rows[0]
    assert (row["outcome"], row["choice"], row["rewarded"]) == ("aborted", "", 0)
    assert row["t_center_out"] == 2.1
    assert harness.openings("left.valve") == []
    assert [name for name, _ in harness.states][:4] == ["iti", "ready", "choose", "iti"]
    assert time_of(harness, "ready", 1) == 2.9 + ITI_S, "the poke at 2.8 restarts the interval"


def test_a_second_center_poke_can_be_ignored() -> None:
    harness = run(poke("center", 2.0), poke("center", 2.5), poke("left", 2.8), center_repoke="ignore")
    row = one_row(harness)
    assert (row["outcome"], row["choice"], row["t_center_out"]) == ("rewarded", "left", 2.1)
    assert row["latency_s"] == pytest.approx(0.8)


def test_an_ignored_center_poke_is_the_last_poke_before_the_next_initiation() -> None:
    harness = run(poke("center", 2.0), poke("center", 3.5), poke("center", 5.0), center_repoke="ignore")
    assert [row["outcome"] for row in harness.rows] == ["omission", "omission"]
    assert harness.rows[1]["initiation_s"] == pytest.approx(1.5)


# --- pokes too short to be meant ------------------------------------------------------------------------------

TOO_SHORT_S, LONG_ENOUGH_S = 0.009, 0.011


def test_a_poke_at_a_side_that_is_too_short_is_no_choice_and_pays_nothing() -> None:
    harness = run(poke("center", 2.0), poke("left", 2.5, TOO_SHORT_S), poke("right", 3.0), min_poke_ms=10)
    row = one_row(harness)
    assert (row["choice"], row["outcome"], row["t_side_in"]) == ("right", "unrewarded", 3.0)
    assert (row["drawn_left"], row["error_pokes"]) == (1, 0)
    assert harness.openings("left.valve") == []


def test_a_poke_that_is_long_enough_is_paid_when_it_has_lasted_and_stamped_with_its_first_instant() -> None:
    harness = run(poke("center", 2.0), poke("left", 2.5, LONG_ENOUGH_S), min_poke_ms=10)
    row = one_row(harness)
    assert (row["outcome"], row["delivered_by"]) == ("rewarded", "board")
    assert (row["t_side_in"], row["t_side_out"], row["latency_s"]) == (2.5, 2.5 + LONG_ENOUGH_S, 0.5)
    assert harness.openings("left.valve") == [(2_510_000, 40_000)]
    assert time_of(harness, "ready", 1) == 2.5 + LONG_ENOUGH_S + ITI_S
    assert replay_lines(harness.journal)[1] is None


@pytest.mark.parametrize(("lasts_s", "trials"), [(TOO_SHORT_S, 0), (LONG_ENOUGH_S, 1)])
def test_a_poke_at_the_center_starts_a_trial_only_when_it_is_long_enough(lasts_s: float, trials: int) -> None:
    assert len(run(poke("center", 2.0, lasts_s), min_poke_ms=10).rows) == trials


@pytest.mark.parametrize(("lasts_s", "outcome"), [(TOO_SHORT_S, "rewarded"), (LONG_ENOUGH_S, "aborted")])
def test_a_nose_at_the_edge_of_the_center_voids_no_trial(lasts_s: float, outcome: str) -> None:
    harness = run(poke("center", 2.0), poke("center", 2.3, lasts_s), poke("left", 2.5), min_poke_ms=10)
    assert harness.rows[0]["outcome"] == outcome


@pytest.mark.parametrize(("lasts_s", "pokes"), [(TOO_SHORT_S, 0), (LONG_ENOUGH_S, 1)])
def test_a_poke_too_short_is_no_error_and_does_not_restart_the_interval(lasts_s: float, pokes: int) -> None:
    harness = run(poke("left", 0.5, lasts_s), trial(2.0, "left"), min_poke_ms=10)
    assert one_row(harness)["error_pokes"] == pokes
    assert time_of(harness, "ready") == pytest.approx(ITI_S + (0.5 + lasts_s if pokes else START_S))


@pytest.mark.parametrize(("poke_s", "outcome"), [(3.999999, "rewarded"), (4.0, "rewarded"), (4.000001, "omission")])
def test_a_poke_that_begins_within_the_window_is_a_choice_though_it_is_reported_after_it(
    poke_s: float, outcome: str
) -> None:
    harness = run(poke("center", 2.0), poke("left", poke_s, LONG_ENOUGH_S), min_poke_ms=10)
    assert one_row(harness)["outcome"] == outcome
    assert len(harness.openings("left.valve")) == (outcome == "rewarded")


def test_pokes_count_from_ten_milliseconds_on_unless_a_file_says_otherwise() -> None:
    beams = [
        channel
        for channel in build_spec(SessionRequest("two_armed_bandit")).plan.wiring.channels
        if isinstance(channel, Input)
    ]
    assert {beam.name: beam.confirm_on_us for beam in beams} == dict.fromkeys(
        ("left.beam", "center.beam", "right.beam"), 10_000
    )


# --- leaving the center ---------------------------------------------------------------------------------------


def test_the_nose_that_came_for_the_trial_may_leave_the_center_without_voiding_it() -> None:
    harness = run([(2.0, "center", 1), (2.4, "center", 0)], poke("left", 2.8))
    assert one_row(harness)["outcome"] == "rewarded"


# --- error pokes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["left", "center", "right"])
def test_a_poke_during_the_interval_starts_it_again_from_its_end(place: str) -> None:
    harness = run(poke(place, 0.7, 0.2), trial(3.0, "left"))
    assert time_of(harness, "ready") == pytest.approx(0.9 + ITI_S)
    assert one_row(harness)["error_pokes"] == 1


@pytest.mark.parametrize("place", ["left", "center", "right"])
def test_a_poke_during_the_interval_can_be_merely_counted(place: str) -> None:
    harness = run(poke(place, 0.7, 0.2), trial(3.0, "left"), error_poke="log_only")
    assert time_of(harness, "ready") == pytest.approx(START_S + ITI_S + 0.2), "the clock stands still for the nose"
    assert one_row(harness)["error_pokes"] == 1


def test_every_poke_during_the_interval_counts_also_those_beside_a_nose_that_stays() -> None:
    harness = run(poke("left", 0.5, 1.0), poke("right", 0.6), poke("center", 0.9), trial(5.0, "left"))
    assert one_row(harness)["error_pokes"] == 3
    assert time_of(harness, "ready") == 1.5 + ITI_S


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_side_poke_while_the_center_calls_switches_its_light_off_and_costs_an_interval(side: str) -> None:
    harness = run(poke(side, 2.0, 0.3), trial(5.0, "left"))
    assert [name for name, _ in harness.states][:4] == ["iti", "ready", "iti", "ready"]
    assert time_of(harness, "ready", 1) == pytest.approx(2.3 + ITI_S)
    assert [round(t_us / 1e6, 2) for t_us, on in harness.changes("center.light") if not on][:1] == [2.0]
    assert one_row(harness)["error_pokes"] == 1


def test_a_side_poke_while_the_center_calls_can_be_merely_counted() -> None:
    harness = run(poke("left", 2.0, 0.3), trial(2.5, "left"), error_poke="log_only")
    assert [name for name, _ in harness.states][:4] == ["iti", "ready", "ready", "choose"]
    assert one_row(harness)["error_pokes"] == 1
    assert len(harness.openings("left.valve")) == 1, "the premature poke is not paid"


def test_a_poke_elsewhere_during_the_outcome_belongs_to_the_next_trial() -> None:
    harness = run(poke("center", 2.0), poke("left", 2.5, 1.0), poke("right", 2.8), trial(6.0, "left"))
    assert [row["error_pokes"] for row in harness.rows] == [0, 1]
    assert [row["choice"] for row in harness.rows] == ["left", "left"]


def test_error_pokes_are_counted_from_one_trial_to_the_next() -> None:
    harness = run(
        poke("right", 0.3),
        poke("left", 0.6),
        trial(3.0, "left"),
        poke("left", 4.0),
        trial(6.0, "left"),
        trial(9, "left"),
    )
    assert [row["error_pokes"] for row in harness.rows] == [2, 1, 0]


def test_initiation_is_counted_from_the_entry_of_the_last_poke_of_any_port() -> None:
    harness = run(
        poke("right", 0.3),
        trial(3.0, "left"),
        trial(6.0, "right", 1.0),
        poke("right", 8.0),
        poke("left", 9.6),
        trial(12, "left"),
    )
    assert [row["initiation_s"] for row in harness.rows] == [pytest.approx(x) for x in (2.7, 2.5, 2.4)]


# --- the interval ---------------------------------------------------------------------------------------------


def test_the_interval_begins_when_the_last_port_is_empty() -> None:
    harness = run([(2.0, "center", 1), (2.5, "left", 1), (2.9, "left", 0), (4.0, "center", 0)])
    assert time_of(harness, "iti", 1) == 2.9
    assert time_of(harness, "ready", 1) == 4.0 + ITI_S


@pytest.mark.parametrize(("places", "named"), [(("left",), "left"), (("center", "right"), "center and right")])
def test_a_beam_that_is_broken_at_the_start_refuses_it(places: tuple[str, ...], named: str) -> None:
    with pytest.raises(NotReadyError, match=f"the beam of {named} is broken before the session"):
        run([(0.0, place, 1) for place in places], trial(5.0, "left"))


def test_a_nose_that_comes_as_the_session_begins_delays_the_first_trial() -> None:
    harness = run([(0.01, "left", 1), (3.0, "left", 0)], trial(5.0, "left"))
    assert time_of(harness, "ready") == 3.0 + ITI_S
    assert one_row(harness)["outcome"] == "rewarded"


def test_no_interval_at_all_is_possible() -> None:
    harness = run(trial(2.0, "left"), trial(2.95, "left"), iti_min_s=0)
    assert [row["outcome"] for row in harness.rows] == ["rewarded", "rewarded"]
    assert time_of(harness, "ready", 1) == time_of(harness, "iti", 1) == 2.9


def test_a_poke_at_the_very_end_of_the_interval_is_still_an_error_poke() -> None:
    ready_at = START_S + ITI_S
    harness = run(poke("center", ready_at), trial(4.0, "left"))
    assert one_row(harness)["error_pokes"] == 1
    late = run(poke("center", ready_at + 1e-6), poke("left", 2.0))
    assert one_row(late)["error_pokes"] == 0
    assert one_row(late)["t_center_in"] == pytest.approx(ready_at + 1e-6)


# --- blocks and odds ------------------------------------------------------------------------------------------


def test_blocks_swap_after_completed_trials_and_the_row_says_which_was_in_force() -> None:
    harness = run(*(trial(2.0 + 2.5 * n, "left") for n in range(4)), q_stay=1e-9, p_high=0.9)
    assert [row["high_side"] for row in harness.rows] == ["left", "right", "left", "right"]
    assert [(row["p_left"], row["p_right"]) for row in harness.rows] == [(0.9, 0.1), (0.1, 0.9)] * 2
    assert [row["block"] for row in harness.rows] == [1, 2, 3, 4]
    assert [row["trial_in_block"] for row in harness.rows] == [1, 1, 1, 1]
    assert [row["flipped_after"] for row in harness.rows] == [1, 1, 1, 1]
    assert harness.footer["carry_over"] == {"start_high_side": "left", "last_high_side": "left"}


def test_neither_an_omission_nor_an_abort_moves_the_block_on() -> None:
    harness = run(
        poke("center", 2.0),
        poke("center", 4.5),
        poke("center", 5.0),
        trial(7.0, "left"),
        trial(10.0, "right"),
        q_stay=1e-9,
    )
    assert [row["outcome"] for row in harness.rows] == ["omission", "aborted", "rewarded", "rewarded"]
    assert [row["trial"] for row in harness.rows] == [1, 2, 3, 4]
    assert [row["block"] for row in harness.rows] == [1, 1, 1, 2]
    assert [row["trial_in_block"] for row in harness.rows] == [1, 1, 1, 1]
    assert [row["flipped_after"] for row in harness.rows] == [0, 0, 1, 1]


def test_trials_are_counted_within_their_block() -> None:
    harness = run(*(trial(2.0 + 2.5 * n, "left") for n in range(4)))
    assert [(row["block"], row["trial_in_block"]) for row in harness.rows] == [(1, 1), (1, 2), (1, 3), (1, 4)]


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_first_high_side_can_be_chosen(side: str) -> None:
    harness = run(trial(2.0, side), start_high_side=side)
    assert (one_row(harness)["high_side"], one_row(harness)["outcome"]) == (side, "rewarded")
    assert harness.footer["carry_over"] == {"start_high_side": side, "last_high_side": side}


def test_the_first_high_side_is_otherwise_drawn_and_both_come() -> None:
    sides = [one_row(run(trial(2.0, "left"), start_high_side="random", seed=seed))["high_side"] for seed in range(12)]
    expected = ["left" if random.Random(f"{seed}/block").random() < 0.5 else "right" for seed in range(12)]
    assert sides == expected
    assert set(sides) == {"left", "right"}


def test_one_number_is_drawn_for_every_trial_and_both_sides_are_judged_by_it() -> None:
    sides = [random.Random("sides").choice(("left", "right")) for _ in range(11)]
    harness = run(*(trial(2.0 + 2.5 * n, side) for n, side in enumerate(sides)), p_high=0.6, seed=7)
    draws = random.Random("7/reward")
    pays = [draws.random() < (0.6 if side == "left" else 0.4) for side in sides]
    assert [row["rewarded"] for row in harness.rows] == pays


def test_what_the_mouse_does_never_changes_what_the_task_draws() -> None:
    good = run(*(trial(2.0 + 3 * n, "left") for n in range(8)), p_high=0.5, seed=3)
    clumsy = run(
        *(trial(2.0 + 3 * n, "left") for n in range(8)),
        *(poke("right", 3.3 + 3 * n) for n in range(8)),
        p_high=0.5,
        seed=3,
    )
    assert sum(row["error_pokes"] for row in clumsy.rows) == 7
    assert [row["rewarded"] for row in good.rows] == [row["rewarded"] for row in clumsy.rows]


@pytest.mark.parametrize("p_high", [0.5, 0.7, 0.8, 0.9, 1.0])
def test_the_odds_of_both_sides_make_one(p_high: float) -> None:
    blocks = blocks_of(Params(p_high=p_high, start_high_side="right"), {}, seeded(1), seeded(1))
    odds = blocks.odds()
    assert odds["right"] == p_high
    assert sum(odds.values()) == pytest.approx(1.0)
    assert repr(odds["left"]) == repr(round(1 - p_high, 12)), "a float that reads as it was meant"


def test_blocks_last_as_long_as_the_probability_to_stay_says() -> None:
    blocks = blocks_of(Params(q_stay=0.98), {}, seeded("blocks"), seeded(1))
    flips = sum(blocks.advance(rewarded=True) for _ in range(100_000))
    assert abs(flips - 2000) < 5 * (100_000 * 0.02 * 0.98) ** 0.5
    assert blocks.number == flips + 1


# --- who pays -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("after_us", [1, 100, 400, 600, 900, 1000, 1100, 1101, 1200, 1300, 2000])
def test_a_choice_faster_than_the_link_is_paid_exactly_once(after_us: int) -> None:
    harness = run(poke("center", 2.0), poke("left", 2.0 + after_us / 1e6))
    assert one_row(harness)["outcome"] == "rewarded"
    assert one_row(harness)["delivered_by"] in ("board", "host")
    assert len(harness.openings("left.valve")) == harness.footer["rewards"] == 1
    if after_us <= 400:
        assert one_row(harness)["delivered_by"] == "host", "the board was not armed yet"
    if after_us >= 1200:
        assert one_row(harness)["delivered_by"] == "board"


def test_the_first_of_two_sides_poked_at_once_is_the_choice() -> None:
    harness = run(poke("center", 2.0), poke("right", 2.5), poke("left", 2.500_001))
    assert one_row(harness)["choice"] == "right"
    assert harness.openings("left.valve") == []
    tie = run(poke("center", 2.0), poke("right", 2.5), poke("left", 2.5))
    assert one_row(tie)["choice"] == "left", "the order of the rig file breaks a tie"


# --- limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [{"stop_max_rewards": 2}, {"stop_max_ul": 5}, {"stop_max_ul": 7.4}])
def test_a_session_ends_with_the_trial_that_reaches_the_limit(limit: dict[str, float]) -> None:
    harness = run(*(trial(2.0 + 2.5 * n, "left") for n in range(6)), **limit)
    assert (harness.footer["reason"], harness.footer["rewards"]) == ("reward_limit", 2)
    assert len(harness.openings("left.valve")) == 2
    assert [row["outcome"] for row in harness.rows] == ["rewarded", "rewarded"]
    assert harness.footer["t"] == 5_400_000


def test_a_session_ends_with_its_number_of_trials() -> None:
    harness = run(*(trial(2.0 + 2.5 * n, "right") for n in range(6)), stop_max_trials=3)
    assert (harness.footer["reason"], len(harness.rows)) == ("trial_limit", 3)


@pytest.mark.parametrize("session_s", [0.5, 1.5, 2.95])
def test_a_session_ends_at_its_limit_where_no_trial_runs(session_s: float) -> None:
    harness = run(trial(2.0, "left"), stop_session_s=session_s)
    assert (harness.footer["reason"], harness.footer["t"]) == ("time_limit", round(session_s * 1e6))
    assert len(harness.rows) == (session_s > 2)


@pytest.mark.parametrize("session_s", [2.2, 2.7])
def test_a_trial_that_runs_at_the_limit_may_finish(session_s: float) -> None:
    harness = run(trial(2.0, "left"), trial(5.0, "left"), stop_session_s=session_s)
    assert one_row(harness)["outcome"] == "rewarded"
    assert (harness.footer["reason"], harness.footer["t"]) == ("time_limit", 2_900_000)


def test_a_center_poke_at_exactly_the_limit_still_starts_a_trial_and_a_later_one_does_not() -> None:
    assert len(run(trial(2.0, "left"), stop_session_s=2.0).rows) == 1
    assert len(run(trial(2.000_001, "left"), stop_session_s=2.0).rows) == 0


def test_a_trial_that_does_not_finish_within_the_grace_is_cut() -> None:
    harness = run(poke("center", 2.0), poke("left", 2.5, 100.0), stop_session_s=3, stop_grace_s=4)
    row = one_row(harness)
    assert (row["outcome"], row["choice"], row["rewarded"], row["t_side_out"]) == ("interrupted", "left", 1, None)
    assert (harness.footer["reason"], harness.footer["t"]) == ("time_limit", 7_000_000)
    assert row["flipped_after"] == 0


def test_a_window_that_outlasts_the_grace_is_cut() -> None:
    harness = run(poke("center", 2.0), stop_session_s=2.5, stop_grace_s=1, choice_window_s=10)
    assert one_row(harness)["outcome"] == "interrupted"
    assert harness.footer["t"] == 3_500_000


def test_without_grace_a_trial_is_cut_at_the_limit() -> None:
    harness = run(trial(2.0, "left"), stop_session_s=2.3, stop_grace_s=0)
    assert one_row(harness)["outcome"] == "interrupted"
    assert harness.openings("left.valve") == []
    assert harness.footer["t"] == 2_300_000


# --- what a PI may write --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"p_high": 0.49},
        {"p_high": 1.01},
        {"q_stay": 0},
        {"q_stay": 1.1},
        {"start_high_side": "middle"},
        {"choice_window_s": 0.05},
        {"choice_window_s": 31},
        {"iti_min_s": -1},
        {"error_poke": "ignore"},
        {"center_repoke": "cancel"},
        {"omission_iti": "half"},
        {"reward_ul": 0.4},
        {"reward_ul": 11},
        {"p_low": 0.3},
        {"p_low": 0.9, "allow_asymmetric": True},
        {"conditions": [0.9, 0.4]},
        {"conditions": [0.9], "p_low": 0.2},
        {"block_rewards_min": 30, "block_rewards_max": 20},
        {"switch_rule": "sometimes"},
        {"iti_reference": "center_entry"},
        {"repoke_refractory_ms": -1},
        {"laser": {"p": 2}},
        {"trials_from": "no such file.csv"},
    ],
)
def test_a_parameter_outside_its_bounds_is_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Params(**values)


# --- whatever the animal does ---------------------------------------------------------------------------------


@st.composite
def restless(draw: st.DrawFn) -> list[tuple[float, str, int]]:
    """A mouse all over the place: pokes of any port at any time, overlapping, some within microseconds."""
    moves, inside, at_us = [], set(), 10_000  # a nose at the very start refuses the session
    for _ in range(draw(st.integers(0, 60))):
        at_us += draw(st.one_of(st.integers(1, 2_000), st.integers(1, 600_000), st.integers(900_000, 2_100_000)))
        place = draw(st.sampled_from(["left", "center", "right"]))
        inside ^= {place}
        moves.append((at_us / 1e6, place, int(place in inside)))
    return moves


ways = st.fixed_dictionaries(
    {
        "error_poke": st.sampled_from(["restart_iti", "log_only"]),
        "center_repoke": st.sampled_from(["abort", "ignore"]),
        "repoke_refractory_ms": st.sampled_from([0, 30, 1000]),
        "min_poke_ms": st.sampled_from([0, 10]),
        "omission_iti": st.sampled_from(["none", "full"]),
        "omission_steps_markov": st.booleans(),
        "iti_reference": st.sampled_from(["side_withdrawal", "last_poke_entry", "decision_entry"]),
        "iti_waits_for_empty_ports": st.sampled_from([None, True, False]),
        "iti_min_s": st.sampled_from([0, 0.3, 1]),
        "initiation_timeout_s": st.sampled_from([None, 1]),
        "max_dwell_s": st.sampled_from([None, 0.2]),
        "reward_draw": st.sampled_from(["at_side_entry", "at_initiation_both"]),
        "switch_rule": st.sampled_from(["markov", "reward_block", "fixed", "fixed_block"]),
        "center_required": st.booleans(),
    }
)


@given(restless(), ways, st.integers(0, 3))
@settings(max_examples=60)
def test_whatever_the_animal_does_the_books_balance(
    moves: list[tuple[float, str, int]], how: dict[str, Any], seed: int
) -> None:
    few = {"block_rewards_min": 1, "block_rewards_max": 2, "block_trials": 2}
    given = {name: value for name, value in how.items() if value is not None}
    prepared = protocol_spec(p_high=0.7, q_stay=0.7, **few, **given, stop_session_s=40, stop_max_rewards=5)
    harness = run_harness(prepared, scripted_subject(moves), seed=seed)
    openings = sorted((*harness.openings("left.valve"), *harness.openings("right.valve")))
    rows = harness.rows
    assert harness.footer["complete"]
    assert len(openings) == sum(row["rewarded"] for row in rows) == harness.footer["rewards"] <= 5
    assert all(us == 40_000 for _, us in openings)
    assert harness.on_at_the_end() == []
    assert [row["trial"] for row in rows] == list(range(1, len(rows) + 1))
    for row in rows:
        if row["t_side_in"] is not None and how["center_required"]:
            # An edge held back by its debounce and its confirmation may bear an earlier stamp.
            assert row["t_center_in"] - 0.015 <= row["t_side_in"] <= (row["t_side_out"] or 100)
        assert (row["t_side_in"] is not None) == (row["outcome"] in ("rewarded", "unrewarded") or bool(row["choice"]))
        assert row["rewarded"] <= 1
        assert row["outcome"] in ("rewarded", "unrewarded", "omission", "aborted", "interrupted")
    for first, second in pairwise(rows):
        completed = first["outcome"] in ("rewarded", "unrewarded")
        assert (second["high_side"] != first["high_side"]) == bool(first["flipped_after"])
        steps = completed or (first["outcome"] == "omission" and how["omission_steps_markov"])
        assert steps or not first["flipped_after"]
    assert replay_lines(harness.journal)[1] is None


# --- virtual mice ---------------------------------------------------------------------------------------------

SIGMAS = 5


def mouse(model: str, seed: int, **values: Any) -> list[dict[str, Any]]:
    """The rows of a virtual mouse's session."""
    return run_harness(protocol_spec(**values), make_model(model, {}).live, seed=seed).rows


def assert_fraction(hits: int, of: int, p: float) -> None:
    assert abs(hits - of * p) <= SIGMAS * (of * p * (1 - p)) ** 0.5, f"{hits} of {of} are not {p:.0%}"


def completed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [row for row in rows if row["outcome"] in ("rewarded", "unrewarded")]


@pytest.mark.parametrize("p_high", [0.7, 0.9])
def test_an_animal_that_looks_at_nothing_but_the_lamps_is_paid_at_the_odds(p_high: float) -> None:
    async def always_left(body: Body) -> None:
        while True:
            await body.wait_for(light("center").on)
            await body.wait(0.2)
            for place in ("center", "left"):
                body.enter(place)
                await body.wait(0.2)
                body.leave(place)
                await body.wait(0.1)

    prepared = protocol_spec(p_high=p_high, q_stay=1, start_high_side="left", stop_session_s=500)
    rows = run_harness(prepared, always_left, seed=11).rows
    assert len(rows) > 220
    assert {row["outcome"] for row in rows} == {"rewarded", "unrewarded"}
    assert_fraction(sum(row["rewarded"] for row in rows), len(rows), p_high)
    assert all(row["error_pokes"] == 0 for row in rows)


@pytest.mark.parametrize("model", ["rflr", "random"])
def test_whatever_a_mouse_chooses_the_odds_and_the_blocks_are_as_written(model: str) -> None:
    rows = mouse(model, 21, q_stay=0.95, stop_session_s=1000)
    done = completed(rows)
    assert len(done) > 200
    for high in (True, False):
        chosen = [row for row in done if (row["choice"] == row["high_side"]) == high]
        assert_fraction(sum(row["rewarded"] for row in chosen), len(chosen), 0.8 if high else 0.2)
    assert_fraction(sum(row["flipped_after"] for row in done), len(done), 0.05)
    assert rows[-1]["block"] == 1 + sum(row["flipped_after"] for row in rows[:-1])
    assert {row["outcome"] for row in rows} == {"rewarded", "unrewarded", "omission", "aborted"}


def test_a_mouse_that_tosses_a_coin_goes_left_half_the_time() -> None:
    done = completed(mouse("random", 22, stop_session_s=900))
    assert_fraction(sum(row["choice"] == "left" for row in done), len(done), 0.5)
    assert_fraction(sum(a["choice"] != b["choice"] for a, b in pairwise(done)), len(done) - 1, 0.5)


def test_a_mouse_that_learns_follows_its_rewards() -> None:
    done = completed(mouse("rflr", 23, stop_session_s=900))
    after = {
        rewarded: [a["choice"] != b["choice"] for a, b in pairwise(done) if a["rewarded"] == rewarded]
        for rewarded in (0, 1)
    }
    switches = {rewarded: sum(changed) / len(changed) for rewarded, changed in after.items()}
    assert switches[1] < 0.1 < switches[0]
    assert sum(row["choice"] == row["high_side"] for row in done) > 0.6 * len(done)


@pytest.mark.campaign
def test_sixty_sessions_of_the_default_mouse_are_those_of_the_literature() -> None:
    sessions = [mouse("rflr", session_seed(1, "sixty", number)) for number in range(60)]
    done = [completed(rows) for rows in sessions]
    pairs = [pair for rows in done for pair in pairwise(rows)]
    every = [row for rows in done for row in rows]
    assert sum(row["rewarded"] for row in every) / len(every) == pytest.approx(0.686, abs=0.008)
    assert sum(a["choice"] != b["choice"] for a, b in pairs) / len(pairs) == pytest.approx(0.069, abs=0.006)
    assert sum(row["choice"] == row["high_side"] for row in every) / len(every) == pytest.approx(0.811, abs=0.015)
    trials = [len(rows) for rows in sessions]
    assert sum(trials) / 60 == pytest.approx(728, abs=73 / 60**0.5 * SIGMAS)
    rewards = [sum(row["rewarded"] for row in rows) for rows in done]
    assert sum(rewards) / 60 == pytest.approx(502, abs=54 / 60**0.5 * SIGMAS)
    assert_fraction(sum(row["flipped_after"] for row in every), len(every), 0.02)
    latencies = sorted(row["latency_s"] for row in every)
    assert latencies[len(latencies) // 2] == pytest.approx(0.46, abs=0.02)
