from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import (
    Column,
    Histogram,
    Needs,
    Next,
    Numbers,
    Port,
    Raster,
    RewardVolume,
    Task,
    TaskParams,
    TrialRow,
    state,
)


class Params(TaskParams):
    drop_ul: RewardVolume = Field(default=2.5, description="volume of a drop")
    window_s: float = Field(default=2.0, ge=0.1, le=30, description="time after a drop in which licks are counted")
    mean_iti_s: float = Field(default=8.0, ge=0.1, le=120, description="mean time from a window to the next drop")


@dataclass
class Box:
    spout: Annotated[Port, Needs("valve")]


@dataclass
class Trial(TrialRow):
    t_drop: Annotated[float, Column("when the drop was ordered")]
    licks: Annotated[int, Column("licks in the window after the drop")] = 0
    first_lick_s: Annotated[float | None, Column("time from the drop to the first lick")] = None


class LickCounting(Task[Params, Box, Trial]):
    """Drops come at random times. The table counts the licks after each drop."""

    views: ClassVar = (
        Raster(("spout.beam", "spout.valve"), at="t_drop", before_s=1, after_s=4, title="licks around each drop"),
        Numbers("licks", title="licks after each drop"),
        Histogram("first_lick_s", title="time to the first lick"),
    )

    @state(to=("drop",), can_end=True)
    async def wait(self) -> Next:
        """Wait for a random time: a drop has the same probability at every moment."""
        await self.sleep(self.stream("iti").exponential(self.params.mean_iti_s))
        return self.drop

    @state(to=("wait",))
    async def drop(self) -> Next:
        """Queue a drop, and count the licks in the window after it."""
        spout = self.box.spout
        row = self.begin_trial(Trial(self.now_s))
        self.do(spout.drop(self.params.drop_ul))
        await self.sleep(self.params.window_s)
        licks_s = spout.entries_since(row.t_drop)
        row.licks = len(licks_s)
        row.first_lick_s = licks_s[0] - row.t_drop if licks_s else None
        self.end_trial()
        return self.wait
