"""Task time is the stamp of the edge that was taken, or the deadline; never "now"."""

from __future__ import annotations

import pytest

from sim_hardware.link_model import LinkFaults
from tests.harness import bad_link, nose_pokes
from tests.rules.probe_task import SOON_US, ProbeTask, noted, run_plot, with_latency

Link = tuple[LinkFaults, float]
LINKS: dict[str, Link] = {
    "at once": (LinkFaults(latency_s=0.0), 0.0),
    "good": (LinkFaults(), 0.0005),
    "slow": (LinkFaults(), 0.3),
    "jitter": (LinkFaults(jitter_s=0.05, seed=3), 0.0005),
    "damage": (bad_link(4), 0.001),
}
"""What ails the cable, and its latency once the board is open."""


@pytest.fixture(params=LINKS.values(), ids=LINKS.keys())
def link(request: pytest.FixtureRequest) -> Link:
    return request.param


def test_after_an_edge_it_is_the_stamp_of_the_edge(link: Link) -> None:
    async def plot(self: ProbeTask) -> None:
        poke = await self.first(self.box.left.poked)
        self.note(said=[poke.t_us, self.now_us, self.now_s])

    harness = run_plot(plot, nose_pokes((1_234_567, "left", 50_000)), with_latency(link[1]), faults=link[0])
    assert noted(harness) == [[1_234_567, 1_234_567, 1.234567]]


def test_deadlines_follow_each_other_without_a_gap(link: Link) -> None:
    async def plot(self: ProbeTask) -> None:
        begun_us = (await self.first(self.box.center.poked)).t_us
        for _ in range(10):
            await self.first(self.box.left.poked, within=0.1)
            self.note(said=self.now_us - begun_us)

    harness = run_plot(
        plot, nose_pokes((1_000_000, "center", 50_000)), with_latency(link[1]), faults=link[0], session_s=3
    )
    assert noted(harness) == [100_000 * n for n in range(1, 11)]


def test_a_third_of_a_second_is_a_whole_number_of_microseconds(link: Link) -> None:
    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        for _ in range(3):
            await self.sleep(1 / 3)
        self.note(said=self.now_us)

    harness = run_plot(plot, nose_pokes((1_000_000, "center", 50_000)), with_latency(link[1]), faults=link[0])
    assert noted(harness) == [1_999_999]


def test_an_edge_of_before_the_deadline_that_is_read_after_it_does_not_turn_time_back() -> None:
    """``sleep`` asks for nothing, so what it passed over is gone; time stands where the sleep ended."""

    async def plot(self: ProbeTask) -> None:
        await self.first(self.box.center.poked)
        times = []
        for _ in range(4):
            await self.sleep(0.1)
            times.append(self.now_us)
        self.note(said=times)

    edges = nose_pokes(*((1_000_000 + n * 33_333, "center" if n == 0 else "left", 10_000) for n in range(12)))
    (times,) = noted(run_plot(plot, edges, (1.05, lambda harness: harness.stall(0.3))))
    assert times == [1_100_000, 1_200_000, 1_300_000, 1_400_000]


def test_a_session_begins_at_the_boards_first_answer() -> None:
    harness = run_plot(ProbeTask.over, session_s=1)
    (_, begun_us), *_ = harness.states
    assert begun_us == harness.of_kind("time")[0]["t"] < SOON_US
