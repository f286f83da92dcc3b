"""Delay discounting lap by lap, in virtual time."""

from typing import Any

import pytest
from pydantic import ValidationError

from protocols.delay_discounting.params import Params
from rig.core.errors import ConfigError, NotReadyError
from rig.session.replay import replay_lines
from tests.harness import FaultHarness
from tests.protocols.delay_discounting.maze import (
    CONFIRM_OFF_S,
    CONFIRM_ON_S,
    TO_SITE_S,
    jam,
    lap,
    pulses,
    run,
    tones,
    visit,
)

FIRST_S = 2.0
ENTERED_S = FIRST_S + TO_SITE_S
BEGUN_S = ENTERED_S + CONFIRM_ON_S


def one_row(harness: FaultHarness) -> dict[str, Any]:
    (row,) = harness.rows
    return row


# --- one lap --------------------------------------------------------------------------------------------------


def test_a_lap_to_the_delayed_side_is_written_down_whole() -> None:
    harness = run(lap(FIRST_S, "left", 6), visit("start", 14, 1))
    assert one_row(harness) == {
        "lap": 1,
        "side": "left",
        "left_by": "beam",
        "is_delayed_side": 1,
        "delay_before_s": 2,
        "delay_experienced_s": 2,
        "n_tones": 3,
        "t_choice_enter": 3.5,
        "t_choice_exit": 4.0,
        "t_site_enter": 5.0,
        "t_reward": 7.001,
        "pellets": 3,
        "outcome": "rewarded",
        "delay_after_s": 3,
        "t_site_exit": 11.0,
        "t_lap_end": 14.0,
        "tracking_ok": None,
        "idphi": None,
        "zidphi": None,
        "pause_s": None,
        "t_start": 2.0,
        "delayed_side": "left",
        "large_pellets": 3,
        "initial_delay_s": 2,
        "pellets_given": 3,
        "pellets_retried": 0,
        "short_reward": 0,
        "reentries": 0,
        "unarmed_entries": 0,
    }
    assert pulses(harness, "left") == pytest.approx([7.001, 7.501, 8.001])
    assert pulses(harness, "right") == []
    assert (harness.footer["pellets"], harness.footer["rewards"]) == (3, 1)


@pytest.mark.parametrize("delay_s", [1, 2, 5, 30, 60])
def test_a_delay_of_so_many_seconds_has_one_tone_more_each_lower_by_a_step_and_the_last_comes_with_the_pellet(
    delay_s: int,
) -> None:
    harness = run(lap(FIRST_S, "left", delay_s + 4), initial_delay_s=delay_s)
    wanted = [(BEGUN_S + n, 1000 + 175 * (delay_s - n)) for n in range(delay_s + 1)]
    assert tones(harness) == [(pytest.approx(at_s), hz) for at_s, hz in wanted]
    assert pulses(harness, "left")[0] == pytest.approx(BEGUN_S + delay_s)
    assert one_row(harness)["n_tones"] == delay_s + 1


def test_the_small_side_always_gives_one_pellet_after_two_tones() -> None:
    harness = run(lap(FIRST_S, "right", 4), initial_delay_s=20)
    row = one_row(harness)
    assert [hz for _, hz in tones(harness)] == [1175, 1000]
    assert (row["delay_experienced_s"], row["delay_before_s"], row["pellets"], row["is_delayed_side"]) == (1, 20, 1, 0)
    assert pulses(harness, "right") == pytest.approx([BEGUN_S + 1])


def test_the_countdown_is_the_boards_and_no_host_order_falls_into_it() -> None:
    harness = run(lap(FIRST_S, "left", 8), initial_delay_s=5)
    during = [order for t_us, order in harness.orders if ENTERED_S < t_us / 1e6 < ENTERED_S + 5]
    assert [order for order in during if not order.startswith(("arm", "disarm"))] == []
    assert any(order.startswith("arm") and "left.beam- stop" in order for _, order in harness.orders)


def test_the_delay_goes_up_after_the_delayed_side_and_down_after_the_other() -> None:
    sides = ["left", "left", "right", "left", "right", "right", "right"]
    laps = [lap(FIRST_S + 20 * place, side, 9) for place, side in enumerate(sides)]
    harness = run(*laps, stop_session_s=160)
    assert [row["side"] for row in harness.rows] == sides
    assert [row["delay_before_s"] for row in harness.rows] == [2, 3, 4, 3, 4, 3, 2]
    assert [row["delay_after_s"] for row in harness.rows] == [3, 4, 3, 4, 3, 2, 1]
    assert [row["n_tones"] for row in harness.rows] == [3, 4, 2, 4, 2, 2, 2]


def test_the_delay_has_a_lower_and_an_upper_limit() -> None:
    down = run(*(lap(FIRST_S + 10 * place, "right", 4) for place in range(4)))
    assert [row["delay_before_s"] for row in down.rows] == [2, 1, 1, 1]
    up = run(*(lap(FIRST_S + 15 * place, "left", 9) for place in range(4)), delay_max_s=3, **{"pool.delays_s": "[1]"})
    assert [row["delay_before_s"] for row in up.rows] == [2, 3, 3, 3]


def test_hundreds_of_laps_with_ever_new_countdowns_need_no_more_room_on_the_board() -> None:
    sides = ("left", "left", "right")
    laps = [lap(FIRST_S + 12 * place, sides[place % 3], 6) for place in range(280)]
    harness = run(
        *laps,
        stop_session_s=3400,
        stop_max_trials="null",
        stop_max_pellets=2000,
        delay_max_s=3,
        **{"pool.delays_s": "[1]"},
    )
    assert len(harness.rows) == 280
    assert {row["outcome"] for row in harness.rows} == {"rewarded"}
    assert harness.footer["refusals"] == {}


def test_the_choice_point_is_passed_from_the_first_entry_to_the_last_exit_since_the_start() -> None:
    again = [visit("choice", 5, 0.5), visit("left", 6.5, 6), visit("start", 15, 1)]
    bobbing = one_row(run(visit("start", 2, 0.5), visit("choice", 3.5, 0.5), *again))
    assert (bobbing["t_choice_enter"], bobbing["t_choice_exit"]) == (3.5, 5.5)
    turned_back = one_row(run(visit("start", 2, 0.5), visit("choice", 3, 0.5), visit("start", 4.2, 0.5), *again))
    assert (turned_back["t_choice_enter"], turned_back["t_choice_exit"]) == (5.0, 5.5)


# --- leaving --------------------------------------------------------------------------------------------------


def test_leaving_before_the_reward_stops_tones_and_reward_when_the_exit_is_confirmed() -> None:
    harness = run(lap(FIRST_S, "left", 2.72), visit("start", 12, 1), initial_delay_s=5)
    row = one_row(harness)
    assert (row["outcome"], row["left_by"], row["pellets"], row["t_reward"]) == ("skip", "beam", 0, None)
    assert (row["delay_experienced_s"], row["n_tones"], row["t_site_exit"]) == (None, 4, 7.72)
    silent_s = harness.changes("speaker.tone")[-1][0] / 1e6
    assert silent_s == pytest.approx(ENTERED_S + 2.72 + CONFIRM_OFF_S), "the fourth tone is cut short"
    assert pulses(harness, "left") == []
    assert harness.footer["pellets"] == 0


def test_a_rat_that_bobs_out_of_the_beam_for_less_than_the_confirmation_loses_nothing() -> None:
    bobs = [
        (ENTERED_S + 0.5, "left", 0),
        (ENTERED_S + 0.79, "left", 1),
        (ENTERED_S + 4.5, "left", 0),
        (ENTERED_S + 4.79, "left", 1),
    ]
    harness = run(lap(FIRST_S, "left", 8), bobs, visit("start", 16, 1), initial_delay_s=5)
    row = one_row(harness)
    assert (row["outcome"], row["n_tones"], row["pellets"], row["reentries"]) == ("rewarded", 6, 3, 0)


@pytest.mark.parametrize("offset_ms", [-5, -1, -0.1, -0.001, 0, 0.001, 0.1, 0.6, 1, 1.4, 5, 100])
def test_around_the_first_pellet_either_all_of_the_reward_is_given_or_none(offset_ms: float) -> None:
    stay_s = CONFIRM_ON_S + 2 - CONFIRM_OFF_S + offset_ms / 1000
    harness = run(lap(FIRST_S, "left", stay_s), visit("start", 12, 1))
    row = one_row(harness)
    given = pulses(harness, "left")
    assert len(given) in (0, 3)
    assert (row["outcome"], row["pellets"]) == (("rewarded", 3) if given else ("skip", 0))
    assert harness.footer["pellets"] == len(given)
    assert bool(given) == (offset_ms > 0) or offset_ms == 0
    assert row["t_site_exit"] == pytest.approx(ENTERED_S + stay_s)


def test_the_first_pellet_closes_the_cancel_and_all_pellets_are_given() -> None:
    harness = run(lap(FIRST_S, "left", 2.1), visit("start", 12, 1))
    row = one_row(harness)
    assert (row["outcome"], row["pellets"], row["n_tones"]) == ("rewarded", 3, 3)
    assert (len(pulses(harness, "left")), row["t_site_exit"]) == (3, ENTERED_S + 2.1)


def test_a_skipped_lap_counts_as_a_lap_and_moves_the_delay_unless_told_otherwise() -> None:
    laps = [lap(FIRST_S, "left", 0.5), lap(12, "left", 8)]
    rows = run(*laps).rows
    assert [(row["lap"], row["outcome"], row["delay_before_s"]) for row in rows] == [(1, "skip", 2), (2, "rewarded", 3)]
    assert rows[0]["delay_after_s"] == 3
    rows = run(*laps, skip_updates="false").rows
    assert [(row["delay_before_s"], row["delay_after_s"]) for row in rows] == [(2, 2), (2, 3)]


# --- coming back ----------------------------------------------------------------------------------------------


def coming_back(reentry: str) -> FaultHarness:
    """Leave a countdown of five seconds after 2.2 s, and come back for long."""
    moves = [lap(FIRST_S, "left", 2.2), visit("left", 10, 9), visit("start", 22, 1)]
    return run(*moves, initial_delay_s=5, reentry=reentry)


def test_a_rat_that_comes_back_to_its_site_finds_nothing_there() -> None:
    harness = coming_back("no_restart")
    row = one_row(harness)
    assert (row["outcome"], row["reentries"], row["n_tones"]) == ("skip", 1, 3)
    assert [at_s for at_s, _ in tones(harness) if at_s > 9] == []


@pytest.mark.parametrize(("reentry", "seconds"), [("restart", 5), ("resume", 3)])
def test_a_rat_that_comes_back_may_be_given_another_countdown(reentry: str, seconds: int) -> None:
    harness = coming_back(reentry)
    row = one_row(harness)
    again = [hz for at_s, hz in tones(harness) if at_s > 9]
    assert again == [1000 + 175 * left for left in range(seconds, -1, -1)]
    assert (row["outcome"], row["reentries"], row["pellets"]) == ("rewarded", 1, 3)
    assert (row["n_tones"], row["t_reward"]) == (3 + seconds + 1, pytest.approx(10 + CONFIRM_ON_S + seconds))
    assert (row["delay_before_s"], row["delay_after_s"], row["delay_experienced_s"]) == (5, 6, 5)


def test_a_rat_that_is_rewarded_after_all_moves_the_delay_even_where_skips_do_not() -> None:
    moves = [lap(FIRST_S, "left", 2.2), visit("left", 10, 9), visit("start", 22, 1), visit("left", 25, 9)]
    rows = run(*moves, initial_delay_s=5, reentry="resume", skip_updates="false").rows
    assert [(row["outcome"], row["delay_after_s"]) for row in rows] == [("rewarded", 6), ("rewarded", 7)]


def test_other_sites_and_second_visits_before_the_start_are_counted_and_give_nothing() -> None:
    wanders = [visit("right", 12, 1), visit("left", 14, 1), visit("right", 16, 1)]
    harness = run(lap(FIRST_S, "left", 6), *wanders, visit("start", 20, 1))
    row = one_row(harness)
    assert (row["unarmed_entries"], row["reentries"], row["pellets"]) == (2, 1, 3)
    assert len(tones(harness)) == 3
    assert row["t_lap_end"] == 20.0


@pytest.mark.parametrize(("stay_s", "outcome"), [(1, "skip"), (7, "rewarded")])
def test_a_rat_that_is_at_the_start_before_its_exit_is_confirmed_has_ended_its_lap(stay_s: float, outcome: str) -> None:
    home_s = ENTERED_S + stay_s + 0.1
    harness = run(lap(FIRST_S, "left", stay_s), lap(home_s, "right", 3), visit("start", 25, 1), initial_delay_s=5)
    assert [(row["side"], row["outcome"]) for row in harness.rows] == [("left", outcome), ("right", "rewarded")]
    assert [row["t_lap_end"] for row in harness.rows] == [pytest.approx(home_s), 25]
    assert harness.rows[1]["t_start"] == harness.rows[0]["t_lap_end"]


def test_a_pellet_that_drops_before_an_exit_is_confirmed_is_seen() -> None:
    harness = run(lap(FIRST_S, "left", 2 - 0.001), visit("start", 12, 1))
    row = one_row(harness)
    assert (row["pellets"], row["pellets_retried"], len(pulses(harness, "left"))) == (3, 0, 3)


def test_entries_before_the_first_start_are_not_armed() -> None:
    harness = run(visit("left", 1, 0.5), lap(4, "right", 4))
    assert one_row(harness)["side"] == "right"
    assert tones(harness)[0][0] > 6


def test_a_rat_that_is_put_into_the_start_zone_begins_at_once() -> None:
    harness = run(visit("start", -1, 3), visit("left", 5, 6))
    assert one_row(harness)["t_site_enter"] == 5.0


# --- pellets --------------------------------------------------------------------------------------------------


def test_a_pellet_that_is_not_seen_is_tried_once_more_written_down_and_counted() -> None:
    harness = run(lap(FIRST_S, "left", 9), visit("start", 16, 1), arrange=jam(1))
    row = one_row(harness)
    assert (row["pellets"], row["pellets_given"], row["pellets_retried"], row["short_reward"]) == (3, 4, 1, 0)
    notes = [line for line in harness.of_kind("note") if line["what"] == "pellet_missing"]
    assert [(note["feeder"], note["lap"]) for note in notes] == [("left_feeder", 1)]
    assert harness.footer["pellets"] == 4


def test_a_pellet_that_misses_twice_makes_a_short_reward_and_is_not_tried_again() -> None:
    harness = run(lap(FIRST_S, "left", 9), visit("start", 16, 1), arrange=jam(1, 3))
    row = one_row(harness)
    assert (row["pellets"], row["pellets_given"], row["pellets_retried"], row["short_reward"]) == (2, 4, 1, 1)
    assert len(pulses(harness, "left")) == 4


def test_three_pellets_in_a_row_that_miss_twice_end_the_session() -> None:
    laps = [lap(FIRST_S + 10 * place, "right", 5) for place in range(6)]
    harness = run(*laps, arrange=jam(1, 2, 3, 4, 5, 6, 7))
    assert harness.outcome is not None
    assert (harness.outcome.reason, [row["pellets"] for row in harness.rows]) == ("fault", [1, 0, 0, 0])
    assert harness.outcome.detail.startswith("right_feeder: 3 pellets in a row were not seen to drop")
    assert len(pulses(harness, "right")) == 1 + 3 * 2
    assert harness.on_at_the_end() == []
    assert replay_lines(harness.journal)[1] is None


def test_a_sensor_that_has_seen_no_pellet_yet_causes_no_second_one() -> None:
    laps = [lap(FIRST_S + 10 * place, "right", 5) for place in range(6)]
    harness = run(*laps, cut=frozenset({"right_feeder.sensor"}))
    assert harness.outcome is not None
    assert (harness.outcome.reason, [row["short_reward"] for row in harness.rows]) == ("fault", [1, 1, 1])
    assert [row["pellets_retried"] for row in harness.rows] == [0, 0, 0]
    assert len(pulses(harness, "right")) == harness.footer["pellets"] == 3
    notes = [line for line in harness.of_kind("note") if line["what"] == "pellets_unseen"]
    assert [(note["feeder"], note["pellets"]) for note in notes] == [("right_feeder", 1)] * 3
    assert replay_lines(harness.journal)[1] is None


def test_the_other_feeder_s_sensor_proves_nothing() -> None:
    harness = run(lap(FIRST_S, "right", 5), lap(20, "left", 9), cut=frozenset({"left_feeder.sensor"}))
    assert harness.outcome is not None
    assert harness.outcome.detail.startswith("left_feeder: 3 pellets in a row were not seen to drop")
    assert len(pulses(harness, "left")) == 3


def test_a_limit_in_pellets_is_never_passed_and_ends_the_session_at_rest() -> None:
    laps = [lap(FIRST_S + 12 * place, "left", 7) for place in range(6)]
    harness = run(*laps, stop_max_pellets=7)
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.footer["pellets"], len(pulses(harness, "left"))) == ("reward_limit", 6, 6)


def test_a_second_try_that_a_limit_forbids_is_none_and_no_sign_of_a_jam() -> None:
    harness = run(lap(FIRST_S, "left", 9), visit("start", 16, 1), stop_max_pellets=3, arrange=jam(0, 1))
    row = one_row(harness)
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.footer["pellets"], len(pulses(harness, "left"))) == ("reward_limit", 3, 3)
    assert (row["pellets"], row["pellets_retried"], row["short_reward"]) == (1, 0, 1)


def test_a_reward_beyond_the_limit_is_withheld_with_its_countdown() -> None:
    harness = run(lap(FIRST_S, "left", 6), stop_max_pellets=2)
    row = one_row(harness)
    assert (tones(harness), pulses(harness, "left")) == ([], [])
    assert (row["outcome"], row["pellets"], row["n_tones"], row["delay_experienced_s"]) == ("withheld", 0, 0, None)
    assert harness.outcome is not None
    assert harness.outcome.reason == "reward_limit"


def test_pellets_by_hand_count() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(
            3, harness.session.request, "reward right_feeder"
        )

    harness = run(lap(FIRST_S, "left", 6), arrange=arrange)
    assert (harness.footer["pellets"], len(pulses(harness, "right"))) == (4, 1)


# --- ends -----------------------------------------------------------------------------------------------------


def test_the_session_ends_with_its_last_lap() -> None:
    laps = [lap(FIRST_S + 12 * place, "left", 7) for place in range(4)]
    harness = run(*laps, stop_max_trials=2)
    assert harness.outcome is not None
    assert (harness.outcome.reason, len(harness.rows)) == ("trial_limit", 2)


def test_a_countdown_that_runs_when_the_time_is_over_may_finish() -> None:
    harness = run(lap(FIRST_S, "left", 40), initial_delay_s=20, stop_session_s=10)
    row = one_row(harness)
    assert (row["outcome"], row["pellets"], row["t_lap_end"]) == ("rewarded", 3, None)
    assert harness.outcome is not None
    assert harness.outcome.reason == "time_limit"
    assert len(pulses(harness, "left")) == 3


def test_no_lap_begins_when_the_time_is_over() -> None:
    harness = run(visit("start", 2, 1), visit("left", 12, 9), stop_session_s=10)
    assert (harness.rows, harness.footer["pellets"], harness.on_at_the_end()) == ([], 0, [])


def test_a_lap_that_an_operator_stops_in_the_countdown_is_cut_and_gives_nothing() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(7, harness.session.request, "stop")

    harness = run(lap(FIRST_S, "left", 30), initial_delay_s=10, arrange=arrange)
    row = one_row(harness)
    assert (row["outcome"], row["pellets"], harness.footer["pellets"]) == ("interrupted", 0, 0)
    assert tones(harness)[-1][0] < 7.1
    assert harness.on_at_the_end() == []


def test_a_lap_that_an_operator_stops_just_before_the_reward_is_cut_too() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(
            6.8, harness.session.request, "stop"
        )

    row = one_row(run(lap(FIRST_S, "left", 30), arrange=arrange))
    assert (row["outcome"], row["pellets"], row["delay_experienced_s"]) == ("interrupted", 0, None)


def test_a_lap_that_an_operator_stops_between_its_pellets_says_which_were_seen() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(
            7.7, harness.session.request, "stop"
        )

    harness = run(lap(FIRST_S, "left", 30), arrange=arrange)
    row = one_row(harness)
    assert len(pulses(harness, "left")) == 2
    assert (row["outcome"], row["pellets"], row["short_reward"]) == ("rewarded", 2, 1)


def test_a_site_that_is_broken_before_the_session_is_reported() -> None:
    with pytest.raises(NotReadyError, match="the beam of left is broken before the session: the subject, or dirt"):
        run(arrange=lambda harness: harness.rig.world.set_occupied("left", True))


def test_after_an_expired_lease_the_next_lap_has_its_countdowns_again() -> None:
    def arrange(harness: FaultHarness) -> None:
        def block_input() -> None:
            lane = harness.rig.cable.to_board
            lane.hold()
            harness.rig.board._clock.call_later(3, lane.release)

        harness.observer.opened = lambda opened: harness.rig.board._clock.call_later(6, block_input)

    harness = run(
        lap(FIRST_S, "left", 9), lap(20, "left", 9), visit("start", 40, 1), arrange=arrange, initial_delay_s=6
    )
    assert [row["outcome"] for row in harness.rows] == ["interrupted", "rewarded"]
    assert len(pulses(harness, "left")) == harness.footer["pellets"] == 3


def test_a_replay_decides_the_same() -> None:
    harness = run(lap(FIRST_S, "left", 9), lap(20, "right", 0.4), lap(30, "left", 2.2), arrange=jam(1))
    agreed, difference = replay_lines(harness.journal)
    assert difference is None
    assert agreed > 10


# --- training, and what is carried ----------------------------------------------------------------------------


def test_a_blocked_side_gives_nothing_and_the_other_gives_one_pellet_after_a_second() -> None:
    harness = run(
        lap(FIRST_S, "right", 4),
        visit("start", 12, 1),
        visit("left", 15, 2),
        visit("right", 19, 4),
        visit("start", 26, 1),
        blocked="left",
    )
    assert [(row["side"], row["n_tones"], row["pellets"]) for row in harness.rows] == [("right", 2, 1), ("right", 2, 1)]
    assert [row["unarmed_entries"] for row in harness.rows] == [0, 1]
    assert {row["delay_after_s"] for row in harness.rows} == {1}


def test_the_blocked_side_alternates_and_days_with_enough_laps_are_counted() -> None:
    carried_over: dict[str, Any] = {}
    sides = []
    for count in (2, 2, 1):
        laps = [lap(FIRST_S + 10 * place, side, 4) for place in range(count) for side in ("left", "right")]
        harness = run(*laps, blocked="alternate", criterion_laps=2, carried_over=carried_over, stop_session_s=40)
        carried_over = harness.footer["carry_over"]
        sides.append((carried_over["blocked_side"], carried_over["criterion_days"]))
    assert [full for _, full in sides] == [1, 2, 0]
    assert sides[0][0] == sides[2][0] != sides[1][0]


def test_a_pool_that_is_exhausted_is_a_clear_mistake_and_can_be_renewed() -> None:
    pool = {"initial_delay_s": "null", "pool.delays_s": "[3]"}
    carried_over = run(lap(FIRST_S, "left", 7), **pool).footer["carry_over"]
    with pytest.raises(ConfigError, match=r"has had all 1 conditions of the pool 'main'.*--set params.pool.renew=true"):
        run(lap(FIRST_S, "left", 7), carried_over=carried_over, **pool)
    again = run(lap(FIRST_S, "left", 7), carried_over=carried_over, **pool, **{"pool.renew": "true"})
    assert one_row(again)["initial_delay_s"] == 3


def test_the_session_says_its_condition_and_how_the_board_makes_its_tones() -> None:
    condition, tones = run(lap(FIRST_S, "left", 7)).of_kind("note")
    assert (condition["what"], condition["large_pellets"], condition["delayed_side"]) == ("condition", 3, "left")
    assert (tones["what"], tones["waveform"], tones["actual_hz"]["1000"]) == ("tones", "square", 1000.0)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"delay_max_s": 109}, "begins at 20075 Hz, and no board sounds more than 20000 Hz: make delay_max_s 108"),
        ({"delay_min_s": 5, "delay_max_s": 4}, "delay_min_s is 5, more than delay_max_s"),
        ({"pool": {"delays_s": [1, 200]}}, "pool.delays_s has 200, wanted delay_min_s"),
        ({"pool": {"delays_s": []}}, "at least 1 item"),
        ({"initial_delay_s": 30, "delay_max_s": 20}, r"initial_delay_s is 30, wanted delay_min_s \(1\) to delay_max_s"),
        ({"pool": {"ratios": [0]}}, "greater than or equal to 1"),
        ({"pool": {"ratios": [11]}}, "less than or equal to 10"),
    ],
)
def test_parameters_that_contradict_each_other_are_refused(values: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        Params.model_validate(values)
