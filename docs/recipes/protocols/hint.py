from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Edge, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    hint_s: float = Field(default=3.0, ge=0.1, le=60, description="the right side is lit after this time")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time between two trials")


@dataclass
class Box:
    left: Side
    center: Annotated[Port, Needs("light")]
    right: Side


@dataclass
class Trial(TrialRow):
    side: Annotated[str, Column("the side that is rewarded")]
    choice: Annotated[str, Column("the side that was poked")] = ""
    hinted: Annotated[int, Column("1 if the side was lit before the choice")] = 0
    extra_pokes: Annotated[int, Column("pokes since the last trial, at any port, that no state asked for")] = 0


class Hint(Task[Params, Box, Trial]):
    """The animal learns sides that alternate. If it does not choose for 3 s, the light of the right side helps."""

    def prepare(self) -> None:
        box = self.box
        self.good, self.bad, self.pokes = box.left, box.right, 0
        self.whenever(box.left.poked, box.center.poked, box.right.poked, do=self.count)

    def count(self, poke: Edge) -> None:
        """Add a poke, in every state."""
        self.pokes += 1

    def hint(self) -> None:
        """Switch on the light of the side that is rewarded."""
        self.row.hinted = 1
        self.good.light.on()

    @state(to=("choose",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a poke at the lit center."""
        with self.box.center.light:
            await self.first(self.box.center.poked)
        return self.choose

    @state(to=("rest",))
    async def choose(self) -> Next:
        """Wait for a choice; meanwhile, after some time, the light goes on."""
        self.good, self.bad = self.bad, self.good
        good, bad = self.good, self.bad
        row = self.begin_trial(Trial(side=good.name))
        with self.after(self.params.hint_s, self.hint):
            poke = await self.react((good.poked, good.drop(self.params.drop_ul)), (bad.poked, NOTHING))
        good.light.off()
        # Two of the pokes were asked for: that at the center and the choice.
        row.choice, row.extra_pokes, self.pokes = poke.source, self.pokes - 2, 0
        self.end_trial()
        return self.rest

    @state(to=("ready",), can_end=True)
    async def rest(self) -> Next:
        """Wait a short time."""
        await self.sleep(self.params.rest_s)
        return self.ready
