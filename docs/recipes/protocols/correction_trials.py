from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, OneOf, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next light")
    max_corrections: int = Field(default=5, ge=0, le=100, description="most correction trials in a row")


@dataclass
class Box:
    left: Side
    right: Side


@dataclass
class Trial(TrialRow):
    lit: Annotated[str, OneOf("left", "right"), Column("the lit side")]
    correction: Annotated[int, Column("number of this correction trial after one error; 0 in a drawn trial")]
    choice: Annotated[str, OneOf("", "left", "right"), Column("the side that was poked")] = ""


class CorrectionTrials(Task[Params, Box, Trial]):
    """After an error the next trial lights the same side again. The table marks such correction trials."""

    def prepare(self) -> None:
        self.lit = ""
        self.correction = 0

    @state(to=("pause",), can_end=True)
    async def choose(self) -> Next:
        """Switch the light of one side on: a drawn side, or after an error the same one; a poke there is rewarded."""
        left, right = self.box.left, self.box.right
        if not self.correction:
            self.lit = self.stream("side").choice(("left", "right"))
        lit, dark = (left, right) if self.lit == "left" else (right, left)
        with lit.light:
            poke = await self.react((lit.poked, lit.drop(self.params.drop_ul)), (dark.poked, NOTHING))
        self.begin_trial(Trial(lit.name, self.correction, poke.source), keep_rewards=True)
        self.end_trial()
        wrong = poke.source != lit.name
        self.correction = self.correction + 1 if wrong and self.correction < self.params.max_corrections else 0
        return self.pause

    @state(to=("choose",), can_end=True)
    async def pause(self) -> Next:
        """Wait without light until there was no poke for a while."""
        await self.quiet(self.params.rest_s, self.box.left, self.box.right)
        return self.choose
