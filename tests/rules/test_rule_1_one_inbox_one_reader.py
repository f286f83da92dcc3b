"""A wait reads forward from one cursor: what it does not ask for is passed over, what it asks for ends it."""

from __future__ import annotations

import pytest

from rig import Next, Row, Task, TaskParams, state
from tests.harness import nose_pokes, run_with_faults
from tests.rules.probe_task import SOON_US, Box, ProbeTask, noted, of_edges, run_plot
from tests.session_specs import task_spec

# --------------------------------------------------------------------------------------------------------------


class TwoPokes(Task[TaskParams, Box, Row]):
    """Left, then right."""

    @state(to=("right_next",), can_end=True)
    async def left_first(self) -> Next:
        await self.first(self.box.left.poked)
        return self.right_next

    @state(to=("done",), can_end=True)
    async def right_next(self) -> Next:
        await self.first(self.box.right.poked)
        return self.done

    @state(to=("done",), can_end=True)
    async def done(self) -> Next:
        await self.first()
        return self.done


@pytest.mark.parametrize("stalled", [False, True])
def test_two_edges_in_one_serial_read_reach_two_successive_states(stalled: bool) -> None:
    stalls = [(0.9, lambda harness: harness.stall(0.5))] if stalled else []
    edges = nose_pokes((1_000_000, "left", 30_000), (1_000_200, "right", 30_000))
    harness = run_with_faults(task_spec(TwoPokes, stop={"session_s": 3}), edges, *stalls)
    assert harness.states[1:] == [("right_next", 1_000_000), ("done", 1_000_200)]


def test_an_edge_that_is_not_asked_for_is_passed_over_and_known() -> None:
    async def plot(self: ProbeTask) -> None:
        poke = await self.first(self.box.left.poked)
        self.note(said=[poke.source, [(edge.source, edge.level) for edge in self.skipped]])
        assert await self.first(self.box.right.poked, within=1) is None

    harness = run_plot(plot, nose_pokes((1_000_000, "right", 50_000), (1_200_000, "left", 50_000)))
    assert noted(harness) == [["left", [["right", 1], ["right", 0]]]]
    assert of_edges(harness.journal)[:2] == [("right.beam", 1, 1_000_000), ("right.beam", 0, 1_050_000)]


def test_the_edge_behind_the_one_that_was_taken_is_the_next_to_be_read() -> None:
    async def plot(self: ProbeTask) -> None:
        for _ in range(4):
            edge = await self.first(self.box.left.poked, self.box.left.freed)
            self.note(said=[edge.level, edge.t_us])

    edges = nose_pokes((1_000_000, "left", 20_000), (1_100_000, "left", 20_000))
    harness = run_plot(plot, edges, (0.9, lambda harness: harness.stall(0.5)))
    assert noted(harness) == [[1, 1_000_000], [0, 1_020_000], [1, 1_100_000], [0, 1_120_000]]


def test_sleep_passes_over_everything_up_to_its_end_and_nothing_behind_it() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        await self.sleep(0.5)
        self.note(said=[edge.t_us for edge in self.skipped])
        self.note(said=(await self.first(self.box.left.poked)).t_us)

    pokes = nose_pokes((1_000_000, "center", 1_500_000), *((t_us, "left", 10_000) for t_us in (1_200_000, 1_500_001)))
    assert noted(run_plot(plot, pokes)) == [[1_200_000, 1_210_000], 1_500_001]


def test_an_edge_at_exactly_the_end_of_a_sleep_is_slept_through() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        await self.sleep(0.5)
        self.note(said=await self.first(self.box.left.poked, within=1))

    assert noted(run_plot(plot, nose_pokes((1_000_000, "center", 10_000), (1_500_000, "left", 10_000)))) == [None]


def test_first_waits_for_an_edge_and_until_is_true_at_once() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.left.poked)
        begun_us = self.now_us
        await self.until(self.box.left.busy)
        await self.until(self.box.center.free)
        self.note(said=self.now_us - begun_us)
        await self.until(self.box.left.free)
        self.note(said=self.now_us)
        await self.until(self.box.left.free)
        self.note(said=(await self.first(self.box.left.freed)).t_us)

    harness = run_plot(plot, nose_pokes((1_000_000, "left", 300_000), (2_000_000, "left", 100_000)))
    assert noted(harness) == [0, 1_300_000, 2_100_000]


def test_until_knows_the_levels_that_the_inputs_had_at_the_start() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.until(self.box.left.busy)
        self.note(said=self.now_us)

    (begun_us,) = noted(run_plot(plot, nose_pokes((1, "left", 1_000_000))))
    assert begun_us < SOON_US
