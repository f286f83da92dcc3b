from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, OneOf, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next light")
    time_out_s: float = Field(default=5.0, ge=0.1, le=60, description="the same after an error")


@dataclass
class Box:
    left: Side
    right: Side


@dataclass
class Trial(TrialRow):
    lit: Annotated[str, OneOf("left", "right"), Column("the lit side")]
    choice: Annotated[str, OneOf("", "left", "right"), Column("the side that was poked")] = ""
    latency_s: Annotated[float | None, Column("time from the light to the poke")] = None


class TimeOut(Task[Params, Box, Trial]):
    """A poke at the dark side starts a time-out. Each poke during the time-out starts it again."""

    @state(to=("pause", "time_out"), can_end=True)
    async def choose(self) -> Next:
        """Switch the light of one side on; a poke there is rewarded."""
        left, right = self.box.left, self.box.right
        lit, dark = (left, right) if self.stream("side").bernoulli(0.5) else (right, left)
        lit_s = self.now_s
        with lit.light:
            poke = await self.react((lit.poked, lit.drop(self.params.drop_ul)), (dark.poked, NOTHING))
        self.begin_trial(Trial(lit.name, poke.source, poke.after_s(lit_s)), keep_rewards=True)
        self.end_trial()
        return self.pause if poke.source == lit.name else self.time_out

    @state(to=("choose",), can_end=True)
    async def pause(self) -> Next:
        """Wait a short time after a reward."""
        await self.quiet(self.params.rest_s, self.box.left, self.box.right)
        return self.choose

    @state(to=("choose",), can_end=True)
    async def time_out(self) -> Next:
        """Wait a long time after an error."""
        await self.quiet(self.params.time_out_s, self.box.left, self.box.right)
        return self.choose
