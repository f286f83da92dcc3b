"""All off, then the board's last word; everything up to it is written and credited before the footer."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocols.free_water import FreeWater
from protocols.two_armed_bandit import TwoArmedBandit
from rig.core.errors import RecordError
from rig.core.journal.delivered import DeliveredRewards
from sim_hardware.models.scripted import ScriptedParams, ScriptedSubject
from tests.rules.pin_trace_oracle import check_session
from tests.rules.probe_task import with_latency
from tests.support import CONFIRM_US, DROP_US, EdgeAt, Mishap, Stage, bad_link, noses, play, script_for

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "choice_window_s": 2, "iti_min_s": 0.2}
SESSION_US = 4_000_000


def run(edges: list[EdgeAt], *mishaps: Mishap, task: Any = TwoArmedBandit, how: Any = None, **stop: Any) -> Stage:
    """A session of four seconds, held against everything that is promised."""
    params = SURE if task is TwoArmedBandit else {"pause_s": 0.1}
    script = script_for(task, params, {"session_s": SESSION_US / 1e6, "grace_s": 1, **stop})
    stage = play(script, edges, *mishaps, **(how or {}))
    check_session(stage)
    if stage.footer["complete"]:
        delivered = [line["amount"] for line in stage.rewards if line["status"] == "delivered"]
        assert sum(delivered) == 2.5 * len(stage.valve_openings)
    return stage


def trial(at_us: int, side: str = "left", dwell_us: int = 200_000) -> list[EdgeAt]:
    return noses((at_us, "center", 50_000), (at_us + 300_000, side, dwell_us))


def stop(stage: Stage) -> None:
    stage.request("stop")


# --- limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("latency_s", [0.0005, 0.2])
def test_at_rest_a_session_ends_at_its_limit_by_the_boards_clock(latency_s: float) -> None:
    stage = run(trial(1_000_000), with_latency(latency_s))
    assert stage.states[-1][0] == "ready"
    assert (stage.footer["reason"], stage.footer["t"]) == ("time_limit", SESSION_US)
    assert stage.of_kind("time")[-1]["t"] > SESSION_US


@pytest.mark.parametrize(("t_us", "trials"), [(SESSION_US, 1), (SESSION_US + 1, 0)])
def test_a_poke_at_exactly_the_limit_still_begins_a_trial(t_us: int, trials: int) -> None:
    stage = run(trial(t_us))
    assert len(stage.rows) == trials


def test_elsewhere_the_trial_may_finish_within_the_grace_and_then_the_session_ends() -> None:
    stage = run(trial(SESSION_US - 100_000))
    assert (stage.row["outcome"], stage.row["delivered_by"]) == ("rewarded", "board")
    assert stage.states[-1] == ("iti", SESSION_US + 400_000)
    assert (stage.footer["reason"], stage.footer["t"]) == ("time_limit", SESSION_US + 400_000)


def test_after_the_grace_the_row_is_written_as_cut_with_what_was_given() -> None:
    stage = run(trial(SESSION_US - 100_000, dwell_us=9_000_000))
    row = stage.row
    assert (row["outcome"], row["choice"], row["reward_ul"], row["delivered_by"]) == (
        "interrupted",
        "left",
        2.5,
        "board",
    )
    assert row["t_side_out"] is None
    assert (stage.footer["reason"], stage.footer["t"]) == ("time_limit", SESSION_US + 1_000_000)


@pytest.mark.parametrize(
    ("ceiling", "drops", "reason"),
    [
        ({"max_rewards": 2}, 2, "reward_limit"),
        ({"max_rewards": 2, "max_ul": 7.4}, 2, "reward_limit"),
        ({"max_ul": 7.4}, 2, "reward_limit"),
        ({"max_ul": 7.5}, 3, "reward_limit"),
        ({"max_trials": 1}, 1, "trial_limit"),
        ({}, 5, "time_limit"),
    ],
    ids=str,
)
def test_ceilings_are_never_passed_and_end_a_session_at_rest(ceiling: dict[str, Any], drops: int, reason: str) -> None:
    pokes = noses(*((500_000 + n * 500_000, ("left", "right")[n % 2], 50_000) for n in range(5)))
    stage = run(pokes, task=FreeWater, **ceiling)
    assert len(stage.valve_openings) == stage.footer["rewards"] == drops
    assert stage.footer["reason"] == reason


def test_drops_by_hand_count_against_the_ceiling() -> None:
    pokes = noses((2_000_000, "left", 50_000), (2_500_000, "left", 50_000))
    by_hand = [(at_s, lambda stage: stage.request("reward right")) for at_s in (1.0, 1.2)]
    stage = run(pokes, *by_hand, task=FreeWater, max_rewards=3)
    assert (len(stage.opened("right")), len(stage.opened("left"))) == (2, 1)
    assert stage.footer["reason"] == "reward_limit"


# --- the operator and faults ----------------------------------------------------------------------------------


def test_the_operator_ends_a_session_at_once_and_its_row_is_cut() -> None:
    stage = run(trial(2_000_000), (2.1, stop))
    assert stage.row["outcome"] == "interrupted"
    assert stage.footer["reason"] == "operator"
    assert 2_100_000 <= stage.footer["t"] < 2_110_000
    assert stage.on_at(2_099_000) == {"left.light", "right.light"}
    assert stage.on_at(2_110_000) == set()


def test_between_trials_a_stop_cuts_no_row() -> None:
    stage = run(trial(1_000_000), (2.5, stop))
    assert stage.row["outcome"] == "rewarded"


@pytest.mark.parametrize("after_us", [1_000, 10_000, 50_000, 99_000])
def test_a_drop_that_the_board_paid_while_it_was_told_to_stop_is_in_the_row(after_us: int) -> None:
    """The host has said all off, the board has not heard it yet, and a nose comes in."""
    poke = (2.3, lambda stage: stage.rig.body.enter("left"))
    stage = run(noses((2_000_000, "center", 50_000)), with_latency(0.1), (2.3 - after_us / 1e6, stop), poke)
    (opening,) = stage.valve_openings
    assert abs(opening.t_us - 2_300_000 - CONFIRM_US) <= 1
    row = stage.row
    assert (row["outcome"], row["rewarded"], row["delivered_by"], row["choice"]) == ("interrupted", 1, "board", "left")
    assert stage.footer["complete"]


def test_a_poke_after_the_board_was_told_to_stop_is_not_paid() -> None:
    poke = (2.3, lambda stage: stage.rig.body.enter("left"))
    stage = run(noses((2_000_000, "center", 50_000)), with_latency(0.1), (2.19, stop), poke)
    assert stage.valve_openings == []
    assert (stage.row["outcome"], stage.row["rewarded"]) == ("interrupted", 0)


def test_a_valve_that_is_open_at_the_end_is_shut() -> None:
    stage = run(trial(2_000_000), (2.31, stop))
    (opening,) = stage.valve_openings
    assert opening.us is not None
    assert opening.us < DROP_US


@pytest.mark.parametrize("seed", range(4))
def test_everything_up_to_the_boards_last_event_is_written_before_the_footer(seed: int) -> None:
    edges = noses(*((1_900_000 + n * 12_000, ("left", "right")[n % 2], 11_000) for n in range(30)))
    stage = run([*trial(1_000_000), *edges], (2.1, stop), how={"faults": bad_link(seed)})
    assert stage.footer["complete"]
    assert stage.footer["last_event"] >= stage.edges[-1].number
    assert [line["k"] for line in stage.journal[-2:]] == ["health", "footer"]


def test_a_hurry_waits_for_nothing_and_is_never_without_all_off() -> None:
    script = script_for(TwoArmedBandit, SURE, {"session_s": SESSION_US / 1e6})
    stage = play(script, trial(2_000_000), (2.1, lambda stage: stage.session.hurry()))
    stage.assert_replay_agrees()
    assert (stage.footer["reason"], stage.footer["complete"]) == ("operator", False)
    assert stage.row["outcome"] == "interrupted"
    assert stage.on_at(2_101_000) == set()


# --- the lease ------------------------------------------------------------------------------------------------


def test_an_expired_lease_cuts_the_trial_and_the_session_goes_on() -> None:
    stage = run([*trial(1_000_000, dwell_us=4_000_000), *trial(7_000_000)], (1.4, lambda s: s.deafen(2.5)), session_s=9)
    assert stage.faults == ["lease_expired"]
    assert [row["outcome"] for row in stage.rows] == ["interrupted", "rewarded"]
    assert [row["delivered_by"] for row in stage.rows] == ["board", "board"]
    assert (stage.footer["lease_expirations"], stage.footer["reason"]) == (1, "time_limit")


def test_when_the_lease_expires_everything_is_off() -> None:
    stage = run(noses((1_000_000, "center", 50_000)), (1.1, lambda s: s.deafen(4)), session_s=9)
    (expired,) = stage.of_kind("fault")
    assert stage.on_at(expired["t"] - 1) == {"left.light", "right.light"}
    assert stage.on_at(expired["t"] + 1) == set()
    assert expired["t"] <= 1_100_000 + 2_000_000


def test_the_third_expired_lease_ends_the_session() -> None:
    deaf = [(at_s, lambda stage: stage.deafen(2.5)) for at_s in (1.5, 6.0, 10.5)]
    stage = run(trial(1_000_000, dwell_us=15_000_000), *deaf, session_s=20)
    assert stage.faults == ["lease_expired"] * 3
    assert (stage.footer["reason"], stage.footer["lease_expirations"]) == ("fault", 3)
    assert "3 times" in stage.footer["detail"]
    assert stage.footer["t"] < 14_000_000


def test_a_board_that_resets_ends_the_session_with_its_row_cut() -> None:
    stage = run(trial(2_000_000), (2.1, lambda stage: stage.rig.board.reset()))
    assert (stage.footer["reason"], stage.faults) == ("fault", ["reset"])
    assert stage.row["outcome"] == "interrupted"


def test_an_animal_that_asks_for_the_impossible_ends_the_session_with_everything_off() -> None:
    lost = ScriptedSubject(ScriptedParams(edges=((1_000_000, "nowhere", 1),)))
    stage = play(script_for(FreeWater), model=lost)
    assert stage.footer["reason"] == "fault"
    assert "the script names the place 'nowhere'" in stage.footer["detail"]
    assert not stage.on_at(10_000_000)


def test_after_a_hurry_the_footer_still_names_the_last_event_that_was_read():
    stage = play(script_for(TwoArmedBandit), noses((2_000_000, "center", 50_000)), (2.1, lambda s: s.session.hurry()))
    assert stage.footer["last_event"] == max(line["number"] for line in stage.journal if "number" in line)


# --- the last order -------------------------------------------------------------------------------------------


def run_watched(*mishaps: Mishap, edges: list[EdgeAt] | None = None) -> tuple[Stage, list[list[str]]]:
    """A session, and of each all-off the kinds of the lines that were written when its bytes left."""
    written: list[list[str]] = []

    def arrange(stage: Stage) -> None:
        board = stage.session.board
        all_off = board.all_off

        def ordered() -> None:
            written.append([json.loads(line)["k"] for line in stage.raw])
            all_off()

        board.all_off = ordered  # type: ignore[method-assign]

    script = script_for(TwoArmedBandit, SURE, {"session_s": SESSION_US / 1e6})
    stage = play(script, trial(2_000_000) if edges is None else edges, *mishaps, arrange=arrange)
    stage.assert_replay_agrees()
    return stage, written


@pytest.mark.parametrize("mishaps", [(), ((2.1, stop),)], ids=["limit", "operator"])
def test_the_all_off_at_the_end_is_in_the_journal_before_its_bytes_leave_and_then_its_answer(mishaps: Any) -> None:
    stage, written = run_watched(*mishaps)
    (ordered,) = stage.of_kind("all_off")
    assert written[0][-1] == "all_off"
    (answer,) = stage.of_kind("all_off_done")
    assert answer["seq"] > ordered["seq"]
    assert answer["src"] == "board"
    assert answer["last_event"] == stage.footer["last_event"]
    assert ordered["batch"] == max(line["batch"] for line in stage.of_kind("command"))


def test_a_hurry_waits_for_no_line_and_is_in_the_journal_without_an_answer() -> None:
    stage, written = run_watched((2.1, lambda stage: stage.session.hurry()))
    (ordered,) = stage.of_kind("all_off")
    assert "all_off" not in written[0]
    assert 2_099_000 < ordered["t"] < 2_101_000
    assert stage.of_kind("all_off_done") == []


def test_a_fault_turns_everything_off_at_once_and_writes_it_down_then() -> None:
    stage, written = run_watched((2.1, lambda stage: stage.session.fail(RecordError("the disk is full"))))
    (ordered,) = stage.of_kind("all_off")
    assert "all_off" not in written[0]
    assert 2_099_000 < ordered["t"] < 2_101_000
    assert [line["k"] for line in stage.journal if line["seq"] == ordered["seq"] + 1] == ["fault"]


def test_a_board_that_does_not_answer_leaves_the_order_without_an_answer() -> None:
    stage, _ = run_watched((2.1, lambda stage: stage.deafen(60)), (2.2, stop))
    assert len(stage.of_kind("all_off")) == 1
    assert stage.of_kind("all_off_done") == []
    assert not stage.footer["complete"]


@pytest.mark.parametrize("after_s", [0.05, 0.25, 0.31, 0.6])
def test_a_board_that_is_cut_off_may_have_paid_and_that_is_counted_as_its_journal_counts_it(after_s: float) -> None:
    stage = play(
        script_for(TwoArmedBandit, {"p_high": 1, "p_low": 1, "allow_asymmetric": True, "iti_min_s": 0.5}),
        noses((1_000_000, "center", 100_000), (1_300_000, "left", 200_000)),
        (1 + after_s, lambda stage: stage.rig.cable.disconnect()),
    )
    assert not stage.footer["complete"]
    follower = DeliveredRewards()
    for line in stage.journal[:-1]:
        follower.take(line)
    assert stage.footer["rewards"] == follower.total.rewards == 1 >= len(stage.valve_openings)
    assert stage.footer["ul"] == follower.total.amount.ul == 2.5 == sum(row[1] for row in stage.footer["given"])
