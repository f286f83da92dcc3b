from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Needs, Next, Port, RewardVolume, Speaker, Task, TaskParams, TrialRow, TtlOut, state


class Params(TaskParams):
    tone_hz: int = Field(default=6000, ge=500, le=20_000, description="the tone that announces a drop")
    tone_ms: float = Field(default=500, ge=10, le=1000, description="length of the tone; the drop comes with its end")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a drop")
    p_laser: float = Field(default=0.5, ge=0, le=1, description="proportion of trials with the laser")
    pulse_ms: float = Field(default=5.0, ge=0.1, le=20, description="length of a pulse of the laser")
    laser_hz: float = Field(default=20.0, ge=1, le=40, description="pulses of the laser in a second")
    laser_ms: float = Field(default=1000, ge=25, le=5000, description="length of the train of pulses, from the drop")
    rest_s: float = Field(default=3.0, ge=0.1, le=60, description="time without a lick before the next trial")


@dataclass
class Box:
    spout: Annotated[Port, Needs("valve")]
    speaker: Speaker
    laser: TtlOut


@dataclass
class Trial(TrialRow):
    laser: Annotated[int, Column("1 with the laser")]
    t_lick: Annotated[float, Column("the lick that started the tone")]
    t_tone: Annotated[float | None, Column("when the board started the tone")] = None
    licks_in_tone: Annotated[int, Column("licks during the tone, without the first")] = 0
    licks_after: Annotated[int, Column("licks in the second after the drop")] = 0


class ToneDropLaser(Task[Params, Box, Trial]):
    """A lick starts a tone, then a drop and, in some trials, a train of laser pulses. The board times all of them."""

    def prepare(self) -> None:
        p, box = self.params, self.box
        self.tone_s = p.tone_ms / 1000
        pairing = ((0, box.speaker.tone(p.tone_hz, p.tone_ms)), (self.tone_s, box.spout.drop(p.drop_ul)))
        flashes = box.laser.flashes(p.laser_ms, p.pulse_ms, 1000 / p.laser_hz)
        self.with_laser = self.sequence(*pairing, (self.tone_s, flashes))
        self.without = self.sequence(*pairing)

    @state(to=("count",), can_end=True)
    async def ready(self) -> Next:
        """Wait for a lick, at which the board starts the sequence."""
        is_lasered = self.stream("laser").bernoulli(self.params.p_laser)
        self.pairing = self.with_laser if is_lasered else self.without
        lick = await self.react((self.box.spout.poked, self.pairing.start_action))
        self.begin_trial(Trial(int(is_lasered), lick.t_s))
        return self.count

    @state(to=("rest",))
    async def count(self) -> Next:
        """Wait until 1 s after the drop, or until the laser's end if it comes later; then count the licks."""
        row, drop_s = self.row, self.row.t_lick + self.tone_s
        await self.sleep(until_s=drop_s + max(1.0, self.params.laser_ms / 1000))
        row.t_tone = self.began_s(self.pairing)
        licks_s = self.box.spout.entries_since(row.t_lick)[1:]
        row.licks_in_tone = sum(lick_s < drop_s for lick_s in licks_s)
        row.licks_after = sum(drop_s <= lick_s < drop_s + 1 for lick_s in licks_s)
        self.end_trial()
        return self.rest

    @state(to=("ready",), can_end=True)
    async def rest(self) -> Next:
        """Wait until the animal has not licked for a while."""
        await self.quiet(self.params.rest_s, self.box.spout)
        return self.ready
