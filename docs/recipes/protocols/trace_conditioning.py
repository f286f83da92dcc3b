from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from rig import Column, Needs, Next, OneOf, Port, RewardVolume, Speaker, Task, TaskParams, TrialRow, state


class Params(TaskParams):
    paired_hz: int = Field(default=8000, ge=500, le=20_000, description="the tone that a drop follows")
    unpaired_hz: int = Field(default=3000, ge=500, le=20_000, description="the tone without a drop")
    tone_ms: float = Field(default=500, ge=10, le=1000, description="length of a tone")
    trace_s: float = Field(default=1.0, ge=0, le=10, description="silence from the tone's end to the drop")
    drop_ul: RewardVolume = Field(default=5.0, description="volume of a drop")
    iti_s: float = Field(default=10.0, ge=1, le=120, description="mean of the random time that follows iti_min_s")
    iti_min_s: float = Field(default=4.0, ge=0.5, le=120, description="shortest time between two trials")


@dataclass
class Box:
    spout: Annotated[Port, Needs("valve")]
    speaker: Speaker


@dataclass
class Trial(TrialRow):
    tone: Annotated[str, OneOf("paired", "unpaired"), Column("the tone of this trial")]
    licks_before: Annotated[int, Column("licks before the tone, for as long as the trace")] = 0
    licks_in_trace: Annotated[int, Column("licks in the trace")] = 0


class TraceConditioning(Task[Params, Box, Trial]):
    """After one of two tones come a silence, the trace, and a drop. Licks in the trace show what was learned."""

    def prepare(self) -> None:
        p, tone = self.params, self.box.speaker.tone
        self.tone_s, self.drop_s = p.tone_ms / 1000, p.tone_ms / 1000 + p.trace_s
        drop = self.box.spout.drop(p.drop_ul)
        self.cues = {
            "paired": self.sequence((0, tone(p.paired_hz, p.tone_ms)), (self.drop_s, drop)),
            "unpaired": self.sequence((0, tone(p.unpaired_hz, p.tone_ms))),
        }
        self.order: list[str] = []

    @state(to=("cue",), can_end=True)
    async def wait(self) -> Next:
        """Wait for a drawn time, whose end the animal cannot predict."""
        await self.sleep(self.params.iti_min_s + self.stream("iti").exponential(self.params.iti_s))
        return self.cue

    @state(to=("wait",))
    async def cue(self) -> Next:
        """Start a tone; of each ten tones five are paired with a drop, in random order."""
        self.order = self.order or self.stream("cue").shuffled(["paired", "unpaired"] * 5)
        row, spout, from_s = self.begin_trial(Trial(self.order.pop())), self.box.spout, self.now_s
        row.licks_before = len(spout.entries_since(from_s - self.params.trace_s))
        self.cues[row.tone].start()
        await self.sleep(self.drop_s)
        row.licks_in_trace = len(spout.entries_since(from_s + self.tone_s))
        await self.sleep(1.0)
        self.end_trial()
        return self.wait
