from collections import deque
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, OneOf, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next light")
    window_trials: int = Field(default=20, ge=1, le=1000, description="number of last choices that decide")
    p_max: float = Field(default=0.9, ge=0.5, le=1, description="highest probability that a side is lit")


@dataclass
class Box:
    left: Side
    right: Side


@dataclass
class Trial(TrialRow):
    lit: Annotated[str, OneOf("left", "right"), Column("the lit side")]
    p_right: Annotated[float, Column("probability with which the right side was lit")]
    choice: Annotated[str, OneOf("left", "right"), Column("the side that was poked")]


def p_right(choices: deque[str], p_max: float) -> float:
    """Return the probability that the right side is lit: the proportion of left choices, within bounds."""
    if not choices:
        return 0.5
    return min(p_max, max(1 - p_max, choices.count("left") / len(choices)))


class BiasCorrection(Task[Params, Box, Trial]):
    """The side that the animal chose less often in the last trials is lit with a higher probability."""

    def prepare(self) -> None:
        self.choices: deque[str] = deque(self.carried_over.get("choices", ()), maxlen=self.params.window_trials)

    @state(to=("pause",), can_end=True)
    async def choose(self) -> Next:
        """Switch the light of one side on; a poke there is rewarded."""
        left, right = self.box.left, self.box.right
        p = p_right(self.choices, self.params.p_max)
        lit, dark = (right, left) if self.stream("side").bernoulli(p) else (left, right)
        with lit.light:
            poke = await self.react((lit.poked, lit.drop(self.params.drop_ul)), (dark.poked, NOTHING))
        self.begin_trial(Trial(lit.name, round(p, 3), poke.source), keep_rewards=True)
        self.end_trial()
        self.choices.append(poke.source)
        return self.pause

    @state(to=("choose",), can_end=True)
    async def pause(self) -> Next:
        """Wait without light until there was no poke for a while."""
        await self.quiet(self.params.rest_s, self.box.left, self.box.right)
        return self.choose

    def carry_over(self) -> dict[str, list[str]]:
        """Return the last choices, from which the next session continues."""
        return {"choices": list(self.choices)}
