"""A task to grow from: the centre port calls, one of two side ports is chosen, and each side pays with its own odds.

Its parameters are given in my_task.yaml, beside this file. After every change:

    rig check my_task.yaml                              are both files right?
    rig sim my_task.yaml --model random --seed 1        a session of a virtual mouse, in a second
    rig show graph my_task.yaml                         the states, and where each may go
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import NOTHING, Needs, Next, Port, Reward, RewardVolume, Row, Task, TaskParams, state, to_s


class Params(TaskParams):
    """What may be set in the YAML file: names end with their unit, and what is out of bounds is refused."""

    sources: ClassVar = {"reward_ul": "ours: say here where a default comes from, and rig show params tells it"}

    p_left: float = Field(default=0.8, ge=0, le=1, description="how often the left port pays")
    p_right: float = Field(default=0.2, ge=0, le=1, description="how often the right port pays")
    reward_ul: RewardVolume = Field(default=2.5, ge=0.5, le=10, description="volume of a reward")
    choice_window_s: float = Field(default=2.0, ge=0.1, le=30, description="time to choose after the centre poke")
    rest_s: float = Field(default=1.0, ge=0, le=600, description="from the end of a trial to the next call")


@dataclass
class Box:
    """The devices that the task needs, by their names in the rig file."""

    left: Annotated[Port, Needs("light", "valve")]
    centre: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(Row):
    """One row of trials.csv: these are its columns, in their order; times are seconds of the session."""

    trial: int
    t_centre_in: float
    t_side_in: float | None = None
    choice: str = ""
    outcome: str = ""
    delivered_by: str = ""
    reward_ul: float = 0.0
    drawn_left: int = 0
    drawn_right: int = 0

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Say what really left the valves: called once, when it is known of every drop of the trial."""
        given = [reward for reward in rewards if reward.status == "delivered"]
        self.reward_ul = sum(reward.amount.ul for reward in given)
        self.delivered_by = ",".join(reward.delivered_by for reward in rewards)
        if self.outcome == "chosen":
            self.outcome = "rewarded" if given else "unrewarded"

    def interrupted(self) -> None:
        """Mark the trial as one that could not be completed: a fault, or the operator's stop."""
        self.outcome = "interrupted"


class MyTask(Task[Params, Box, Trial]):
    """The centre port calls, one of two side ports is chosen, and each side pays with its own odds."""

    def prepare(self) -> None:
        """Make what lives as long as the session."""
        self.sides = (self.box.left, self.box.right)
        self.trials = 0

    # A state is an async method that returns the next one; `to` names those that it may return. The first state is
    # where a session begins, and `rest=True` marks those in which it may end. Time passes at `await`, and only there.

    @state(to=("choose",), rest=True)
    async def ready(self) -> Next:
        """The centre light calls; a poke there starts a trial."""
        with self.box.centre.light:
            poke = await self.first(self.box.centre.poked)
        self.trials += 1
        self.begin(Trial(self.trials, to_s(poke.t_us)))
        return self.choose

    @state(to=("rest",))
    async def choose(self) -> Next:
        """The first side poked is the choice, and the board pays it within microseconds if it pays."""
        # The outcome is drawn before the choice, so that the board can hold it. A stream of random numbers has a name:
        # what else is drawn, and what the mouse does, never changes what this one gives.
        stream, odds = self.stream("reward"), {"left": self.params.p_left, "right": self.params.p_right}
        pays = {side: stream.random() < odds[side] for side in ("left", "right")}
        self.row.drawn_left, self.row.drawn_right = int(pays["left"]), int(pays["right"])
        drops = [(port.poked, port.drop(self.params.reward_ul) if pays[port.name] else NOTHING) for port in self.sides]
        with self.reflex(*drops), self.box.left.light, self.box.right.light:
            poke = await self.first(*(port.poked for port in self.sides), within=self.params.choice_window_s)
        if poke is None:
            self.row.outcome = "omission"
        else:
            self.row.choice, self.row.t_side_in, self.row.outcome = poke.source, to_s(poke.t_us), "chosen"
        self.finish()
        return self.rest

    @state(to=("ready",), rest=True)
    async def rest(self) -> Next:
        """Nothing is lit for a while, and not before every port is empty."""
        for port in (self.box.left, self.box.centre, self.box.right):
            await self.until(port.free)
        await self.sleep(self.params.rest_s)
        return self.ready
