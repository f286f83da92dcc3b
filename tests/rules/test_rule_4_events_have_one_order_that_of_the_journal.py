"""Events come in the board's own order, those of the host where they arrive; stamps never reorder."""

from __future__ import annotations

import pytest

from rig.core.model.events import Edge, Request
from rig.core.model.line import kind_of
from tests.harness import FaultHarness, bad_link, nose_pokes
from tests.rules.probe_task import ProbeTask, noted, of_edges, run_plot

PLACES = ("left", "center", "right")


async def three_edges(self: ProbeTask) -> None:
    ports = (self.box.right, self.box.center, self.box.left)
    for _ in ports:
        self.note(said=(await self.first(*(port.poked for port in ports))).source)


@pytest.mark.parametrize("seed", range(4))
def test_a_bad_link_changes_neither_the_order_nor_the_stamps(seed: int) -> None:
    edges = nose_pokes(*((1_000_000 + n * 7_001, PLACES[n % 3], 6_000) for n in range(60)))
    good = run_plot(three_edges, edges, session_s=3)
    bad = run_plot(three_edges, edges, session_s=3, faults=bad_link(seed))
    assert of_edges(bad.journal) == of_edges(good.journal)
    numbers = [edge.number for edge in bad.edges]
    assert numbers == sorted(set(numbers))
    assert noted(bad) == noted(good)


def test_what_the_operator_asks_for_stands_where_it_arrived() -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.left.poked)

    def press(harness: FaultHarness) -> None:
        harness.request("reward left")

    harness = run_plot(plot, nose_pokes((1_000_000, "left", 50_000)), (1.2, press), (0.5, press), session_s=2)
    kinds = [(kind_of(line), line.t_us // 10_000) for line in harness.of_kind(Edge, Request)]
    assert kinds == [("request", 50), ("edge", 100), ("edge", 105), ("request", 120)]
