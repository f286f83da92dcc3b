from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

Patch = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    p_first: float = Field(default=1.0, ge=0, le=1, description="reward probability of the first poke in a patch")
    depletion: float = Field(default=0.8, ge=0, le=1, description="each poke multiplies the probability by this")
    handling_s: float = Field(default=0.5, ge=0.1, le=60, description="time from a poke to the next possible reward")
    travel_s: float = Field(default=4.0, ge=0.1, le=60, description="time that a change of patch takes")


@dataclass
class Box:
    left: Patch
    right: Patch


@dataclass
class Trial(TrialRow):
    patch: Annotated[str, Column("the patch of this poke")]
    poke_in_patch: Annotated[int, Column("number of the poke since the arrival at the patch, counted from 1")]
    p_reward: Annotated[float, Column("probability of reward of this poke")]


class Foraging(Task[Params, Box, Trial]):
    """Each poke lowers the reward probability of a patch. The other patch is fresh, but to reach it takes time."""

    def prepare(self) -> None:
        self.here, self.there = self.box.left, self.box.right
        self.pokes = 0

    @state(to=("handle", "travel"), can_end=True)
    async def forage(self) -> Next:
        """Wait for a poke: in this patch it may be rewarded; at the other patch it starts the travel."""
        p = self.params
        odds = p.p_first * p.depletion**self.pokes
        drop = self.here.drop(p.drop_ul) if self.stream("reward").bernoulli(odds) else NOTHING
        with self.here.light:
            poke = await self.react((self.here.poked, drop), (self.there.poked, NOTHING))
        if poke.source == self.there.name:
            return self.travel
        self.pokes += 1
        self.begin_trial(Trial(self.here.name, self.pokes, round(odds, 4)), keep_rewards=True)
        self.end_trial()
        return self.handle

    @state(to=("forage",), can_end=True)
    async def handle(self) -> Next:
        """Wait for the time that eating takes."""
        await self.sleep(self.params.handling_s)
        return self.forage

    @state(to=("forage",), can_end=True)
    async def travel(self) -> Next:
        """Wait for the travel time; then the other patch is fresh."""
        self.here, self.there = self.there, self.here
        self.pokes = 0
        await self.sleep(self.params.travel_s)
        return self.forage
