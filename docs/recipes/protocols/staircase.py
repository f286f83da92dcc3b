from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    first_flash_s: float = Field(default=1.0, ge=0.01, le=10, description="length of the flash on the first day")
    step: float = Field(default=1.5, gt=1, le=10, description="a step divides or multiplies the flash by this")
    shortest_s: float = Field(default=0.02, ge=0.01, le=10, description="no flash is shorter")
    longest_s: float = Field(default=4.0, ge=0.01, le=10, description="no flash is longer")
    window_s: float = Field(default=5.0, ge=0.1, le=60, description="time to choose, from the flash's start")
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=2.0, ge=0.1, le=60, description="time without a poke before the next flash")


@dataclass
class Box:
    left: Side
    right: Side


@dataclass
class Trial(TrialRow):
    flash_s: Annotated[float, Column("length of the flash")]
    side: Annotated[str, Column("the side that flashed")]
    choice: Annotated[str, Column("the side that was poked; empty after an omission")] = ""


class Staircase(Task[Params, Box, Trial]):
    """Two right choices in a row shorten the flash, one error lengthens it. It settles at 71 % right choices."""

    def prepare(self) -> None:
        self.flash_s: float = self.carried_over.get("flash_s", self.params.first_flash_s)
        self.right = 0

    @state(to=("flash",), can_end=True)
    async def pause(self) -> Next:
        """Wait until there was no poke for a while."""
        await self.quiet(self.params.rest_s, self.box.left, self.box.right)
        return self.flash

    @state(to=("pause",))
    async def flash(self) -> Next:
        """Switch the light of one side on for a flash; a poke there is rewarded."""
        p, left, right = self.params, self.box.left, self.box.right
        lit, dark = (left, right) if self.stream("side").bernoulli(0.5) else (right, left)
        row = self.begin_trial(Trial(round(self.flash_s, 4), lit.name))
        self.do(lit.light.pulse(self.flash_s))
        poke = await self.react((lit.poked, lit.drop(p.drop_ul)), (dark.poked, NOTHING), within=p.window_s)
        if poke is None:
            row.outcome = "omission"
        else:
            row.choice = poke.source
            self.follow(poke.source == lit.name)
        lit.light.off()
        self.end_trial()
        return self.pause

    def follow(self, is_right: bool) -> None:
        """Update the flash by the rule "two down, one up" (Levitt 1971, J Acoust Soc Am 49:467)."""
        self.right = self.right + 1 if is_right else 0
        factor = 1 if self.right == 1 else 1 / self.params.step if is_right else self.params.step
        self.right %= 2
        self.flash_s = min(self.params.longest_s, max(self.params.shortest_s, self.flash_s * factor))

    def carry_over(self) -> dict[str, float]:
        """Return the length of the flash, with which the next session begins."""
        return {"flash_s": self.flash_s}
