"""Devices of the two-armed bandit's box, and the table of trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

from rig import (
    Choices,
    Column,
    Histogram,
    Needs,
    Numbers,
    OneOf,
    Outcomes,
    Port,
    Raster,
    Reward,
    RewardStatus,
    RewardVolume,
    RunningShare,
    Share,
    TrialRow,
    TtlIn,
    TtlOut,
)


@dataclass
class Box:
    """Three ports in a row, water at the sides; optionally a laser, and a camera's frame signal."""

    left: Annotated[Port, Needs("light", "valve")]
    center: Annotated[Port, Needs("light")]
    right: Annotated[Port, Needs("light", "valve")]
    laser: TtlOut | None = None
    sync: TtlIn | None = None


@dataclass
class Trial(TrialRow):
    """One row of the trial table; times are seconds of the session, empty for events that did not happen."""

    letter = "choice"
    shares: ClassVar[Mapping[str, Share]] = {
        "reward_rate": Share("outcome", "equals", "rewarded", "rewarded"),
        "p_high": Share("choice", "same_as", "high_side", "to the high port"),
        "p_switch": Share("choice", "changes", label="switches"),
        "left_fraction": Share("choice", "equals", "left", "left"),
    }

    t_center_in: Annotated[float | None, Column("when the nose entered the center port, which began the trial")] = None
    t_center_out: Annotated[float | None, Column("when the nose left the center port")] = None
    t_side_in: Annotated[float | None, Column("when the nose entered the chosen side port")] = None
    t_side_out: Annotated[float | None, Column("when the nose left the chosen side port, which ended the trial")] = None
    choice: Annotated[str, OneOf("", "left", "right"), Column("the chosen side; empty without a choice")] = ""
    rewarded: Annotated[int, Column("1 if the choice was rewarded, otherwise 0")] = 0
    outcome: Annotated[
        str,
        OneOf("rewarded", "unrewarded", "omission", "aborted", "interrupted"),
        Column("how the trial ended: omission is no choice in time, aborted is a second poke at the center"),
    ] = ""
    delivered_by: Annotated[str, Column("who gave the reward, board or host; or the status of a reward not given")] = ""
    p_left: Annotated[float, Column("probability of reward at the left port in this trial")] = 0.0
    p_right: Annotated[float, Column("probability of reward at the right port in this trial")] = 0.0
    high_side: Annotated[
        str, OneOf("left", "right"), Column("the side with the higher probability of reward in this trial")
    ] = ""
    block: Annotated[int, Column("number of the block of trials with one high side, counted from 1")] = 0
    trial_in_block: Annotated[int, Column("place of the trial in its block, counted from 1 in completed trials")] = 0
    flipped_after: Annotated[int, Column("1 if the sides swapped their probabilities after this trial")] = 0
    latency_s: Annotated[float | None, Column("time from the center poke to the choice")] = None
    initiation_s: Annotated[float | None, Column("time from the last poke at any port to the center poke")] = None
    reward_ul: Annotated[RewardVolume, Column("volume of water that was delivered in this trial")] = 0.0
    error_pokes: Annotated[int, Column("pokes since the last trial that neither started a trial nor were a choice")] = 0
    drawn_left: Annotated[int, Column("1 if a choice of the left port would have been rewarded")] = 0
    drawn_right: Annotated[int, Column("1 if a choice of the right port would have been rewarded")] = 0
    ambiguous: Annotated[int, Column("1 if both side ports were entered in the same microsecond")] = 0
    drawn_laser: Annotated[int, Column("1 if the laser was planned for this trial")] = 0
    laser: Annotated[int, Column("1 if the laser started in this trial")] = 0
    t_laser: Annotated[float | None, Column("when the laser started")] = None

    def on_rewards(self, rewards: Sequence[Reward]) -> None:
        """Record the delivered reward; the choice of an interrupted trial is that of its reward."""
        super().on_rewards(rewards)
        if self.rewarded and not self.choice:
            self.choice = next(reward.source for reward in rewards if reward.status is RewardStatus.DELIVERED)


VIEWS = (
    Choices("choice", "rewarded", {"left": "p_left", "right": "p_right"}, title="choices, rewards and odds"),
    # A running average of left choices beside the odds, as in figure 1 of Beron et al. (2022).
    RunningShare("left_fraction", over=10, beside="p_left", title="choices of left, of the last 10 completed trials"),
    RunningShare(("reward_rate", "p_high", "p_switch"), over=50, title="shares of the last 50 completed trials"),
    Numbers("latency_s", by="choice", title="from the center to the choice"),
    Histogram("latency_s", by="choice", title="how often each latency occurs"),
    Numbers("initiation_s", log=True, title="from the last poke to the center"),
    Raster(
        ("left.beam", "center.beam", "right.beam"),
        at="t_center_in",
        before_s=2,
        after_s=4,
        title="pokes around the start of each trial",
    ),
    Outcomes(title="outcomes"),
)
"""What people look at during a session and after it."""
