"""Edges that come when no wait is open, or too late, or while something else ends the wait."""

from __future__ import annotations

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig.core.model.events import BoardTime
from rig.core.task.states import Next, state
from sim_hardware.link_model import LinkFaults
from tests.harness import EdgeAt, FaultHarness, nose_pokes, run_with_faults
from tests.rules.pin_trace_oracle import check_session
from tests.session_specs import PortTask, nose_ports, task_spec


class Windows(PortTask):
    """After a poke at the center, four windows of 100 ms for a poke at the left or a nose that leaves the right."""

    @state(to=("here",), can_end=True)
    async def here(self) -> Next:
        await self.first(self.box.center.poked)
        for _ in range(4):
            edge = await self.first(self.box.left.poked, self.box.right.freed, within=0.1)
            self.log.append((edge and edge.channel, self.now_us, len(self.skipped)))
        return self.here


def test_edges_too_late_for_one_wait_are_the_next_ones_in_their_order() -> None:
    edges = [(900_000, "right", 1), (1_000_000, "center", 1), (1_100_001, "right", 0), (1_150_000, "left", 1)]
    harness = run_with_faults(task_spec(Windows), edges, (1.05, lambda harness: harness.stall(1.0)))
    assert harness.log == [
        (None, 1_100_000, 0),
        ("right.beam", 1_100_001, 0),
        ("left.beam", 1_150_000, 0),
        (None, 1_250_000, 0),
    ]
    harness.assert_replay_agrees()


def test_what_was_put_aside_is_passed_over_when_a_slower_beam_still_reports_an_edge_in_time() -> None:
    # A beam's clearing is reported at once, its breaking only after 20 ms of confirmation.
    rig = nose_ports(beam_min_on_us=20_000, beam_lockout_us=1_000)
    edges = [(500_000, "right", 1), (1_000_000, "center", 1), (1_099_000, "left", 1), (1_101_000, "right", 0)]
    harness = run_with_faults(task_spec(Windows, rig=rig), edges)
    assert [edge.t_us for edge in harness.edges[2:]] == [1_101_000, 1_099_000]
    assert harness.log[:2] == [("left.beam", 1_099_000, 1), (None, 1_199_000, 0)]
    harness.assert_replay_agrees()


@pytest.mark.parametrize(("left_us", "in_time"), [(1_100_000, True), (1_100_001, False)])
def test_a_beam_that_is_being_confirmed_at_the_deadline_holds_the_boards_answer_back(
    left_us: int, in_time: bool
) -> None:
    rig = nose_ports(beam_min_on_us=20_000)
    harness = run_with_faults(task_spec(Windows, rig=rig), [(1_000_000, "center", 1), (left_us, "left", 1)])
    assert harness.log[0] == (("left.beam", left_us, 0) if in_time else (None, 1_100_000, 0))


def test_a_beam_that_flickers_over_the_deadline_does_not_hold_it_back_for_ever() -> None:
    flicker: list[EdgeAt] = [(1_080_000 + 60 * n, "right", 1 - n % 2) for n in range(1_000)]
    harness = run_with_faults(task_spec(Windows), [(1_000_000, "center", 1), *flicker])
    assert harness.log[0][:2] == (None, 1_100_000)


@pytest.mark.parametrize("seconds", [0.0, 0.3, 0.9, 1.4])
@pytest.mark.parametrize(("left_us", "in_time"), [(2_100_000, True), (2_100_001, False)])
def test_a_link_that_changes_its_delay_in_the_middle_of_a_wait_moves_nothing(
    seconds: float, left_us: int, in_time: bool
) -> None:
    edges: list[EdgeAt] = [(2_000_000, "center", 1), (left_us, "left", 1)]
    harness = run_with_faults(task_spec(Windows), edges, (2.05, lambda harness: harness.delay(seconds)))
    assert harness.log[0] == (("left.beam", left_us, 0) if in_time else (None, 2_100_000, 0))


def test_a_host_that_is_wrong_about_the_boards_clock_asks_in_vain_and_asks_again() -> None:
    def believe(harness: FaultHarness) -> None:
        clock = harness.session.board._time  # type: ignore[attr-defined]
        clock._offset_s -= 0.05
        clock._best_trip_s = 0.0

    harness = run_with_faults(task_spec(Windows), [(2_000_000, "center", 1)], (1.95, believe))
    assert harness.log[0] == (None, 2_100_000, 0)
    answers = [line.t_us for line in harness.of_kind(BoardTime) if 2_000_000 < line.t_us < 2_140_000]
    assert len(answers) > 20
    assert sum(t_us > 2_100_000 for t_us in answers) <= 1 + sum(t_us > 2_110_000 for t_us in answers)


def test_sleeping_and_waiting_for_no_time_end_where_they_began() -> None:
    class Short(PortTask):
        @state(to=("here",), can_end=True)
        async def here(self) -> Next:
            await self.first(self.box.center.poked)
            await self.sleep(0)
            self.log.append(self.now_us)
            self.log.append(await self.first(self.box.left.poked, within=0.0))
            self.log.append(self.now_us)
            return self.here

    edges = [(1_000_000, "center", 1), (1_000_000, "left", 1)]
    assert run_with_faults(task_spec(Short), edges).log == [1_000_000, None, 1_000_000]


QUICK = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "choice_window_s": 0.1, "iti_min_s": 0.02}


def test_edges_of_before_an_expired_lease_begin_no_trial_after_it() -> None:
    """They were put aside for the wait that the lease has ended, and are behind the cursor then."""
    edges = nose_pokes((1_940_000, "center", 10_000), (2_000_000, "left", 15_000), (2_080_000, "center", 5_000))
    edges += nose_pokes((2_084_000, "left", 30_000), (6_000_000, "center", 10_000), (6_050_000, "left", 50_000))

    def silence(harness: FaultHarness) -> None:
        harness.stall(2.5)
        harness.block_input(2.5)

    harness = run_with_faults(task_spec(TwoArmedBandit, QUICK), edges, (1.93, silence))
    check_session(harness)
    assert [row["t_center_in"] for row in harness.rows] == [1.94, 6.0]
    assert [row["delivered_by"] for row in harness.rows] == ["refused", "board"]
    assert harness.opened("left") == [6_050_100]


@pytest.mark.parametrize("latency_s", [0.0, 0.003, 0.05])
def test_bursts_of_edges_microseconds_apart_are_all_on_record_and_judged_alike(latency_s: float) -> None:
    burst: list[EdgeAt] = []
    for n in range(60):
        at_us = 1_000_000 + 6_000 * n
        burst += [(at_us + 3 * k, place, 1 - n % 2) for k, place in enumerate(("right", "center", "left"))]
    harness = run_with_faults(task_spec(TwoArmedBandit, QUICK), burst, faults=LinkFaults(latency_s=latency_s))
    check_session(harness)
    assert len(harness.edges) == len(burst)
