from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Needs, Next, Port, RewardVolume, Speaker, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    tone_hz: int = Field(default=6000, ge=500, le=20_000, description="the tone that announces a drop")
    tone_ms: float = Field(default=1000, ge=10, le=1000, description="length of the tone; the drop comes with its end")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a drop")
    iti_min_s: float = Field(default=5.0, ge=1, le=120, description="shortest time from a trial to the next tone")
    iti_max_s: float = Field(default=15.0, ge=1, le=120, description="longest time from a trial to the next tone")


@dataclass
class Box:
    spout: Annotated[Port, Needs("valve")]
    speaker: Speaker


@dataclass
class Trial(TrialRow):
    t_tone: Annotated[float, Column("when the tone was ordered")]
    licks_in_tone: Annotated[int, Column("licks during the tone")] = 0
    licks_after: Annotated[int, Column("licks in the same time after the tone")] = 0


class ToneThenDrop(Task[Params, Box, Trial]):
    """A drop follows the end of a tone, whatever the animal does. The board times both."""

    def prepare(self) -> None:
        p = self.params
        self.tone_s = p.tone_ms / 1000
        tone = self.box.speaker.tone(p.tone_hz, p.tone_ms)
        self.pairing = self.sequence((0, tone), (self.tone_s, self.box.spout.drop(p.drop_ul)))

    @state(to=("pair",), can_end=True)
    async def wait(self) -> Next:
        """Wait for a random time."""
        p = self.params
        await self.sleep(self.stream("iti").uniform(p.iti_min_s, p.iti_max_s))
        return self.pair

    @state(to=("wait",))
    async def pair(self) -> Next:
        """Run the sequence of tone and drop; licks during the tone show that the animal expects the drop."""
        row = self.begin_trial(Trial(self.now_s))
        self.pairing.start()
        await self.sleep(2 * self.tone_s)
        licks_s = self.box.spout.entries_since(row.t_tone)
        row.licks_in_tone = sum(lick_s < row.t_tone + self.tone_s for lick_s in licks_s)
        row.licks_after = len(licks_s) - row.licks_in_tone
        self.end_trial()
        return self.wait
