"""A wait reads forward from one cursor: what it does not ask for is passed over, what it asks for ends it."""

from __future__ import annotations

import pytest

from rig import Next, Row, Task, TaskParams, state
from tests.harness import nose_pokes, run_with_faults
from tests.rules.probe_task import SOON_US, Box, ProbeTask, noted, run_plot
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


def test_until_knows_the_levels_that_the_inputs_had_at_the_start() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.until(self.box.left.busy)
        self.note(said=self.now_us)

    (begun_us,) = noted(run_plot(plot, nose_pokes((1, "left", 1_000_000))))
    assert begun_us < SOON_US
