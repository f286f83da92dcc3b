"""A task to grow from: the center port calls, one of two side ports is chosen, and each side pays with its own odds.

Its parameters are given in my_task.yaml, beside this file. After every change:

    rig check my_task.yaml                              are both files right?
    rig sim my_task.yaml --model random --seed 1        a session of a virtual mouse, in a second
    rig show graph my_task.yaml                         the states, and where each may go
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    """What may be set in the YAML file: names end with their unit, and what is out of bounds is refused."""

    sources: ClassVar = {"reward_ul": "ours: say here where a default comes from, and rig show params tells it"}

    p_left: float = Field(default=0.8, ge=0, le=1, description="how often the left port pays")
    p_right: float = Field(default=0.2, ge=0, le=1, description="how often the right port pays")
    reward_ul: RewardVolume = Field(default=2.5, ge=0.5, le=10, description="volume of a reward")
    choice_window_s: float = Field(default=2.0, ge=0.1, le=30, description="time to choose after the center poke")
    rest_s: float = Field(default=1.0, ge=0, le=600, description="from the end of a trial to the next call")


@dataclass
class Box:
    """The devices that the task needs, by their names in the rig file."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(TrialRow):
    """One row of trials.csv: these are its columns, after the trial's number; times are seconds of the session.

    `Column` says in a few words what a column holds, for those who later read or share the data. The program adds how
    the trial came out (`outcome`, rewarded or unrewarded where the task does not say), how many rewards were delivered,
    and by whom; it fills `reward_ul` with what really left the valves.
    """

    t_center_in: Annotated[float, Column("when the nose entered the center port")]
    t_side_in: Annotated[float | None, Column("when the nose entered the chosen side port")] = None
    choice: Annotated[str, Column("the side that was poked; empty after an omission")] = ""
    reward_ul: Annotated[RewardVolume, Column("volume that was delivered")] = 0.0
    drawn_left: Annotated[int, Column("1 if the left port would have paid")] = 0
    drawn_right: Annotated[int, Column("1 if the right port would have paid")] = 0


class MyTask(Task[Params, Box, Trial]):
    """The center port calls, one of two side ports is chosen, and each side pays with its own odds."""

    def prepare(self) -> None:
        """Build what lives as long as the session; a beam that is broken now keeps it from beginning."""
        self.ports = (self.box.left, self.box.center, self.box.right)
        self.require_clear(*self.ports)

    # A state is an async method that returns the next one; `to` names those that it may return. The first state is
    # where a session starts. `can_end=True` marks those where it may end. Time passes at `await`, and only there.

    @state(to=("choose",), can_end=True)
    async def ready(self) -> Next:
        """Switch the center light on; a poke there starts a trial."""
        with self.box.center.light:
            poke = await self.first(self.box.center.poked)
        self.begin_trial(Trial(t_center_in=poke.t_s))
        return self.choose

    @state(to=("rest",))
    async def choose(self) -> Next:
        """Record the first side poked as the choice; the board itself rewards it if it pays."""
        # The outcome is drawn before the choice, so that the board can hold it. A stream of random numbers has a name:
        # what else is drawn, and what the mouse does, never changes what this one gives.
        row, left, right, draw = self.row, self.box.left, self.box.right, self.stream("reward")
        row.drawn_left = int(draw.bernoulli(self.params.p_left))
        row.drawn_right = int(draw.bernoulli(self.params.p_right))
        drop_left = left.drop(self.params.reward_ul) if row.drawn_left else NOTHING
        drop_right = right.drop(self.params.reward_ul) if row.drawn_right else NOTHING
        with left.light, right.light:
            poke = await self.react(
                (left.poked, drop_left), (right.poked, drop_right), within=self.params.choice_window_s
            )
        if poke is None:
            row.outcome = "omission"
        else:
            row.choice, row.t_side_in = poke.source, poke.t_s
        self.end_trial()
        return self.rest

    @state(to=("ready",), can_end=True)
    async def rest(self) -> Next:
        """Wait without light until no nose has come for a while."""
        await self.quiet(self.params.rest_s, *self.ports, restart=False)
        return self.ready
