"""Free water: a poke at any side gives a drop, then a pause. The smallest protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field

from rig import (
    Choices,
    Column,
    Cumulative,
    Live,
    Needs,
    Next,
    OneOf,
    Outcomes,
    Port,
    Reward,
    RewardVolume,
    Task,
    TaskParams,
    TrialRow,
    state,
)


class Params(TaskParams):
    """What a PI may change."""

    sources: ClassVar = {
        "reward_ul": "Beron et al. 2022, Methods: water was delivered in 2.5 ul increments",
        "pause_s": "the original rig's program: its shortest inter-trial interval, also on the first day of training",
    }

    reward_ul: Annotated[RewardVolume, Live] = Field(default=2.5, ge=0.5, le=10, description="volume of a drop")
    pause_s: Annotated[float, Live] = Field(default=1.0, ge=0, le=600, description="from a drop to the next chance")


@dataclass
class Box:
    """Two ports with water."""

    left: Annotated[Port, Needs("valve")]
    right: Annotated[Port, Needs("valve")]


@dataclass(kw_only=True)
class Trial(TrialRow):
    """One drop."""

    t_in: Annotated[float, Column("when the nose entered the port")]
    choice: Annotated[str, OneOf("left", "right"), Column("the port that was poked")]
    outcome: Annotated[
        str,
        OneOf("rewarded", "withheld", "interrupted"),
        Column("how the trial ended: withheld is a drop that a limit forbade"),
    ] = ""
    delivered_by: Annotated[str, Column("who gave the drop, board or host; or the status of a drop not given")] = ""
    reward_ul: Annotated[RewardVolume, Column("volume of water that was delivered in this trial")] = 0.0

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the delivered drop; a poke without a drop because of a limit is ``withheld``."""
        super().on_rewards(rewards)
        self.outcome = self.outcome if self.rewarded else "withheld"


class FreeWater(Task[Params, Box, Trial]):
    """A drop for each poke at a side."""

    needs_board_timing = False
    views: ClassVar = (
        Cumulative("t_in", "rewarded", by="choice", rows="pokes", title="pokes by side"),
        Choices("choice", "rewarded", title="drops by side"),
        Outcomes(title="outcomes"),
    )

    @state(to=("pause",), can_end=True)
    async def wait(self) -> Next:
        """Wait for a poke, which gives a drop."""
        left, right, ul = self.box.left, self.box.right, self.params.reward_ul
        poke = await self.react((left.poked, left.drop(ul)), (right.poked, right.drop(ul)))
        # The board may have delivered the drop before this trial begins.
        self.begin_trial(Trial(t_in=poke.t_s, choice=poke.source), keep_rewards=True)
        self.end_trial()
        return self.pause

    @state(to=("wait",), can_end=True)
    async def pause(self) -> Next:
        """Wait for ``pause_s``, in which pokes give no drops."""
        await self.sleep(self.params.pause_s)
        return self.wait
