"""Edges fire reflexes, levels never; the board decides which came first, and a drop is paid exactly once."""

from __future__ import annotations

from typing import Any

import pytest

from protocols.two_armed_bandit.task import TwoArmedBandit
from rig import CANCEL
from tests.harness import Fault, FaultHarness, bad_link, nose_pokes, run_with_faults
from tests.rules.pin_trace_oracle import check_session
from tests.rules.probe_task import ProbeTask, noted, run_plot, with_latency
from tests.session_specs import CONFIRM_US, task_spec

SURE = {"p_high": 1, "q_stay": 1, "start_high_side": "left", "choice_window_s": 0.5, "iti_min_s": 0.2}
CENTER_US = 1_000_000


def trial(side_us: int, *injected: Fault, side: str = "left", **how: Any) -> FaultHarness:
    """A trial of a bandit whose left port always pays."""
    edges = nose_pokes((CENTER_US, "center", 20_000), (side_us, side, 300_000))
    harness = run_with_faults(task_spec(TwoArmedBandit, SURE, {"session_s": 3}), edges, *injected, **how)
    check_session(harness)
    return harness


async def paid_poke(self: ProbeTask, *others: Any, **how: Any) -> None:
    """From a poke at the center, the next at the left is paid."""
    with self.reflex((self.box.left.poked, self.box.left.drop(2.5)), *others):
        await self.first(self.box.left.poked, self.box.right.poked, **how)


def test_a_group_armed_over_a_broken_beam_waits_until_it_is_freed_and_broken_again() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        assert self.holds(self.box.left.busy)
        await paid_poke(self)
        self.note(said=self.now_us)

    edges = [
        (500_000, "left", 1),
        *nose_pokes((1_000_000, "center", 20_000)),
        (1_500_000, "left", 0),
        (2_000_000, "left", 1),
    ]
    harness = run_plot(plot, edges)
    assert noted(harness) == [2_000_000]
    assert harness.opened("left") == [2_000_000 + CONFIRM_US]


def test_every_edge_that_ends_the_wait_is_a_member_so_the_board_decides_which_came_first() -> None:
    """Right came first, left before the host could know: nothing is paid."""

    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        await paid_poke(self)
        self.note(said=self.skipped == [])

    edges = nose_pokes((1_000_000, "center", 20_000), (1_300_000, "right", 50_000), (1_300_200, "left", 50_000))
    harness = run_plot(plot, edges, with_latency(0.1))
    assert "arm 1: left.beam+ pulse left.valve 40000 (2.5 ul); right.beam+ nothing" in [
        order for _, order in harness.orders
    ]
    assert harness.valve_openings == []
    assert [edge.fired for edge in harness.edges if edge.level][1:] == [1, 0]


def test_a_member_that_cancels_ends_the_group() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        await paid_poke(self, (self.box.center.poked, CANCEL))

    edges = nose_pokes((1_000_000, "center", 20_000), (1_300_000, "center", 20_000), (1_400_000, "left", 50_000))
    harness = run_plot(plot, edges)
    assert harness.valve_openings == []
    assert harness.footer.rewards == 0


@pytest.mark.parametrize("gap_us", [0, 1, 99, 100, 101, 499, 500, 501, 999, 1_000, 1_001, 1_100, 1_200, 5_000, 20_000])
def test_a_choice_is_paid_exactly_once_however_soon_it_comes(gap_us: int) -> None:
    harness = trial(CENTER_US + gap_us)
    if gap_us:
        assert len(harness.valve_openings) == 1
        assert harness.row["outcome"] == "rewarded"
        assert harness.row["delivered_by"] == ("board" if gap_us > 1_100 else harness.row["delivered_by"])
    assert harness.footer.rewards == len(harness.valve_openings)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("gap_us", [700, 2_000, 12_000])
def test_a_choice_is_paid_exactly_once_on_a_bad_link(seed: int, gap_us: int) -> None:
    harness = trial(CENTER_US + gap_us, faults=bad_link(seed))
    assert len(harness.valve_openings) == 1
    assert harness.row["delivered_by"] in ("board", "host")


def test_a_reflex_that_was_left_pays_no_more() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        with self.reflex((self.box.left.poked, self.box.left.drop(2.5))):
            await self.first(self.box.center.poked)
        await self.sleep(0.1)

    edges = nose_pokes((1_000_000, "center", 20_000), (1_300_000, "center", 20_000), (1_350_000, "left", 50_000))
    assert run_plot(plot, edges).valve_openings == []
