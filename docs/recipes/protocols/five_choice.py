from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Edge, Houselight, Needs, Next, Port, RewardVolume, Task, TaskParams, TrialRow, state

Hole = Annotated[Port, Needs("light")]


class Params(TaskParams):
    iti_s: float = Field(default=5.0, ge=0.5, le=30, description="from the poke at the tray to the flash")
    flash_s: float = Field(default=0.5, ge=0.05, le=30, description="length of the flash")
    hold_s: float = Field(default=5.0, ge=0.5, le=60, description="time to respond, from the flash's start")
    time_out_s: float = Field(default=5.0, ge=0, le=60, description="darkness after a trial without a reward")
    tray_light_s: float = Field(default=10.0, ge=0, le=60, description="how long the tray is lit after a reward")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a reward")


@dataclass
class Box:
    hole1: Hole
    hole2: Hole
    hole3: Hole
    hole4: Hole
    hole5: Hole
    tray: Annotated[Port, Needs("light", "valve")]
    houselight: Houselight


@dataclass
class Trial(TrialRow):
    hole: Annotated[str, Column("the hole whose light flashed")]
    response: Annotated[str, Column("the hole that was poked; empty after an omission")] = ""
    latency_s: Annotated[float | None, Column("time from the flash to the poke; negative if premature")] = None
    collect_s: Annotated[float | None, Column("time from the rewarded poke to the tray")] = None
    perseverative: Annotated[int, Column("pokes at the holes between the rewarded poke and the tray")] = 0
    in_time_out: Annotated[int, Column("pokes at the holes in the time-out")] = 0


class FiveChoice(Task[Params, Box, Trial]):
    """The light of one of five holes flashes. A poke into this hole gives a reward at the tray."""

    def prepare(self) -> None:
        box = self.box
        self.holes = (box.hole1, box.hole2, box.hole3, box.hole4, box.hole5)
        self.whenever(*(hole.poked for hole in self.holes), do=self.count)
        box.houselight.on()

    def count(self, poke: Edge) -> None:
        """Add a poke at a hole to the trial, whatever state waits; the response itself is not counted."""
        if self.trial is not None and self.trial.outcome:
            self.trial.in_time_out += 1
        elif self.trial is not None and self.trial.response:
            self.trial.perseverative += 1

    @state(to=("respond",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a poke at the lit tray, which starts a trial."""
        with self.box.tray.light:
            await self.first(self.box.tray.poked)
        return self.respond

    @state(to=("collect", "time_out"))
    async def respond(self) -> Next:
        """Wait for a poke into a hole; a poke before the flash is premature and has a negative latency."""
        p, tray, flash_s = self.params, self.box.tray, self.now_s + self.params.iti_s
        lit = self.stream("hole").choice(self.holes)
        row = self.begin_trial(Trial(hole=lit.name))
        poke = await self.first(*(hole.poked for hole in self.holes), until_s=flash_s)
        if poke is None:
            self.do(lit.light.pulse(p.flash_s))
            answers = [(hole.poked, tray.drop(p.drop_ul) if hole is lit else NOTHING) for hole in self.holes]
            poke = await self.react(*answers, within=p.hold_s)
        if poke is None:
            row.outcome = "omission"
            return self.time_out
        row.response, row.latency_s = poke.source, poke.after_s(flash_s)
        if row.latency_s >= 0 and row.response == lit.name:
            return self.collect
        row.outcome = "premature" if row.latency_s < 0 else "wrong"
        return self.time_out

    @state(to=("ready",))
    async def collect(self) -> Next:
        """Wait at the lit tray for the animal; the light goes off after a while, and the wait goes on."""
        tray, rewarded_s = self.box.tray, self.now_s
        with tray.light, self.after(self.params.tray_light_s, tray.light.off):
            poke = await self.first(tray.poked)
        self.row.collect_s = poke.after_s(rewarded_s)
        self.end_trial()
        await self.until(tray.free)
        return self.ready

    @state(to=("ready",))
    async def time_out(self) -> Next:
        """Switch the houselight off for the time-out."""
        self.box.houselight.off()
        await self.sleep(self.params.time_out_s)
        self.box.houselight.on()
        self.end_trial()
        return self.ready
