"""Detection: a poke soon after a buzz gives water. The buzzes have several lengths."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from example_lab.devices.buzzer import MAX_BUZZ_MS, Buzzer
from rig import Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

BuzzMs = Annotated[float, Field(ge=1, le=MAX_BUZZ_MS)]


class Params(TaskParams):
    """What an experimenter may change."""

    buzz_ms: tuple[BuzzMs, ...] = Field(default=(10, 30, 90), min_length=1, description="lengths of a buzz")
    window_s: float = Field(default=1.5, ge=0.1, le=10, description="time to poke, from the start of the buzz")
    drop_ul: RewardVolume = Field(default=4.0, description="volume of a reward")
    iti_s: float = Field(default=2.0, ge=0.1, le=60, description="time without a poke before the next buzz")


@dataclass
class Box:
    """What the rig must have."""

    hole: Annotated[Port, Needs("valve")]
    buzzer: Buzzer


@dataclass
class Trial(TrialRow):
    """One buzz."""

    buzz_ms: Annotated[float, Column("length of the buzz")]
    latency_s: Annotated[float | None, Column("from the start of the buzz to the poke; empty without a poke")] = None


class Detection(Task[Params, Box, Trial]):
    """A poke soon after a buzz gives water."""

    @state(to=("buzz",), can_end=True)
    async def wait(self) -> Next:
        """Wait until the animal has not poked for a while."""
        await self.quiet(self.params.iti_s, self.box.hole)
        return self.buzz

    @state(to=("wait",))
    async def buzz(self) -> Next:
        """Buzz; the board answers a poke in time with a drop."""
        p, hole = self.params, self.box.hole
        row, start_s = self.begin_trial(Trial(self.stream("length").choice(p.buzz_ms))), self.now_s
        self.do(self.box.buzzer.buzz(row.buzz_ms))
        poke = await self.react((hole.poked, hole.drop(p.drop_ul)), within=p.window_s)
        row.latency_s = None if poke is None else poke.after_s(start_s)
        row.outcome = "miss" if poke is None else "hit"
        self.end_trial()
        return self.wait
