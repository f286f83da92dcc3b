"""A hopper in the world, with the firmware and without: how long it is up, who eats, and what is journaled."""

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from rig.core.model.events import Edge
from rig.core.model.rows import Row
from rig.core.task.states import Next, state
from rig.core.task.task import Task, TaskParams
from rig.devices import Hopper, Houselight, Needs, Touchscreen
from sim_hardware.models.base import Model
from sim_hardware.world.body import Body, hopper_down, hopper_up, light, shown
from tests.avr_tools import need_avr_tools
from tests.chip_outputs import watch_outputs
from tests.harness import FaultHarness, run_harness
from tests.peck_helpers import RING, screen_rig
from tests.session_specs import task_spec

UP_S = 3.0
CHAMBER = {
    "hopper": {"kind": "hopper", "pin": 6, "light": 7, "beam": 8},
    "houselight": {"kind": "houselight", "pin": 9},
}


@dataclass
class Chamber:
    """A pigeon's chamber."""

    screen: Touchscreen
    hopper: Annotated[Hopper, Needs("light", "beam")]
    houselight: Houselight


@dataclass
class Meal(Row):
    """One meal."""

    up_us: int = 0
    access_us: int = 0


class Feeding(Task[TaskParams, Chamber, Meal]):
    """Every peck on the ring is fed."""

    def prepare(self) -> None:
        self.box.houselight.on()
        self.box.screen.show(RING)

    @state(to=("peck",), can_end=True)
    async def peck(self) -> Next:
        """Feed for a peck."""
        peck = await self.first(self.box.screen.pecked)
        if not peck.on:
            return self.peck
        row = self.begin_trial(Meal(up_us=self.now_us))
        self.box.screen.clear()
        self.box.hopper.feed(UP_S)
        await self.sleep(UP_S)
        row.access_us = self.box.hopper.access_us(self.skipped, row.up_us, self.now_us)
        self.box.screen.show(RING)
        self.end_trial()
        return self.peck


class Eater(Model):
    """Pecks, eats from half a second after the hopper is up until it is down, and remembers for how long."""

    def __init__(self) -> None:
        self.eaten_s: list[float] = []

    async def live(self, body: Body) -> None:
        await body.wait_for(light("houselight").on)
        while True:
            await body.wait_for(shown("disk0").on)
            await body.wait(0.5)
            body.peck(RING.items[0].x_cm, RING.items[0].y_cm)
            await body.wait_for(hopper_up())
            await body.wait(0.5)
            assert body.light_on("hopper")
            body.enter("hopper")
            await body.wait_for(hopper_down())
            await body.wait(0.1)
            body.leave("hopper")
            self.eaten_s.append(body.consume("hopper"))


def fed(model: Model, session_s: float = 14, max_access_s: float | None = None, **settings: Any) -> FaultHarness:
    stop = {"session_s": session_s, **({} if max_access_s is None else {"max_access_s": max_access_s})}
    harness = run_harness(task_spec(Feeding, stop=stop, rig=screen_rig(devices=CHAMBER)), model=model, **settings)
    assert harness.error is None
    harness.assert_replay_agrees()
    return harness


def test_a_bird_eats_while_the_hopper_is_up_and_its_head_is_in_it() -> None:
    eater = Eater()
    harness = fed(eater)
    assert len(eater.eaten_s) >= 3
    assert eater.eaten_s == pytest.approx([UP_S - 0.5] * len(eater.eaten_s), abs=0.01)
    assert [row["access_us"] / 1e6 for row in harness.rows[:3]] == pytest.approx(eater.eaten_s[:3], abs=0.01)
    entries = [line for line in harness.of_kind(Edge) if line.channel == "hopper.beam"]
    assert [line.level for line in entries[:4]] == [1, 0, 1, 0]
    assert harness.outcome is not None
    assert harness.outcome.access_s == pytest.approx(UP_S * harness.outcome.rewards)
    assert harness.journal[-1].access_s == harness.outcome.access_s


def test_a_session_ends_at_its_limit_of_seconds() -> None:
    harness = fed(Eater(), session_s=600, max_access_s=10)
    assert harness.outcome is not None
    assert (harness.outcome.reason, harness.outcome.access_s) == ("reward_limit", 9.0)


def test_on_the_firmware_the_hopper_is_up_for_three_seconds_to_the_millisecond_and_so_is_its_lamp() -> None:
    need_avr_tools()
    at_s: dict[str, list[float]] = {}

    def listen(harness: FaultHarness) -> None:
        watch_outputs(harness, lambda output, changed_s, value: at_s.setdefault(output, []).append(changed_s))

    harness = fed(Eater(), board="avr", arrange=listen)
    assert harness.outcome is not None
    assert harness.outcome.rewards >= 3
    for changes in (at_s["hopper.hopper"], at_s["hopper.light"]):
        ups = [down - up for up, down in zip(changes[::2], changes[1::2], strict=True)]
        assert ups == pytest.approx([UP_S] * harness.outcome.rewards, abs=0.001)
    assert at_s["hopper.light"] == pytest.approx(at_s["hopper.hopper"], abs=0.001)
