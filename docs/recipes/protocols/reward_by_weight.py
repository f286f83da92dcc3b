from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Needs, Next, NotReadyError, Port, RewardVolume, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    ul_per_g: float = Field(default=0.12, gt=0, le=1, description="volume of a drop for each gram of the animal")
    light_pct: float = Field(default=82.0, ge=0, le=100, description="at less of its baseline it gets the largest drop")
    largest_ul: RewardVolume = Field(default=4.0, description="volume of the largest drop")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next drop")


@dataclass
class Box:
    left: Annotated[Port, Needs("light", "valve")]
    right: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(TrialRow):
    side: Annotated[str, Column("the side of this animal")]
    drop_ul: Annotated[RewardVolume, Column("volume that was delivered")] = 0.0


class RewardByWeight(Task[Params, Box, Trial]):
    """A heavy animal gets larger drops than a light one. Animals with an odd number are rewarded at the left side."""

    def prepare(self) -> None:
        p, animal = self.params, self.subject
        if animal.weight_g is None or animal.number is None:
            raise NotReadyError(f"{animal.name} needs a weight, and a number at the end of its name")
        self.side = self.box.left if animal.number % 2 else self.box.right
        self.drop_ul = min(p.largest_ul, p.ul_per_g * animal.weight_g)
        if animal.weight_pct is not None and animal.weight_pct < p.light_pct:
            self.drop_ul = p.largest_ul

    @state(to=("rest",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a poke at the animal's own side, and give a drop for it."""
        with self.side.light:
            await self.react((self.side.poked, self.side.drop(self.drop_ul)))
        self.begin_trial(Trial(side=self.side.name), keep_rewards=True)
        self.end_trial()
        return self.rest

    @state(to=("ready",), can_end=True)
    async def rest(self) -> Next:
        """Wait until the animal has not poked for a while."""
        await self.quiet(self.params.rest_s, self.side)
        return self.ready
