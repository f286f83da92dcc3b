from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, AnalogInput, Column, Light, Next, OneOf, RewardVolume, Task, TaskParams, TrialRow, Valve, state


class Params(TaskParams):
    push_s: float = Field(default=5.0, ge=0.1, le=60, description="time to push, from the light")
    drop_ul: RewardVolume = Field(default=4.0, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a push before the next light")


@dataclass
class Box:
    x: AnalogInput
    y: AnalogInput
    x_light: Light
    y_light: Light
    spout: Valve


@dataclass
class Trial(TrialRow):
    lit: Annotated[str, OneOf("x", "y"), Column("the axis whose light was on")]
    pushed: Annotated[str, OneOf("x", "y", ""), Column("the axis that was pushed; empty without a push")] = ""
    latency_s: Annotated[float | None, Column("time from the light to the push; empty without a push")] = None


class Joystick(Task[Params, Box, Trial]):
    """A light says along which axis to push the joystick. A push beyond the limit within the time gives a drop."""

    @property
    def is_pushed(self) -> bool:
        """Whether the joystick is pushed along an axis."""
        return any(self.holds(axis.high("pushed")) for axis in (self.box.x, self.box.y))

    @state(to=("push",), can_end=True)
    async def rest(self) -> Next:
        """Wait until no axis was pushed for a while; each push and each release begins this time again."""
        axes = self.box.x, self.box.y
        edges = [edge for axis in axes for edge in (axis.rose("pushed"), axis.fell("pushed"))]
        while await self.first(*edges, within=self.params.rest_s) or self.is_pushed:
            pass
        return self.push

    @state(to=("rest",))
    async def push(self) -> Next:
        """Switch the light of an axis on; the board gives the drop for a push along it."""
        p, box, light_s = self.params, self.box, self.now_s
        is_x = self.stream("axis").bernoulli(0.5)
        good, bad, light = (box.x, box.y, box.x_light) if is_x else (box.y, box.x, box.y_light)
        row = self.begin_trial(Trial(good.name))
        answers = (good.rose("pushed"), box.spout.drop(p.drop_ul)), (bad.rose("pushed"), NOTHING)
        with light:
            push = await self.react(*answers, within=p.push_s)
        if push:
            row.pushed, row.latency_s = push.source, push.after_s(light_s)
        else:
            row.outcome = "omission"
        self.end_trial()
        return self.rest
