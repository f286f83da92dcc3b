from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import NOTHING, Column, Needs, Next, OneOf, Port, RewardVolume, Speaker, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    p_go: float = Field(default=0.5, ge=0, le=1, description="probability of the go tone")
    go_hz: int = Field(default=8000, ge=500, le=20_000, description="the tone after which a lick is rewarded")
    no_go_hz: int = Field(default=2000, ge=500, le=20_000, description="the tone after which a lick starts a time-out")
    tone_ms: float = Field(default=500, ge=10, le=1000, description="length of a tone")
    window_s: float = Field(default=1.5, ge=0.1, le=10, description="time to lick, from the tone's start")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a reward")
    iti_s: float = Field(default=2.0, ge=0.1, le=60, description="time without a lick before the next tone")
    time_out_s: float = Field(default=4.0, ge=0, le=60, description="further time after a false alarm")


@dataclass
class Box:
    spout: Annotated[Port, Needs("valve")]
    speaker: Speaker


@dataclass
class Trial(TrialRow):
    cue: Annotated[str, OneOf("go", "no_go"), Column("the tone of this trial")]
    latency_s: Annotated[float | None, Column("time from the tone's start to the lick; empty without a lick")] = None
    drop_ul: Annotated[RewardVolume, Column("volume that was delivered")] = 0.0


class GoNoGo(Task[Params, Box, Trial]):
    """After one tone a lick is rewarded. After the other tone a lick starts a time-out."""

    @state(to=("tone",), can_end=True)
    async def wait(self) -> Next:
        """Wait until the animal has not licked for a while."""
        await self.quiet(self.params.iti_s, self.box.spout)
        return self.tone

    @state(to=("wait", "time_out"))
    async def tone(self) -> Next:
        """Start the tone; the board itself rewards a lick after the go tone."""
        p, spout = self.params, self.box.spout
        go = self.stream("cue").bernoulli(p.p_go)
        row, tone_s = self.begin_trial(Trial("go" if go else "no_go")), self.now_s
        self.do(self.box.speaker.tone(p.go_hz if go else p.no_go_hz, p.tone_ms))
        lick = await self.react((spout.poked, spout.drop(p.drop_ul) if go else NOTHING), within=p.window_s)
        row.latency_s = lick and lick.after_s(tone_s)
        row.outcome = ("hit" if lick else "miss") if go else ("false_alarm" if lick else "correct_rejection")
        self.end_trial()
        return self.time_out if lick and not go else self.wait

    @state(to=("wait",), can_end=True)
    async def time_out(self) -> Next:
        """Wait for the time-out after a false alarm."""
        await self.sleep(self.params.time_out_s)
        return self.wait
