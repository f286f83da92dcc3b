from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    iti_s: float = Field(default=5.0, ge=0.5, le=30, description="from the poke at the tray to the flash")
    flash_s: float = Field(default=0.5, ge=0.05, le=30, description="length of the flash")
    hold_s: float = Field(default=5.0, ge=0.5, le=60, description="time to respond, from the flash's start")
    time_out_s: float = Field(default=5.0, ge=0, le=60, description="darkness after a trial without a reward")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a reward")


@dataclass
class Box:
    hole1: Annotated[Port, Needs("light")]
    hole2: Annotated[Port, Needs("light")]
    hole3: Annotated[Port, Needs("light")]
    hole4: Annotated[Port, Needs("light")]
    hole5: Annotated[Port, Needs("light")]
    tray: Annotated[Port, Needs("light", "valve")]


@dataclass
class Trial(TrialRow):
    hole: Annotated[str, Column("the hole whose light flashed")]
    response: Annotated[str, Column("the hole that was poked; empty after an omission")] = ""
    latency_s: Annotated[float | None, Column("time from the flash to the poke; negative if premature")] = None


class FiveChoice(Task[Params, Box, Trial]):
    """The light of one of five holes flashes. A poke into this hole gives a reward at the tray."""

    @state(to=("respond",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a poke at the lit tray, which starts a trial."""
        with self.box.tray.light:
            await self.first(self.box.tray.poked)
        return self.respond

    @state(to=("ready",))
    async def respond(self) -> Next:
        """Wait for a poke into a hole; a poke before the flash is premature and has a negative latency."""
        p, box, flash_s = self.params, self.box, self.now_s + self.params.iti_s
        holes = (box.hole1, box.hole2, box.hole3, box.hole4, box.hole5)
        lit = self.stream("hole").choice(holes)
        row = self.begin_trial(Trial(lit.name))
        poke = await self.first(*(hole.poked for hole in holes), until_s=flash_s)
        if poke is None:
            self.do(lit.light.pulse(p.flash_s))
            answers = [(hole.poked, box.tray.drop(p.drop_ul) if hole is lit else NOTHING) for hole in holes]
            poke = await self.react(*answers, within=p.hold_s)
        row.response, row.latency_s = (poke.source, poke.after_s(flash_s)) if poke else ("", None)
        row.outcome = "omission" if poke is None else "premature" if poke.t_s < flash_s else ""
        await self.sleep(0 if self.rewards else p.time_out_s)
        self.end_trial()
        return self.ready
