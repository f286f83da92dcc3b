"""Delay discounting lap by lap, in virtual time."""

from typing import Any

import pytest

from rig.core.errors import ConfigError, NotReadyError
from rig.core.journal.kinds import Note
from tests.harness import FaultHarness
from tests.protocols.delay_discounting.maze import (
    CONFIRM_OFF_S,
    CONFIRM_ON_S,
    TO_SITE_S,
    lap,
    pulses,
    run,
    visit,
)

FIRST_S = 2.0
ENTERED_S = FIRST_S + TO_SITE_S
BEGUN_S = ENTERED_S + CONFIRM_ON_S


def one_row(harness: FaultHarness) -> dict[str, Any]:
    (row,) = harness.rows
    return row


def test_the_countdown_is_the_boards_and_no_host_order_falls_into_it() -> None:
    harness = run(lap(FIRST_S, "left", 8), initial_delay_s=5)
    during = [order for t_us, order in harness.orders if ENTERED_S < t_us / 1e6 < ENTERED_S + 5]
    assert [order for order in during if not order.startswith(("arm", "disarm"))] == []
    assert any(order.startswith("arm") and "left.beam- stop" in order for _, order in harness.orders)


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
    assert harness.footer.refusals == {}


@pytest.mark.parametrize("offset_ms", [-5, -1, -0.1, -0.001, 0, 0.001, 0.1, 0.6, 1, 1.4, 5, 100])
def test_around_the_first_pellet_either_all_of_the_reward_is_given_or_none(offset_ms: float) -> None:
    stay_s = CONFIRM_ON_S + 2 - CONFIRM_OFF_S + offset_ms / 1000
    harness = run(lap(FIRST_S, "left", stay_s), visit("start", 12, 1))
    row = one_row(harness)
    given = pulses(harness, "left")
    assert len(given) in (0, 3)
    assert (row["outcome"], row["pellets"]) == (("rewarded", 3) if given else ("skip", 0))
    assert harness.footer.pellets == len(given)
    assert bool(given) == (offset_ms > 0) or offset_ms == 0
    assert row["t_site_exit"] == pytest.approx(ENTERED_S + stay_s)


def test_a_site_that_is_broken_before_the_session_is_reported() -> None:
    with pytest.raises(NotReadyError, match="the beam of left is broken before the session: the subject, or dirt"):
        run(arrange=lambda harness: harness.rig.world.set_occupied("left", True))


def test_the_blocked_side_alternates_and_days_with_enough_laps_are_counted() -> None:
    carried_over: dict[str, Any] = {}
    sides = []
    for count in (2, 2, 1):
        laps = [lap(FIRST_S + 10 * place, side, 4) for place in range(count) for side in ("left", "right")]
        harness = run(*laps, blocked="alternate", criterion_laps=2, carried_over=carried_over, stop_session_s=40)
        carried_over = harness.footer.carry_over
        sides.append((carried_over["blocked_side"], carried_over["criterion_days"]))
    assert [full for _, full in sides] == [1, 2, 0]
    assert sides[0][0] == sides[2][0] != sides[1][0]


def test_a_pool_that_is_exhausted_is_a_clear_mistake_and_can_be_renewed() -> None:
    pool = {"initial_delay_s": "null", "pool.delays_s": "[3]"}
    carried_over = run(lap(FIRST_S, "left", 7), **pool).footer.carry_over
    with pytest.raises(ConfigError, match=r"has had all 1 conditions of the pool 'main'.*--set params.pool.renew=true"):
        run(lap(FIRST_S, "left", 7), carried_over=carried_over, **pool)
    again = run(lap(FIRST_S, "left", 7), carried_over=carried_over, **pool, **{"pool.renew": "true"})
    assert one_row(again)["initial_delay_s"] == 3


def test_the_session_says_its_condition_and_how_the_board_makes_its_tones() -> None:
    condition, tones = run(lap(FIRST_S, "left", 7)).of_kind(Note)
    assert (condition.what, condition.fields["large_pellets"], condition.fields["delayed_side"]) == (
        "condition",
        3,
        "left",
    )
    assert (tones.what, tones.fields["waveform"], tones.fields["actual_hz"]["1000"]) == ("tones", "square", 1000.0)
