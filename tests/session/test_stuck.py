"""An input that stays on is told after ``stuck_s``, whatever the protocol waits for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rig.core.journal.kinds import Note
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from tests.harness import FaultHarness, nose_pokes, run_harness
from tests.peck_helpers import RING, Chamber, Peck, screen_rig
from tests.session_specs import PortTask, task_spec

STOP = {"session_s": 900, "stuck_s": 120, "idle_alert_s": None, "idle_stop_s": None}


class OneEdge(PortTask):
    """Waits for one edge, and for nothing else."""

    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.first(self.box.right.poked)
        return self.wait


class OneLevel(PortTask):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.until(self.box.right.busy)
        return self.wait


class Sleeper(PortTask):
    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.sleep(850)
        return self.wait


class Patient(PortTask):
    """Has a deadline that is far away."""

    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        await self.first(self.box.right.poked, within=850)
        return self.wait


WAITS: list[type[PortTask]] = [OneEdge, OneLevel, Sleeper, Patient]


def told(harness: FaultHarness) -> list[tuple[str, str, int, int]]:
    """Every warning: what, of which input, since when, and what time it was when it was written."""
    return [
        (line.what, line.fields["channel"], line.fields["since_us"], before.t_us)
        for before, line in pairwise(harness.journal)
        if isinstance(line, Note) and line.what in ("stuck", "photodiode")
    ]


@pytest.mark.parametrize("task", WAITS)
@pytest.mark.parametrize("for_s", [289, 3_000])
def test_a_beam_that_is_broken_for_long_is_reported_after_stuck_s(task: type[PortTask], for_s: int) -> None:
    harness = run_harness(task_spec(task, stop=STOP), nose_pokes((10_000_000, "left", for_s * 1_000_000)))
    ((what, channel, since_us, at_us),) = told(harness)
    assert (what, channel, since_us) == ("stuck", "left.beam", 10_000_000)
    assert 130_000_000 <= at_us < 130_100_000
    harness.assert_replay_agrees()


@pytest.mark.parametrize("task", WAITS)
def test_an_input_that_is_on_already_when_the_session_begins_is_reported(task: type[PortTask]) -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.rig.world.set_occupied("left", True)

    harness = run_harness(task_spec(task, stop=STOP), arrange=arrange)
    ((what, channel, since_us, at_us),) = told(harness)
    assert (what, channel) == ("stuck", "left.beam")
    assert since_us < 50_000
    assert 120_000_000 <= at_us < 120_100_000


def test_a_beam_that_was_broken_for_less_is_not_told() -> None:
    harness = run_harness(task_spec(OneEdge, stop=STOP), nose_pokes((10_000_000, "left", 119_900_000)))
    assert told(harness) == []


# --- a screen -------------------------------------------------------------------------------------------------

EYE = {"eye": {"kind": "ttl_in", "pin": 2}, "other": {"kind": "ttl_in", "pin": 3}}


class Picture(Task[TaskParams, Chamber, Peck]):
    """Shows one picture and waits for a peck."""

    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        self.box.screen.show(RING)
        await self.first(self.box.screen.pecked)
        return self.wait


def watched(arrange: Callable[[FaultHarness], Any] = lambda harness: None) -> FaultHarness:
    rig = screen_rig({"patch_cm": 1, "photodiode": "eye"}, EYE)
    return run_harness(task_spec(Picture, stop=STOP, rig=rig), arrange=arrange)


def test_a_photodiode_is_not_stuck_when_the_picture_stays() -> None:
    harness = watched()
    assert ("eye.in", 1) in [(edge.channel, edge.level) for edge in harness.edges]
    assert told(harness) == []


def test_an_input_that_stays_on_beside_a_screen_is_reported() -> None:
    harness = watched(lambda harness: harness.rig.world.set_occupied("other", True))
    ((what, channel, _, at_us),) = told(harness)
    assert (what, channel) == ("stuck", "other.in")
    assert 120_000_000 <= at_us < 120_200_000


def test_a_photodiode_that_sees_no_picture_is_reported() -> None:
    def arrange(harness: FaultHarness) -> None:
        harness.rig.world.set_occupied = lambda *what: None  # type: ignore[method-assign]

    ((what, channel, _, at_us),) = told(watched(arrange))
    assert (what, channel) == ("photodiode", "eye.in")
    assert 120_000_000 <= at_us < 120_200_000
