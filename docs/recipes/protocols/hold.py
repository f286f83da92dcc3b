from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    hold_s: float = Field(default=0.5, ge=0.05, le=10, description="how long the nose must stay")
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next trial")


@dataclass
class Box:
    left: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(TrialRow):
    t_in: Annotated[float, Column("when the nose entered the port")]
    held_s: Annotated[float, Column("how long the nose stayed, up to the hold time")] = 0.0


class Hold(Task[Params, Box, Trial]):
    """A nose that stays in the port long enough gets a reward there. A nose that leaves early gets none."""

    @state(to=("hold",), can_end=True)
    async def ready(self) -> Next:
        """Switch the light on; a poke starts the trial."""
        with self.box.left.light:
            poke = await self.first(self.box.left.poked)
        self.begin_trial(Trial(poke.t_s))
        return self.hold

    @state(to=("pause",))
    async def hold(self) -> Next:
        """Wait for the end of the hold time; an exit before it is too early."""
        port, row = self.box.left, self.row
        exit_ = await self.first(port.freed, until_s=row.t_in + self.params.hold_s)
        row.held_s = exit_.after_s(row.t_in) if exit_ else self.params.hold_s
        if exit_ is None:
            self.do(port.drop(self.params.drop_ul))
        else:
            row.outcome = "left_early"
        self.end_trial()
        return self.pause

    @state(to=("ready",), can_end=True)
    async def pause(self) -> Next:
        """Wait until the nose has left, and then for the rest time."""
        await self.quiet(self.params.rest_s, self.box.left)
        return self.ready
