"""A poke at the left hole gives a pellet of the rotary feeder, a poke at the right one a puff of air."""

from dataclasses import dataclass
from typing import Annotated

from puffer import Puffer
from pydantic import Field
from rotary_feeder import RotaryFeeder

from rig import Column, Next, Port, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    window_s: float = Field(default=5.0, ge=0.1, le=60, description="time to choose")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time between two trials")


@dataclass
class Box:
    left: Port
    right: Port
    wheel: RotaryFeeder
    puff: Puffer


@dataclass
class Trial(TrialRow):
    choice: Annotated[str, Column("the hole that was poked; empty after an omission")] = ""
    pellet_s: Annotated[float | None, Column("when the pellet was seen to fall")] = None


class AirPuff(Task[Params, Box, Trial]):
    """A poke at the left hole gives a pellet, a poke at the right one a puff of air."""

    @state(to=("rest", "collect"))
    async def choose(self) -> Next:
        """Let the board answer the first poke: with a pellet or with a puff."""
        left, right = self.box.left, self.box.right
        row = self.begin_trial(Trial())
        answers = ((left.poked, self.box.wheel.reward()), (right.poked, self.box.puff.puff()))
        poke = await self.react(*answers, within=self.params.window_s)
        row.choice = "" if poke is None else poke.source
        return self.collect if row.choice == left.name else self.rest

    @state(to=("rest",))
    async def collect(self) -> Next:
        """Wait for the pellet at the sensor."""
        pellet = await self.first(self.box.wheel.dropped, within=2.0)
        self.row.pellet_s = None if pellet is None else pellet.t_s
        return self.rest

    @state(to=("choose",), can_end=True)
    async def rest(self) -> Next:
        """End the trial, and wait a short time."""
        self.end_trial()
        await self.sleep(self.params.rest_s)
        return self.choose
