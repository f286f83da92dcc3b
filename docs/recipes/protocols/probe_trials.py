from contextlib import nullcontext
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    every_trials: int = Field(default=10, ge=2, le=1000, description="trials in a block, one of them a probe trial")
    training_trials: int = Field(default=20, ge=0, le=10_000, description="trials before the first block")
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next trial")


@dataclass
class Box:
    left: Side
    right: Side


@dataclass
class Trial(TrialRow):
    probe: Annotated[int, Column("1 in a probe trial")]
    lit: Annotated[str, Column("the lit side; both in a probe trial")]
    choice: Annotated[str, Column("the side that was poked")]


class ProbeTrials(Task[Params, Box, Trial]):
    """Each block has one probe trial: both sides are lit, and neither is rewarded. The choice shows a preference."""

    def prepare(self) -> None:
        self.kinds = [False] * self.params.training_trials

    @state(to=("pause",), can_end=True)
    async def choose(self) -> Next:
        """Wait for a poke: the lit side is rewarded; in a probe trial both are lit and neither is rewarded."""
        left, right, every = self.box.left, self.box.right, self.params.every_trials
        self.kinds = self.kinds or self.stream("probe").shuffled([True] + [False] * (every - 1))
        probe = self.kinds.pop()
        lit, dark = (left, right) if self.stream("side").bernoulli(0.5) else (right, left)
        drop = NOTHING if probe else lit.drop(self.params.drop_ul)
        with lit.light, dark.light if probe else nullcontext():
            poke = await self.react((lit.poked, drop), (dark.poked, NOTHING))
        self.begin_trial(Trial(int(probe), "both" if probe else lit.name, poke.source), keep_rewards=True)
        self.end_trial()
        return self.pause

    @state(to=("choose",), can_end=True)
    async def pause(self) -> Next:
        """Wait without light until there was no poke for a while."""
        await self.quiet(self.params.rest_s, self.box.left, self.box.right)
        return self.choose
