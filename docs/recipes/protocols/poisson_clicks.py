from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import (
    NOTHING,
    Action,
    Column,
    Needs,
    Next,
    OneOf,
    Port,
    RewardVolume,
    Row,
    Task,
    TaskParams,
    TrialRow,
    TtlOut,
    exact_s,
    state,
)

CLICKS, CLICK_S, GAP_S = 20, 0.001, 0.005
"""The clicks of a train; the length of each; the shortest time between two, so that no click meets a busy output."""

Side = Annotated[Port, Needs("light", "valve")]


class Params(TaskParams):
    clicks_per_s: float = Field(default=40.0, ge=1, le=100, description="mean rate of the clicks of both sides")
    p_side: float = Field(default=0.7, ge=0.5, le=1, description="probability that a click comes from the trial's side")
    window_s: float = Field(default=3.0, ge=0.1, le=60, description="time to choose, from the last click")
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a reward")
    rest_s: float = Field(default=1.0, ge=0.1, le=60, description="time without a poke before the next trial")


@dataclass
class Box:
    left: Side
    center: Annotated[Port, Needs("light")]
    right: Side
    left_click: TtlOut
    right_click: TtlOut


@dataclass
class Trial(TrialRow):
    left_clicks: Annotated[int, Column("clicks from the left")]
    right_clicks: Annotated[int, Column("clicks from the right")]
    side: Annotated[str, OneOf("left", "right"), Column("the rewarded side: the one with more clicks")]
    t_train: Annotated[float | None, Column("when the board started the train")] = None
    choice: Annotated[str, OneOf("", "left", "right"), Column("the side that was poked; empty without a poke")] = ""


@dataclass
class Click(Row):
    trial: Annotated[int, Column("the trial of the train")]
    side: Annotated[str, OneOf("left", "right"), Column("the side of the click")]
    after_s: Annotated[float, Column("time from the train's start to the click")]


class PoissonClicks(Task[Params, Box, Trial]):
    """A poke starts twenty clicks from both sides, at random times. The side with more clicks is rewarded."""

    tables: ClassVar = {"clicks": Click}

    def prepare(self) -> None:
        self.clicks = self.draw_clicks()
        self.train = self.sequence(*self.timed_clicks())

    def draw_clicks(self) -> list[tuple[float, str]]:
        """Draw a train: the time of each click after the start, and its side."""
        p, draw = self.params, self.stream("clicks")
        p_left = p.p_side if draw.bernoulli(0.5) else 1 - p.p_side
        at_s, clicks = 0.0, []
        for _ in range(CLICKS):
            clicks.append((at_s, "left" if draw.bernoulli(p_left) else "right"))
            at_s = exact_s(at_s + GAP_S + draw.exponential(1 / p.clicks_per_s - GAP_S))
        return clicks

    def timed_clicks(self) -> list[tuple[float, Action]]:
        """Return the train as entries of a sequence."""
        click = {"left": self.box.left_click.pulse(CLICK_S), "right": self.box.right_click.pulse(CLICK_S)}
        return [(at_s, click[side]) for at_s, side in self.clicks]

    @state(to=("listen",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a poke at the lit center, at which the board starts the train."""
        with self.box.center.light:
            await self.react((self.box.center.poked, self.train.start_action))
        return self.listen

    @state(to=("choose",))
    async def listen(self) -> Next:
        """Wait for the last click; pokes during the train do not count. A draw of ten to ten is decided at random."""
        left = sum(side == "left" for _, side in self.clicks)
        is_left = self.stream("tie").bernoulli(0.5) if 2 * left == CLICKS else 2 * left > CLICKS
        row = self.begin_trial(Trial(left, CLICKS - left, "left" if is_left else "right"))
        await self.sleep(self.clicks[-1][0] + CLICK_S)
        row.t_train = self.began_s(self.train)
        for at_s, side in self.clicks:
            self.record(Click(self.trial_number, side, at_s))
        return self.choose

    @state(to=("pause",))
    async def choose(self) -> Next:
        """Wait for a poke at one of the lit sides."""
        p, row, left, right = self.params, self.row, self.box.left, self.box.right
        good, bad = (left, right) if row.side == "left" else (right, left)
        with left.light, right.light:
            poke = await self.react((good.poked, good.drop(p.drop_ul)), (bad.poked, NOTHING), within=p.window_s)
        row.choice, row.outcome = (poke.source, "") if poke else ("", "omission")
        self.end_trial()
        return self.pause

    @state(to=("ready",), can_end=True)
    async def pause(self) -> Next:
        """Load the next train, and wait until there was no poke for a while."""
        await self.wait_executed()  # a load is sent ahead of other orders: the lights would be on for 20 ms more
        self.clicks = self.draw_clicks()
        self.train.load(*self.timed_clicks())
        await self.quiet(self.params.rest_s, self.box.left, self.box.center, self.box.right)
        return self.ready
