"""An input that stays on is told after ``stuck_s``, whatever the protocol waits for."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from tests.peck_helpers import RING, Chamber, Peck, screen_rig
from tests.support import PortTask, Stage, noses, play, script_for

STOP = {"session_s": 900, "stuck_s": 120, "idle_alert_min": None, "idle_stop_min": None}


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


def told(stage: Stage) -> list[tuple[str, str, int, int]]:
    """Every warning: what, of which input, since when, and what time it was when it was written."""
    return [
        (line["what"], line["channel"], line["since_us"], before["t"])
        for before, line in pairwise(stage.journal)
        if line["k"] == "note" and line["what"] in ("stuck", "photodiode")
    ]


@pytest.mark.parametrize("task", WAITS)
@pytest.mark.parametrize("for_s", [289, 3_000])
def test_a_beam_that_is_broken_for_long_is_told_after_stuck_s(task: type[PortTask], for_s: int) -> None:
    stage = play(script_for(task, stop=STOP), noses((10_000_000, "left", for_s * 1_000_000)))
    ((what, channel, since_us, at_us),) = told(stage)
    assert (what, channel, since_us) == ("stuck", "left.beam", 10_000_000)
    assert 130_000_000 <= at_us < 130_100_000
    stage.assert_replay_agrees()


@pytest.mark.parametrize("task", WAITS)
def test_an_input_that_is_on_already_when_the_session_begins_is_told(task: type[PortTask]) -> None:
    def arrange(stage: Stage) -> None:
        stage.rig.world.set_occupied("left", True)

    stage = play(script_for(task, stop=STOP), arrange=arrange)
    ((what, channel, since_us, at_us),) = told(stage)
    assert (what, channel) == ("stuck", "left.beam")
    assert since_us < 50_000
    assert 120_000_000 <= at_us < 120_100_000


def test_a_beam_that_was_broken_for_less_is_not_told() -> None:
    stage = play(script_for(OneEdge, stop=STOP), noses((10_000_000, "left", 119_900_000)))
    assert told(stage) == []


# --- a screen -------------------------------------------------------------------------------------------------

EYE = {"eye": {"kind": "ttl_in", "pin": 2}, "other": {"kind": "ttl_in", "pin": 3}}


class Picture(Task[TaskParams, Chamber, Peck]):
    """Shows one picture and waits for a peck."""

    @state(to=("wait",), can_end=True)
    async def wait(self) -> Next:
        self.box.screen.show(RING)
        await self.first(self.box.screen.pecked)
        return self.wait


def watched(arrange: Callable[[Stage], Any] = lambda stage: None) -> Stage:
    rig = screen_rig({"patch_cm": 1, "photodiode": "eye"}, EYE)
    return play(script_for(Picture, stop=STOP, rig=rig), arrange=arrange)


def test_a_photodiode_is_not_stuck_when_the_picture_stays() -> None:
    stage = watched()
    assert ("eye.in", 1) in [(edge.channel, edge.level) for edge in stage.edges]
    assert told(stage) == []


def test_an_input_that_stays_on_beside_a_screen_is_told() -> None:
    stage = watched(lambda stage: stage.rig.world.set_occupied("other", True))
    ((what, channel, _, at_us),) = told(stage)
    assert (what, channel) == ("stuck", "other.in")
    assert 120_000_000 <= at_us < 120_200_000


def test_a_photodiode_that_sees_no_picture_is_told() -> None:
    def arrange(stage: Stage) -> None:
        stage.rig.world.set_occupied = lambda *what: None  # type: ignore[method-assign]

    ((what, channel, _, at_us),) = told(watched(arrange))
    assert (what, channel) == ("photodiode", "eye.in")
    assert 120_000_000 <= at_us < 120_200_000
