"""The board's answer comes behind every edge of before; silence is a lost link, and never a time-out."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from rig.core.journal.kinds import Note
from rig.core.model.events import BoardTime
from tests.harness import FaultHarness, nose_pokes
from tests.rules.probe_task import ProbeTask, noted, run_plot

DEADLINE_US = 1_500_000


async def half_a_second_for_left(self: ProbeTask) -> None:
    """From a poke at the center; then whatever comes."""
    await self.first(self.box.center.poked)
    poke = await self.first(self.box.left.poked, within=0.5)
    self.note(said=None if poke is None else poke.t_us)
    self.note(said=self.now_us)


def left_at(t_us: int, *injected: Any, **how: Any) -> FaultHarness:
    edges = nose_pokes((1_000_000, "center", 100_000), (t_us, "left", 100_000))
    return run_plot(half_a_second_for_left, edges, *injected, **how)


@pytest.mark.parametrize("ppm", [-20_000, 0, 20_000])
def test_a_deadline_is_believed_only_when_the_boards_clock_says_it_has_passed(ppm: int) -> None:
    def drift(harness: FaultHarness) -> None:
        harness.rig.board.ticks._per_s *= 1 + ppm / 1e6

    harness = run_plot(half_a_second_for_left, nose_pokes((1_000_000, "center", 100_000)), arrange=drift)
    center_us, _ = (edge.t_us for edge in harness.edges)
    assert noted(harness) == [None, center_us + 500_000]
    notes = [line for line in harness.of_kind(Note, BoardTime) if isinstance(line, BoardTime) or "said" in line.fields]
    believed = notes[[type(line) for line in notes].index(Note) - 1]
    assert isinstance(believed, BoardTime)
    assert believed.t_us > center_us + 500_000


@pytest.mark.parametrize("late_us", [-1, 0])
def test_an_answer_that_is_not_later_than_the_deadline_is_asked_for_again(late_us: int) -> None:
    """A host that believes the board to be ahead of itself asks too early."""

    def hasty(harness: FaultHarness) -> None:
        asker = harness.session.board._time_query
        true = asker._board_clock
        asker._board_clock = SimpleNamespace(loop_time=lambda t_us: true.loop_time(t_us) - 0.01)

    harness = left_at(DEADLINE_US + late_us, (0.9, hasty))
    early = [line.t_us for line in harness.of_kind(BoardTime) if 1_200_000 < line.t_us <= DEADLINE_US]
    assert early
    assert noted(harness) == [DEADLINE_US + late_us] * 2


@pytest.mark.parametrize("fault", ["silence", "unplugged"])
def test_silence_is_a_lost_link_and_never_a_time_out(fault: str) -> None:
    def inject(harness: FaultHarness) -> None:
        if fault == "unplugged":
            harness.rig.cable.disconnect()
        else:
            harness.stall(60)
            harness.block_input(60)

    harness = run_plot(
        half_a_second_for_left, nose_pokes((1_000_000, "center", 100_000)), (1.2, inject), session_s=30, t_max=200
    )
    assert noted(harness) == []
    assert harness.faults[-1] == "link_lost"
    assert (harness.footer.reason, harness.footer.complete) == ("fault", False)
