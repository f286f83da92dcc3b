"""All off, then the board's last word; everything up to it is written and credited before the footer."""

from __future__ import annotations

from typing import Any

import pytest

from protocols.free_water.task import FreeWater
from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.errors import RecordError
from rig.core.journal.delivered import DeliveredRewards
from rig.core.journal.kinds import FAULTS, AllOff, AllOffDone, Command, SessionLine
from rig.core.model.events import BoardTime
from rig.core.model.line import kind_of
from sim_hardware.models.scripted import ScriptedParams, ScriptedSubject
from tests.harness import EdgeAt, Fault, FaultHarness, bad_link, nose_pokes, run_with_faults
from tests.rules.pin_trace_oracle import check_session
from tests.rules.probe_task import with_latency
from tests.session_specs import CONFIRM_US, task_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "choice_window_s": 2, "iti_min_s": 0.2}
SESSION_US = 4_000_000


def run(
    edges: list[EdgeAt], *injected: Fault, task: Any = TwoArmedBandit, how: Any = None, **stop: Any
) -> FaultHarness:
    """A session of four seconds, held against everything that is promised."""
    params = SURE if task is TwoArmedBandit else {"pause_s": 0.1}
    script = task_spec(task, params, {"session_s": SESSION_US / 1e6, "grace_s": 1, **stop})
    harness = run_with_faults(script, edges, *injected, **(how or {}))
    check_session(harness)
    if harness.footer.complete:
        delivered = [line.amount for line in harness.rewards if line.status == "delivered"]
        assert sum(delivered) == 2.5 * len(harness.valve_openings)
    return harness


def trial(at_us: int, side: str = "left", dwell_us: int = 200_000) -> list[EdgeAt]:
    return nose_pokes((at_us, "center", 50_000), (at_us + 300_000, side, dwell_us))


def stop(harness: FaultHarness) -> None:
    harness.request("stop")


# --- limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("latency_s", [0.0005, 0.2])
def test_at_rest_a_session_ends_at_its_limit_by_the_boards_clock(latency_s: float) -> None:
    harness = run(trial(1_000_000), with_latency(latency_s))
    assert harness.states[-1][0] == "ready"
    assert (harness.footer.reason, harness.footer.t_us) == ("time_limit", SESSION_US)
    assert harness.of_kind(BoardTime)[-1].t_us > SESSION_US


# --- the operator and faults ----------------------------------------------------------------------------------


@pytest.mark.parametrize("after_us", [1_000, 10_000, 50_000, 99_000])
def test_a_drop_that_the_board_paid_while_it_was_told_to_stop_is_in_the_row(after_us: int) -> None:
    """The host has said all off, the board has not heard it yet, and a nose comes in."""
    poke = (2.3, lambda harness: harness.rig.body.enter("left"))
    harness = run(nose_pokes((2_000_000, "center", 50_000)), with_latency(0.1), (2.3 - after_us / 1e6, stop), poke)
    (opening,) = harness.valve_openings
    assert abs(opening.t_us - 2_300_000 - CONFIRM_US) <= 1
    row = harness.row
    assert (row["outcome"], row["rewarded"], row["delivered_by"], row["choice"]) == ("interrupted", 1, "board", "left")
    assert harness.footer.complete


@pytest.mark.parametrize("seed", range(4))
def test_everything_up_to_the_boards_last_event_is_written_before_the_footer(seed: int) -> None:
    edges = nose_pokes(*((1_900_000 + n * 12_000, ("left", "right")[n % 2], 11_000) for n in range(30)))
    harness = run([*trial(1_000_000), *edges], (2.1, stop), how={"faults": bad_link(seed)})
    assert harness.footer.complete
    assert harness.footer.last_event >= harness.edges[-1].number
    assert [kind_of(line) for line in harness.journal[-2:]] == ["health", "footer"]


def test_an_immediate_stop_waits_for_nothing_and_is_never_without_all_off() -> None:
    script = task_spec(TwoArmedBandit, SURE, {"session_s": SESSION_US / 1e6})
    harness = run_with_faults(script, trial(2_000_000), (2.1, lambda harness: harness.session.stop_now()))
    harness.assert_replay_agrees()
    assert (harness.footer.reason, harness.footer.complete) == ("operator", False)
    assert harness.row["outcome"] == "interrupted"
    assert harness.on_at(2_101_000) == set()


# --- the lease ------------------------------------------------------------------------------------------------


def test_when_the_lease_expires_everything_is_off() -> None:
    harness = run(nose_pokes((1_000_000, "center", 50_000)), (1.1, lambda s: s.block_input(4)), session_s=9)
    (expired,) = harness.of_kind(*FAULTS)
    assert harness.on_at(expired.t_us - 1) == {"left.light", "right.light"}
    assert harness.on_at(expired.t_us + 1) == set()
    assert expired.t_us <= 1_100_000 + 2_000_000


def test_an_animal_that_asks_for_the_impossible_ends_the_session_with_everything_off() -> None:
    lost = ScriptedSubject(ScriptedParams(edges=((1_000_000, "nowhere", 1),)))
    harness = run_with_faults(task_spec(FreeWater), model=lost)
    assert harness.footer.reason == "fault"
    assert "the script names the place 'nowhere'" in harness.footer.detail
    assert not harness.on_at(10_000_000)


def test_after_an_immediate_stop_the_footer_still_names_the_last_event_that_was_read():
    harness = run_with_faults(
        task_spec(TwoArmedBandit), nose_pokes((2_000_000, "center", 50_000)), (2.1, lambda s: s.session.stop_now())
    )
    assert harness.footer.last_event == max(line.number for line in harness.journal if hasattr(line, "number"))


# --- the last order -------------------------------------------------------------------------------------------


Kinds = list[list[type[SessionLine]]]


def run_watched(*injected: Fault, edges: list[EdgeAt] | None = None) -> tuple[FaultHarness, Kinds]:
    """A session, and of each all-off the kinds of the lines that were written when its bytes left."""
    written: Kinds = []

    def arrange(harness: FaultHarness) -> None:
        board = harness.session.board
        all_off = board.all_off

        def ordered() -> None:
            written.append([type(line) for line in harness.journal])
            all_off()

        board.all_off = ordered  # type: ignore[method-assign]

    script = task_spec(TwoArmedBandit, SURE, {"session_s": SESSION_US / 1e6})
    harness = run_with_faults(script, trial(2_000_000) if edges is None else edges, *injected, arrange=arrange)
    harness.assert_replay_agrees()
    return harness, written


@pytest.mark.parametrize("injected", [(), ((2.1, stop),)], ids=["limit", "operator"])
def test_the_all_off_at_the_end_is_in_the_journal_before_its_bytes_leave_and_then_its_answer(injected: Any) -> None:
    harness, written = run_watched(*injected)
    (ordered,) = harness.of_kind(AllOff)
    assert written[0][-1] is AllOff
    (answer,) = harness.of_kind(AllOffDone)
    assert harness.journal.index(answer) > harness.journal.index(ordered)
    assert answer.src == "board"
    assert answer.last_event == harness.footer.last_event
    assert ordered.batch == max(line.batch for line in harness.of_kind(Command))


def test_an_immediate_stop_waits_for_no_line_and_is_in_the_journal_without_an_answer() -> None:
    harness, written = run_watched((2.1, lambda harness: harness.session.stop_now()))
    (ordered,) = harness.of_kind(AllOff)
    assert AllOff not in written[0]
    assert 2_099_000 < ordered.t_us < 2_101_000
    assert harness.of_kind(AllOffDone) == []


def test_a_fault_turns_everything_off_at_once_and_writes_it_down_then() -> None:
    harness, written = run_watched((2.1, lambda harness: harness.session.fail(RecordError("the disk is full"))))
    (ordered,) = harness.of_kind(AllOff)
    assert AllOff not in written[0]
    assert 2_099_000 < ordered.t_us < 2_101_000
    assert isinstance(harness.journal[harness.journal.index(ordered) + 1], FAULTS)


def test_a_board_that_does_not_answer_leaves_the_order_without_an_answer() -> None:
    harness, _ = run_watched((2.1, lambda harness: harness.block_input(60)), (2.2, stop))
    assert len(harness.of_kind(AllOff)) == 1
    assert harness.of_kind(AllOffDone) == []
    assert not harness.footer.complete


@pytest.mark.parametrize("after_s", [0.05, 0.25, 0.31, 0.6])
def test_a_board_that_is_cut_off_may_have_paid_and_that_is_counted_as_its_journal_counts_it(after_s: float) -> None:
    harness = run_with_faults(
        task_spec(TwoArmedBandit, {"p_high": 1, "p_low": 1, "allow_asymmetric": True, "iti_min_s": 0.5}),
        nose_pokes((1_000_000, "center", 100_000), (1_300_000, "left", 200_000)),
        (1 + after_s, lambda harness: harness.rig.cable.disconnect()),
    )
    assert not harness.footer.complete
    follower = DeliveredRewards()
    for line in harness.journal[:-1]:
        follower.take(line)
    assert harness.footer.rewards == follower.total.rewards == 1 >= len(harness.valve_openings)
    assert harness.footer.ul == follower.total.amount.ul == 2.5 == sum(row[1] for row in harness.footer.given)
